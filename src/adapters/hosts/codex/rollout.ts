import type { Usage } from "../../../core/usage.ts";
import { countOf, type Fields, fieldsOf, parseFields, summaryOf, textOf } from "../../agents/json.ts";
import { eachLine } from "../../io/file-lines.ts";
import { type SessionRecord, toolList } from "../session-record.ts";

/** The lines that are read: calls, prompts, totals and the model. */
const HEARD = ['_call"', '"role":"user"', '"token_count"', '"turn_context"'];

/** Reads what Codex has recorded of a session; null where there is nothing, or no answer in it. */
export function readRollout(path: string): SessionRecord | null {
  const tools = toolList();
  let [usage, model]: [Usage | null, string | null] = [null, null];
  const hear = ({ type, payload: raw }: Fields) => {
    const payload = fieldsOf(raw);
    if (type === "turn_context") model = textOf(payload.model) || model;
    if (type === "event_msg" && payload.type === "token_count") usage = totalOf(payload) ?? usage;
    if (type !== "response_item") return;
    if (payload.role === "user") tools.clear();
    else if (textOf(payload.type).endsWith("_call")) tools.add(nameOf(payload), inputOf(payload));
  };
  const isRead = eachLine(path, (line) => {
    if (HEARD.some((mark) => line.includes(mark))) hear(parseFields(line.toString("utf8")));
  });
  return isRead && usage ? { usage, model, tools: tools.calls() } : null;
}

const nameOf = (call: Fields): string => textOf(call.name) || textOf(call.type);

/** A function's arguments are JSON in a text; a shell's are in the call itself. */
function inputOf({ arguments: text, input, action }: Fields): string {
  const given = parseFields(textOf(text));
  const { cmd } = given;
  return textOf(cmd) || summaryOf(text === undefined ? (input ?? action) : given);
}

/** Its input tokens include the cached ones. */
function totalOf(payload: Fields): Usage | null {
  const { total_token_usage: total } = fieldsOf(payload.info);
  if (total === undefined) return null;
  const tokens = fieldsOf(total);
  return {
    inputTokens: countOf(tokens.input_tokens),
    cachedTokens: countOf(tokens.cached_input_tokens),
    outputTokens: countOf(tokens.output_tokens),
    costUsd: 0,
  };
}
