import { join } from "node:path";
import type { AgentEvent, AgentStream, TurnFault } from "../../core/agent.ts";
import { failedTool } from "./failed-tool.ts";
import type { AgentError } from "./fault.ts";
import { asFields, asList, asText, countOf, inputSummary, type JsonFields, parseFields } from "./json.ts";
import type { AgentKind } from "./kind.ts";
import { PERMISSIONS } from "./permissions.ts";

export const codex: AgentKind = {
  name: "codex",
  words: () => ["e"],
  stream: [{ names: ["--json", "--experimental-json"] }],
  // Required outside a git repository; no effect inside one.
  always: [{ names: ["--skip-git-repo-check"] }],
  resume: {
    names: ["resume"],
    after: (sessionId, prompt) => ["resume", sessionId, ...(prompt === "stdin" ? ["-"] : [])],
  },
  promptArguments: (prompt) => ["--", prompt],
  ask: {
    add: [{ names: ["-s", "--sandbox"], value: "read-only" }],
    drop: [
      "--dangerously-bypass-approvals-and-sandbox",
      "--yolo",
      "--full-auto",
      "--approve-for-me",
      "--sandbox",
      "-s",
      "--ask-for-approval",
      "-a",
    ],
  },
  // Model names contain versions, and the account determines which are available.
  model: { names: ["-m", "--model"], cheap: null },
  open: codexLines,
  complaint:
    /^(ERROR: (Reconnecting\.\.\. waiting for network|You've hit your usage limit.*|exceeded retry limit, last status: .+|unexpected status \d{3} .+|stream disconnected before completion: .+|We.re currently experiencing high demand.*|Selected model is at capacity.*|Quota exceeded\..*|Your access token could not be refreshed.*|Codex ran out of room .+|Connection failed: .+)|Error: thread\/resume: .+|Not logged in.*|(ERROR|Error): Missing environment variable: .+)$/,
  echoes: true,
  login: "run `codex login`, or set OPENAI_API_KEY",
  loginFile: ({ home, env }) => join(env.CODEX_HOME || join(home, ".codex"), "auth.json"),
  loginVariables: ["OPENAI_API_KEY", "CODEX_API_KEY"],
  npmPackage: "@openai/codex",
  permissions: PERMISSIONS.codex,
  // Its sandbox reports a refused edit only in its log.
  refusalIn(line) {
    const detail = /^\S+\s+ERROR codex_core\S*: error=(.*rejected by user approval settings.*)$/.exec(line)?.[1];
    return detail === undefined ? null : { name: detail.startsWith("patch") ? "edit" : "shell", detail };
  },
  reportsCost: false,
};

const NO_TOOLS = new Set(["agent_message", "reasoning", "error", "todo_list"]);

function codexLines(faultFor: (error: AgentError) => TurnFault): AgentStream {
  const called = new Set<string>();
  let lastError: AgentError | null = null;
  let decided = false;

  function item(item: JsonFields, completed: boolean): AgentEvent[] {
    const type = asText(item.type);
    if (completed && type === "agent_message") {
      return [{ type: "text.said", text: asText(item.text) }, { type: "message.ended" }];
    }
    if (completed && type === "reasoning") return [{ type: "thought.had", text: asText(item.text) }];
    if (NO_TOOLS.has(type) || type === "") return [];
    const trouble = troubleOf(item);
    const id = asText(item.id);
    // Some tools are reported only when they have finished.
    const isReported = called.has(id);
    if (completed) called.delete(id);
    else called.add(id);
    return isReported ? trouble : [callOf(item), ...trouble];
  }

  function failed(error: AgentError): AgentEvent[] {
    decided = true;
    return [{ type: "turn.failed", fault: faultFor(error) }];
  }

  return {
    line(text) {
      const line = parseFields(text);
      switch (line.type) {
        case "thread.started":
          return [{ type: "session.opened", sessionId: asText(line.thread_id) }];
        case "item.started":
        case "item.completed":
          return item(asFields(line.item), line.type === "item.completed");
        case "turn.completed":
          decided = true;
          return [usageEvent(asFields(line.usage)), { type: "turn.succeeded" }];
        case "turn.failed":
          return failed({
            message: asText(asFields(line.error).message) || lastError?.message || "the turn failed",
          });
        case "error": {
          lastError = { message: asText(line.message) };
          const triesAgain = lastError.message.startsWith("Reconnecting");
          return triesAgain ? [{ type: "turn.stalled", fault: faultFor(lastError) }] : [];
        }
        default:
          return [];
      }
    },
    end: () => (decided || lastError === null ? [] : failed(lastError)),
  };
}

function callOf(item: JsonFields): AgentEvent {
  const type = asText(item.type);
  switch (type) {
    case "command_execution":
      return { type: "tool.called", name: "shell", summary: bareCommand(inputSummary(item)) };
    case "file_change": {
      const changes = asList(item.changes).map(asFields);
      const summary = changes.map(({ kind, path }) => `${asText(kind)} ${asText(path)}`).join(", ");
      return { type: "tool.called", name: "edit", summary };
    }
    case "mcp_tool_call":
      return {
        type: "tool.called",
        name: `${asText(item.server)}.${asText(item.tool)}`,
        summary: inputSummary(item.arguments),
      };
    default:
      return { type: "tool.called", name: type, summary: inputSummary(item) };
  }
}

/** A tool that was declined; a command that exited with another code than 0, or anything else that failed. */
function troubleOf(item: JsonFields): AgentEvent[] {
  if (item.status === "declined") return [denialOf(item)];
  const code = typeof item.exit_code === "number" ? item.exit_code : null;
  if (item.status !== "failed" && (code === null || code === 0)) return [];
  const call = callOf(item);
  const output = asText(item.aggregated_output) || asText(asFields(item.error).message);
  return [failedTool(call.type === "tool.called" ? call.name : "", output, code)];
}

/** The command without the shell that runs it: `/bin/bash -lc 'npm test'`. */
const bareCommand = (command: string): string =>
  /^\/\S*\/(?:ba|z)?sh -l?c (['"])(.*)\1$/s.exec(command)?.[2] ?? command;

const denialOf = (item: JsonFields): AgentEvent => {
  const call = callOf(item);
  const { name, summary } = call.type === "tool.called" ? call : { name: "", summary: "" };
  return { type: "tool.denied", name, detail: summary, input: summary };
};

/** Totals are per thread; input tokens include cached ones. */
const usageEvent = (usage: JsonFields): AgentEvent => ({
  type: "usage.reported",
  usage: {
    inputTokens: countOf(usage.input_tokens),
    cachedTokens: countOf(usage.cached_input_tokens),
    outputTokens: countOf(usage.output_tokens),
    costUsd: 0,
  },
  of: "session",
});
