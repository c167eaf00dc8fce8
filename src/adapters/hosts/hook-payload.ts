import {
  HOST_COMMANDS,
  type HostCommand,
  type HostEvent,
  type HostSession,
  type KnownHost,
  type ReportedEvent,
} from "../../core/host.ts";
import { asFields, asText, type JsonFields } from "../agents/json.ts";

/** Commands of a plugin start with its name. */
const TYPED = new RegExp(`^\\s*([/$])(?:ralph:)?(${HOST_COMMANDS.join("|")})(?:\\s+([\\s\\S]*))?$`);

/** The Ralph command that the user typed, with its arguments, or null. `marks`: the first character of a command. */
export function typedCommand(
  prompt: string,
  marks: readonly string[],
): { command: HostCommand; arguments: string } | null {
  const [, mark = "", name, rest = ""] = TYPED.exec(prompt) ?? [];
  const command = HOST_COMMANDS.find((one) => one === name);
  return command && marks.includes(mark) ? { command, arguments: rest.trim() } : null;
}

function sessionOf(host: KnownHost, payload: JsonFields): HostSession | null {
  const [id, cwd] = [asText(payload.session_id), asText(payload.cwd)];
  return id === "" || cwd === "" ? null : { host, id, cwd };
}

/** Reads the fields common to the payloads of Claude Code and Codex. `turnKey`: the field that identifies a prompt. */
export function readHook(
  payload: unknown,
  { host, marks, turnKey }: { host: KnownHost; marks: readonly string[]; turnKey: string },
): ReportedEvent | null {
  const fields = asFields(payload);
  const session = sessionOf(host, fields);
  const event = eventOf(fields, marks);
  if (!session || !event) return null;
  const once = asText(fields[turnKey]);
  return { session, event, ...(once === "" ? {} : { once }) };
}

function eventOf(fields: JsonFields, marks: readonly string[]): HostEvent | null {
  switch (fields.hook_event_name) {
    case "UserPromptSubmit": {
      const typed = typedCommand(asText(fields.prompt), marks);
      return typed && { type: "command.typed", ...typed };
    }
    case "Stop": {
      const text = asText(fields.last_assistant_message);
      return {
        type: "session.idle",
        events: [{ type: "text.said", text }, { type: "message.ended" }],
        tellsTools: false,
      };
    }
    case "SessionEnd":
      return { type: "session.deleted" };
    default:
      return null;
  }
}
