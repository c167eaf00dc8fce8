import { join } from "node:path";
import type { AgentEvent, AgentStream, TurnFault } from "../../core/agent.ts";
import { failedTool } from "./failed-tool.ts";
import type { AgentError } from "./fault.ts";
import { asFields, asText, countOf, inputSummary, type JsonFields, modelOf, parseFields } from "./json.ts";
import type { AgentKind } from "./kind.ts";
import { PERMISSIONS } from "./permissions.ts";

/** The command line of Gemini CLI and of its fork, Qwen Code. */
export const geminiCommandLine = {
  words: () => [],
  stream: [{ names: ["--output-format", "-o"], value: "stream-json" }],
  unreadable: ["json"],
  promptArguments: (prompt) => [`--prompt=${prompt}`],
  ask: {
    add: [{ names: ["--approval-mode"], value: "plan" }],
    drop: ["--yolo", "-y", "--approval-mode", "--allowed-tools"],
  },
} satisfies Partial<AgentKind>;

export const gemini: AgentKind = {
  ...geminiCommandLine,
  name: "gemini",
  resume: {
    names: ["--resume", "-r", "--session-id", "--session-file"],
    after: (sessionId) => ["--resume", sessionId],
  },
  model: { names: ["-m", "--model"], cheap: "flash" },
  apart: { GEMINI_CLI_TRUST_WORKSPACE: "true" },
  open: geminiLines,
  complaint:
    /^(Attempt \d+ failed( with status \d+\. Retrying with backoff\.\.\.|: .+ Retrying after ).*|Error when talking to Gemini API .+|\[API Error: .+\]|Error resuming session: .+|Please set an Auth method .+|Invalid auth method selected\.|Gemini CLI is not running in a trusted directory\..*|Reached max session turns.*)$/,
  login: "run `gemini` and sign in, or set GEMINI_API_KEY",
  loginFile: ({ home }) => join(home, ".gemini", "oauth_creds.json"),
  loginVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY", "GOOGLE_GENAI_USE_VERTEXAI", "GOOGLE_GENAI_USE_GCA"],
  npmPackage: "@google/gemini-cli",
  permissions: PERMISSIONS.gemini,
  reportsCost: false,
};

function geminiLines(faultFor: (error: AgentError) => TurnFault): AgentStream {
  const tools = new Map<string, { name: string; input: string }>();
  let speaking = false;
  const endMessage = (): AgentEvent[] => {
    const events: AgentEvent[] = speaking ? [{ type: "message.ended" }] : [];
    speaking = false;
    return events;
  };

  /** Messages arrive in fragments; the prompt is echoed as the user's message. */
  function message({ role, content, delta }: JsonFields): AgentEvent[] {
    if (role !== "assistant") return [];
    const before = delta === true ? [] : endMessage();
    speaking = true;
    const said: AgentEvent = { type: "text.said", text: asText(content) };
    return [...before, said, ...(delta === true ? [] : endMessage())];
  }

  function toolResult({ status, error, output, tool_id: id }: JsonFields): AgentEvent[] {
    const detail = asText(asFields(error).message);
    const { name, input } = tools.get(asText(id)) ?? { name: "a tool", input: "" };
    tools.delete(asText(id));
    if (status !== "error") return [];
    if (!/requires user confirmation/.test(detail)) return [failedTool(name, detail || asText(output))];
    return [{ type: "tool.denied", name, detail, input }];
  }

  function result({ status, stats, error }: JsonFields): AgentEvent[] {
    const { type, message: words } = asFields(error);
    const succeeded = status === "success";
    const said = [type, words].map(asText).filter((text) => text !== "" && text !== "unknown");
    const fault = faultFor({ message: said.join(": ") || "it failed without a reason" });
    return [
      ...endMessage(),
      ...usageEvents(asFields(stats)),
      succeeded ? { type: "turn.succeeded" } : { type: "turn.failed", fault },
    ];
  }

  return {
    line(text) {
      const line = parseFields(text);
      switch (line.type) {
        case "init":
          return [{ type: "session.opened", sessionId: asText(line.session_id), ...modelOf(line) }];
        case "message":
          return message(line);
        case "tool_use": {
          const name = asText(line.tool_name);
          const input = inputSummary(line.parameters);
          tools.set(asText(line.tool_id), { name, input });
          return [...endMessage(), { type: "tool.called", name, summary: input }];
        }
        case "tool_result":
          return toolResult(line);
        case "result":
          return result(line);
        default:
          return [];
      }
    },
  };
}

/** Input tokens include cached ones. The rest of the total is thinking, which is billed as output. */
function usageEvents(stats: JsonFields): AgentEvent[] {
  const inputTokens = countOf(stats.input_tokens);
  const outputTokens = Math.max(countOf(stats.output_tokens), countOf(stats.total_tokens) - inputTokens);
  if (inputTokens + outputTokens === 0) return [];
  const usage = { inputTokens, cachedTokens: countOf(stats.cached), outputTokens, costUsd: 0 };
  return [{ type: "usage.reported", usage, of: "turn" }];
}
