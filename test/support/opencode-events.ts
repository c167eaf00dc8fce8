import { readFileSync } from "node:fs";

const FOLDER = new URL("../fixtures/host-events/opencode/", import.meta.url);

interface Recorded {
  type: string;
  properties: {
    sessionID: string;
    info?: { id: string; role?: string; parentID?: string; sessionID?: string };
    part?: { id: string; messageID: string; type: string; text?: string };
  };
}

/** A message in the form of OpenCode's API. */
export interface OpencodeMessage {
  info: { id: string; role?: string };
  parts: { id: string; type: string; text?: string }[];
}

/**
 * The events of a recorded turn. `session` replaces the recorded one, `says` its last text, and every id ends in
 * `mark`, so that a recording can be played again.
 */
export function recordedEvents(name: string, as: { session?: string; says?: string; mark?: string } = {}): Recorded[] {
  let text = readFileSync(new URL(`${name}.jsonl`, FOLDER), "utf8");
  const [first] = text.match(/ses_\w+/) ?? [""];
  if (as.session) text = text.replaceAll(first, as.session);
  if (as.mark) text = text.replaceAll(/\b(msg|prt)_\w+/g, `$&${as.mark}`);
  const events = text
    .trim()
    .split("\n")
    .map((line): Recorded => JSON.parse(line));
  const last = events.findLast(({ properties: { part } }) => part?.type === "text")?.properties.part;
  for (const { properties } of events)
    if (as.says && last && properties.part?.id === last.id) properties.part.text = as.says;
  return events;
}

/** The API's view of its sessions while the events arrive: they are folded one by one. */
export function openMessages() {
  const sessions = new Map<string, OpencodeMessage[]>();
  const of = (session: string) => {
    const messages = sessions.get(session) ?? [];
    sessions.set(session, messages);
    return messages;
  };
  return {
    of,
    fold({ type, properties: { sessionID, info, part } }: Recorded) {
      const messages = of(sessionID);
      const at = (id: string) => messages.find((message) => message.info.id === id);
      if (type === "message.updated" && info) {
        const known = at(info.id);
        if (known) known.info = info;
        else messages.push({ info, parts: [] });
      }
      if (type === "message.part.updated" && part) {
        const parts = at(part.messageID)?.parts ?? [];
        const known = parts.findIndex(({ id }) => id === part.id);
        if (known < 0) parts.push(part);
        else parts[known] = part;
      }
    },
  };
}

/** The messages of the recorded turn's session after event number `until`. */
export function recordedMessages(name: string, until = Number.POSITIVE_INFINITY): OpencodeMessage[] {
  const events = recordedEvents(name);
  const messages = openMessages();
  for (const event of events.slice(0, until)) messages.fold(event);
  return messages.of(events[0]?.properties.sessionID ?? "");
}
