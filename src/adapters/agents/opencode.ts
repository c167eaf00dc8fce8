import { join } from "node:path";
import type { AgentEvent, AgentStream, TurnFault } from "../../core/agent.ts";
import type { Usage } from "../../core/usage.ts";
import { failedTool } from "./failed-tool.ts";
import type { AgentError } from "./fault.ts";
import { asFields, asText, countOf, inputSummary, type JsonFields, parseFields } from "./json.ts";
import type { AgentKind } from "./kind.ts";
import { PERMISSIONS } from "./permissions.ts";

const FLAGS = JSON.stringify(PERMISSIONS.opencode.everything.flags);

/** OpenCode. The prompt goes to standard input, because an argument with spaces would reach the model in quotes. */
export const opencode: AgentKind = {
  name: "opencode",
  words: () => ["run"],
  stream: [{ names: ["--format"], value: "json" }],
  resume: { names: ["--session", "-s", "--continue", "-c"], after: (sessionId) => ["--session", sessionId] },
  promptArguments: (prompt) => ["--", prompt],
  ask: { add: [{ names: ["--agent"], value: "plan" }], drop: ["--agent", "--auto", "--dangerously-skip-permissions"] },
  // Models belong to providers, which the user chooses.
  model: { names: ["-m", "--model"], cheap: null },
  open: opencodeLines,
  complaint: /^Error: Session not found$/,
  lastLine: /^Error: .+$/,
  login: "run `opencode auth login`",
  loginFile: ({ data }) => join(data, "opencode", "auth.json"),
  loginVariables: ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"],
  npmPackage: "opencode-ai",
  permissions: PERMISSIONS.opencode,
  reportsCost: true,
};

/** There is no result event: a run has succeeded if its last step ended normally without an error. */
function opencodeLines(faultFor: (error: AgentError) => TurnFault): AgentStream {
  let session = "";
  let finished = "";
  let refused: { name: string; detail: string } | null = null;
  let failed = false;

  function tool(part: JsonFields): AgentEvent[] {
    const events = opencodeTool(part);
    for (const event of events) if (event.type === "tool.denied") refused = event;
    return events;
  }

  function step(part: JsonFields): AgentEvent[] {
    finished = asText(part.reason);
    return [{ type: "usage.reported", usage: opencodeUsage(part), of: "step" }];
  }

  function read(line: JsonFields): AgentEvent[] {
    const part = asFields(line.part);
    switch (line.type) {
      case "step_start":
        finished = "";
        return [];
      case "text":
        return [{ type: "text.said", text: asText(part.text) }, { type: "message.ended" }];
      case "reasoning":
        return [{ type: "thought.had", text: asText(part.text) }];
      case "tool_use":
        return tool(part);
      case "step_finish":
        return step(part);
      case "error":
        failed = true;
        return [{ type: "turn.failed", fault: faultFor(opencodeError(asFields(line.error))) }];
      default:
        return [];
    }
  }

  return {
    line(text) {
      const line = parseFields(text);
      const sessionId = asText(line.sessionID);
      const opened = sessionId !== "" && sessionId !== session;
      if (opened) session = sessionId;
      return [...(opened ? [{ type: "session.opened", sessionId } as const] : []), ...read(line)];
    },
    end() {
      if (failed) return [];
      if (finished === "stop") return [{ type: "turn.succeeded" }];
      if (!refused) return [];
      const detail = `it stopped when ${refused.name} was refused (${refused.detail}); allow it in .ralph/settings.json: "flags": ${FLAGS}, or "permission" in opencode.json`;
      return [{ type: "turn.failed", fault: { kind: "permission-denied", detail } }];
    },
  };
}

export function opencodeTool(part: JsonFields): AgentEvent[] {
  const { status, input, error, output, metadata } = asFields(part.state);
  const [name, detail] = [asText(part.tool), asText(error)];
  const summary = inputSummary(input);
  const call: AgentEvent = { type: "tool.called", name, summary };
  const { exit } = asFields(metadata);
  if (status === "completed" && typeof exit === "number" && exit !== 0)
    return [call, failedTool(name, asText(output), exit)];
  if (status !== "error") return [call];
  if (!/rejected permission|a rule which prevents you from using/.test(detail)) return [call, failedTool(name, detail)];
  return [call, { type: "tool.denied", name, detail, input: summary }];
}

/** OpenCode's own error, in a line or in a message. */
export function opencodeError({ name, data }: JsonFields): AgentError {
  const { message, statusCode, responseHeaders } = asFields(data);
  const after = asText(asFields(responseHeaders)["retry-after"]);
  const said = [asText(name), asText(message), after === "" ? "" : `retry-after: ${after}`];
  return {
    message: said.filter((text) => text !== "").join(": "),
    ...(countOf(statusCode) > 0 ? { status: countOf(statusCode) } : {}),
  };
}

export function opencodeUsage({ tokens, cost }: JsonFields): Usage {
  const { input, output, reasoning, cache } = asFields(tokens);
  const { read, write } = asFields(cache);
  return {
    inputTokens: countOf(input) + countOf(read) + countOf(write),
    cachedTokens: countOf(read),
    outputTokens: countOf(output) + countOf(reasoning),
    costUsd: countOf(cost),
  };
}
