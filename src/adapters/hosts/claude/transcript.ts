import { addUsage, NO_USAGE, type Usage } from "../../../core/usage.ts";
import { tokensOf } from "../../agents/claude-message.ts";
import { asFields, asList, asText, inputSummary, type JsonFields, parseFields } from "../../agents/json.ts";
import { eachLine } from "../../io/file-lines.ts";
import { type SessionRecord, toolList } from "../session-record.ts";

/** What Claude Code has recorded about a session. */
export interface ClaudeRecord extends SessionRecord {
  /** How often in a row the agent was prevented from stopping without a tool call. */
  blocks: number;
  lastText: string;
}

/** Most of a transcript is tool output and prompts: only these lines matter. */
const HEARD = ['"type":"assistant"', '"type":"user"', '"subtype":"stop_hook_summary"'];
const UNHEARD = '"type":"tool_result"';

/** Reads a transcript; null if there is none or it has no answer. */
export function readTranscript(path: string): ClaudeRecord | null {
  const reading = openReading();
  const isRead = eachLine(path, (line) => {
    if (line.includes(UNHEARD) || !HEARD.some((mark) => line.includes(mark))) return;
    reading.hear(parseFields(line.toString("utf8")));
  });
  return isRead ? reading.record() : null;
}

function openReading() {
  const tools = toolList();
  const usage = messageUsage();
  let [model, lastText, blocks]: [string | null, string, number] = [null, "", 0];

  const answered = (message: JsonFields, isAside: boolean) => {
    usage.add(asText(message.id), tokensOf(asFields(message.usage)));
    if (isAside) return;
    model = asText(message.model) || model;
    for (const part of asList(message.content).map(asFields)) {
      if (part.type === "text") lastText = asText(part.text);
      if (part.type !== "tool_use") continue;
      tools.add(asText(part.name), inputSummary(part.input));
      blocks = 0;
    }
  };
  return {
    hear(line: JsonFields) {
      const isAside = line.isSidechain === true;
      const message = asFields(line.message);
      if (line.type === "assistant") answered(message, isAside);
      else if (line.type === "user" && !isAside && !isNotification(message)) tools.clear();
      else if (line.subtype === "stop_hook_summary" && asList(line.hookErrors).length > 0) blocks++;
    },
    record: (): ClaudeRecord | null => {
      const total = usage.total();
      return total && { usage: total, model, tools: tools.calls(), blocks, lastText };
    },
  };
}

/** The result of a background task is not a new prompt. */
const isNotification = ({ content }: JsonFields): boolean => asText(content).startsWith("<task-notification>");

/** Each block of a message has its own line with the cost of the whole message; these lines are close together. */
const MESSAGES_KEPT = 64;

function messageUsage() {
  const latest = new Map<string, Usage>();
  let settled: Usage | null = null;
  return {
    add(id: string, usage: Usage) {
      latest.set(id, usage);
      for (const [oldest, spent] of latest) {
        if (latest.size <= MESSAGES_KEPT) break;
        settled = addUsage(settled ?? NO_USAGE, spent);
        latest.delete(oldest);
      }
    },
    /** Null if there was no message. */
    total: (): Usage | null => (latest.size === 0 ? null : [...latest.values()].reduce(addUsage, settled ?? NO_USAGE)),
  };
}
