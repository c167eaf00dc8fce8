import type { Usage } from "../../../core/usage.ts";
import { asFields, asText, countOf, inputSummary, type JsonFields, parseFields } from "../../agents/json.ts";
import { eachLine } from "../../io/file-lines.ts";
import { type SessionRecord, toolList } from "../session-record.ts";

const HEARD = ['_call"', '"role":"user"', '"token_count"', '"turn_context"'];

/** Reads what Codex has recorded of a session; null if there is nothing or no answer. */
export function readRollout(path: string): SessionRecord | null {
  const tools = toolList();
  let [usage, model]: [Usage | null, string | null] = [null, null];
  const hear = ({ type, payload: raw }: JsonFields) => {
    const payload = asFields(raw);
    if (type === "turn_context") model = asText(payload.model) || model;
    if (type === "event_msg" && payload.type === "token_count") usage = totalOf(payload) ?? usage;
    if (type !== "response_item") return;
    if (payload.role === "user") tools.clear();
    else if (asText(payload.type).endsWith("_call")) tools.add(nameOf(payload), inputOf(payload));
  };
  const isRead = eachLine(path, (line) => {
    if (HEARD.some((mark) => line.includes(mark))) hear(parseFields(line.toString("utf8")));
  });
  return isRead && usage ? { usage, model, tools: tools.calls() } : null;
}

const nameOf = (call: JsonFields): string => asText(call.name) || asText(call.type);

/** A function's arguments are JSON text; a shell's are in the call itself. */
function inputOf({ arguments: text, input, action }: JsonFields): string {
  const given = parseFields(asText(text));
  const { cmd } = given;
  return asText(cmd) || inputSummary(text === undefined ? (input ?? action) : given);
}

/** Its input tokens include the cached ones. */
function totalOf(payload: JsonFields): Usage | null {
  const { total_token_usage: total } = asFields(payload.info);
  if (total === undefined) return null;
  const tokens = asFields(total);
  return {
    inputTokens: countOf(tokens.input_tokens),
    cachedTokens: countOf(tokens.cached_input_tokens),
    outputTokens: countOf(tokens.output_tokens),
    costUsd: 0,
  };
}
