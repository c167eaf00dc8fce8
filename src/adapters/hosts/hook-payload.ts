import type { HostEvent, HostReport, HostSession, KnownHost } from "../../core/host.ts";
import { asFields, asText, type JsonFields } from "../agents/json.ts";
import { typedCommand } from "./command-line.ts";

/** The session that a payload is about; null where it names none. */
function sessionOf(host: KnownHost, payload: JsonFields): HostSession | null {
  const [id, cwd] = [asText(payload.session_id), asText(payload.cwd)];
  return id === "" || cwd === "" ? null : { host, id, cwd };
}

/** What the payloads that Claude Code and Codex have in common tell. `turnKey` names what tells one prompt from another. */
export function readHook(
  payload: unknown,
  { host, marks, turnKey }: { host: KnownHost; marks: readonly string[]; turnKey: string },
): HostReport | null {
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
