import type { HostEvent, HostSession, KnownHost, Told } from "../../core/host.ts";
import { type Fields, fieldsOf, textOf } from "../agents/json.ts";
import { typedCommand } from "./command-line.ts";

/** The session that a payload is about; null where it names none. */
export function sessionOf(host: KnownHost, payload: Fields): HostSession | null {
  const [id, cwd] = [textOf(payload.session_id), textOf(payload.cwd)];
  return id === "" || cwd === "" ? null : { host, id, cwd };
}

/** What the payloads that Claude Code and Codex have in common tell. `turnKey` names what tells one prompt from another. */
export function readHook(
  payload: unknown,
  { host, marks, turnKey }: { host: KnownHost; marks: readonly string[]; turnKey: string },
): Told | null {
  const fields = fieldsOf(payload);
  const session = sessionOf(host, fields);
  const event = eventOf(fields, marks);
  if (!session || !event) return null;
  const once = textOf(fields[turnKey]);
  return { session, event, ...(once === "" ? {} : { once }) };
}

function eventOf(fields: Fields, marks: readonly string[]): HostEvent | null {
  switch (fields.hook_event_name) {
    case "UserPromptSubmit": {
      const typed = typedCommand(textOf(fields.prompt), marks);
      return typed && { type: "command.typed", ...typed };
    }
    case "Stop": {
      const text = textOf(fields.last_assistant_message);
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
