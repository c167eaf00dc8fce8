import type { AgentEvent, AgentStream, TurnFault, UsageScope } from "../../core/agent.ts";
import type { Usage } from "../../core/usage.ts";
import { isZero, type MessageWriter, messageWriter } from "./claude-message.ts";
import { failedTools } from "./failed-tool.ts";
import type { AgentError } from "./fault.ts";
import { asFields, asList, asText, countOf, inputSummary, type JsonFields, modelOf, parseFields } from "./json.ts";

/** The differences between agents that print Claude Code's line format. */
interface ClaudeDialect {
  tokens(usage: JsonFields): Usage;
  /** The usage in the result; null if only messages report usage. */
  resultUsage(result: JsonFields): { usage: Usage; of: UsageScope } | null;
  /** Whether a text printed as the assistant's is the CLI's own error message. */
  isErrorText?(text: string): boolean;
  faultFor(error: AgentError): TurnFault;
}

/** Claude Code's line format: one line per content block; blocks of a message share its id. Skips sub-agents' lines. */
export function claudeLines(dialect: ClaudeDialect): AgentStream {
  const message = messageWriter();
  const failures = failedTools();
  const inputs = new Map<string, string>();
  const deny = denialWriter(inputs);
  const assistant = assistantReader(dialect, message, inputs);
  let limitEndsMs: number | undefined;

  function system(line: JsonFields): AgentEvent[] {
    switch (line.subtype) {
      case "init":
        return sessionEvents(line);
      case "permission_denied":
        return deny(line, asText(line.message));
      case "api_retry":
        return [{ type: "turn.stalled", fault: dialect.faultFor(retriedError(line)) }];
      default:
        return [];
    }
  }

  function result(line: JsonFields): AgentEvent[] {
    const denials = asList(line.permission_denials).map(asFields);
    const reported = dialect.resultUsage(line);
    const succeeded = line.subtype === "success" && line.is_error === false;
    return [
      ...message.end(),
      ...denials.flatMap((denial) => deny(denial, inputSummary(denial.tool_input))),
      // A run that was cut off reports nothing; what its messages reported stands.
      ...(reported && !isZero(reported.usage) ? [{ type: "usage.reported", ...reported } as const] : []),
      succeeded
        ? { type: "turn.succeeded" }
        : { type: "turn.failed", fault: dialect.faultFor(errorOf(line, limitEndsMs)) },
    ];
  }

  return {
    line(text) {
      const line = parseFields(text);
      if (line.parent_tool_use_id) return [];
      const failed = failures(line);
      switch (line.type) {
        case "assistant":
          return assistant(asFields(line.message));
        case "user":
          return failed.length > 0 ? [...message.end(), ...failed] : [];
        case "stream_event":
          return message.partial(asFields(line.event));
        case "system":
          return system(line);
        case "rate_limit_event":
          limitEndsMs = rejectedUntil(asFields(line.rate_limit_info)) ?? limitEndsMs;
          return [];
        case "result":
          return result(line);
        default:
          return [];
      }
    },
  };
}

/** `inputs`: what tools were called with, by id, for their refusals. */
function assistantReader(
  dialect: ClaudeDialect,
  message: MessageWriter,
  inputs: Map<string, string>,
): (said: JsonFields) => AgentEvent[] {
  let counted: string | null = null;

  function blockEvents(block: JsonFields, id: string): AgentEvent[] {
    switch (block.type) {
      case "text": {
        const text = asText(block.text);
        return dialect.isErrorText?.(text) ? [] : message.block(id, text);
      }
      case "thinking":
        return [{ type: "thought.had", text: asText(block.thinking) }];
      case "tool_use": {
        const summary = inputSummary(block.input);
        remember(inputs, asText(block.id), summary);
        return [...message.end(), { type: "tool.called", name: asText(block.name), summary }];
      }
      default:
        return [];
    }
  }

  return ({ id: rawId, model, content, usage }) => {
    if (model === "<synthetic>") return [];
    const id = asText(rawId);
    const events = asList(content).flatMap((block) => blockEvents(asFields(block), id));
    const used = dialect.tokens(asFields(usage));
    // Every line of a message repeats its usage.
    if (isZero(used) || (id !== "" && id === counted)) return events;
    counted = id;
    return [...events, { type: "usage.reported", usage: used, of: "step" }];
  };
}

/** Reports each denied tool once: the stream contains it when it happens and again in the result. */
function denialWriter(inputs: ReadonlyMap<string, string>): (tool: JsonFields, detail: string) => AgentEvent[] {
  const reported = new Set<string>();
  return (tool, detail) => {
    const id = asText(tool.tool_use_id);
    if (reported.has(id)) return [];
    reported.add(id);
    const input = inputs.get(id) ?? inputSummary(tool.tool_input);
    return [{ type: "tool.denied", name: asText(tool.tool_name), detail, input }];
  };
}

const MOST_INPUTS = 200;

/** Keeps the latest ones: a refusal follows its call closely. */
function remember(inputs: Map<string, string>, id: string, summary: string): void {
  inputs.set(id, summary);
  if (inputs.size <= MOST_INPUTS) return;
  for (const [oldest] of inputs) {
    inputs.delete(oldest);
    return;
  }
}

/** The end of a usage limit that has stopped the run. Other notices only warn that it is near. */
const rejectedUntil = ({ status, resetsAt }: JsonFields): number | undefined =>
  status === "rejected" ? countOf(resetsAt) * 1_000 || undefined : undefined;

function retriedError({ error, error_status: status }: JsonFields): AgentError {
  const words = [asText(error), status === null ? "" : String(countOf(status))];
  return { message: words.filter((text) => text !== "").join(" "), status: countOf(status) };
}

function sessionEvents(line: JsonFields): AgentEvent[] {
  const sessionId = asText(line.session_id);
  return sessionId === "" ? [] : [{ type: "session.opened", sessionId, ...modelOf(line) }];
}

/** The CLI's own limits, which the user has set with its flags. */
const OWN_LIMITS = new Map<unknown, string>([
  ["error_max_turns", "its own turn limit:  "],
  ["error_max_budget_usd", "its own cost limit:  "],
]);

/** The error of a result. Its location differs between versions. */
function errorOf(line: JsonFields, retryAtMs: number | undefined): AgentError {
  const { subtype, result, error, errors } = line;
  const places = [...asList(errors), asFields(error).message, error, result, subtype];
  const said = places.map(asText).find((text) => text !== "") ?? "it failed without a reason";
  const status = countOf(line.api_error_status);
  return {
    message: `${OWN_LIMITS.get(subtype) ?? ""}${said}`,
    ...(status > 0 ? { status } : {}),
    ...(retryAtMs === undefined ? {} : { retryAtMs }),
  };
}
