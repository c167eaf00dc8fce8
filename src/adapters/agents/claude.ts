import { join } from "node:path";
import type { UsageScope } from "../../core/agent.ts";
import { addUsage, NO_USAGE, type Usage } from "../../core/usage.ts";
import { claudeLines } from "./claude-lines.ts";
import { modelTokens, tokensOf } from "./claude-message.ts";
import { FAILURE_MARKS } from "./failed-tool.ts";
import { asFields, countOf, type JsonFields } from "./json.ts";
import type { AgentKind } from "./kind.ts";
import { PERMISSIONS } from "./permissions.ts";

export const claude: AgentKind = {
  name: "claude",
  words: () => ["-p"],
  // It streams only with --verbose.
  stream: [{ names: ["--output-format"], value: "stream-json" }, { names: ["--verbose"] }],
  unreadable: ["json"],
  resume: {
    names: ["--resume", "-r", "--continue", "-c", "--session-id", "--from-pr"],
    after: (sessionId) => ["--resume", sessionId],
  },
  // After `--`, because a flag before may take several values and a prompt may start with a dash.
  promptArguments: (prompt) => ["--", prompt],
  ask: {
    add: [{ names: ["--tools"], value: "Read,Glob,Grep" }, { names: ["--strict-mcp-config"] }],
    drop: [
      "--dangerously-skip-permissions",
      "--allow-dangerously-skip-permissions",
      "--permission-mode",
      "--allowedTools",
      "--allowed-tools",
      "--tools",
      "--mcp-config",
    ],
  },
  model: { names: ["--model"], cheap: "haiku" },
  tools: {
    // `--tools` covers built-in tools only. Without a server's tool in the list, no MCP server is loaded;
    // `--mcp-config` must go too, because the strict mode would load its servers.
    allow: (names) => [
      { names: ["--tools"], value: names.filter((name) => !name.startsWith(MCP)).join(",") },
      ...(names.some((name) => name.startsWith(MCP)) ? [] : [{ names: ["--strict-mcp-config", "--mcp-config"] }]),
    ],
    deny: (names) => ({ names: ["--disallowedTools"], value: names.join(",") }),
  },
  open: (faultFor) => claudeLines({ tokens: tokensOf, resultUsage: resultMeter(), faultFor }),
  unheard: ['{"type":"user"'],
  heardWith: FAILURE_MARKS,
  complaint:
    /^(API Error: .+|Failed to authenticate\. .+|Claude (AI )?usage limit reached.*|You've (hit|reached) your .*limit.*|(5-hour|Session|(Opus |Sonnet )?[Ww]eekly) limit reached [∙·] resets .+|You're out of (extra )?usage.*|(Invalid API key|Invalid auth token|Not logged in|Authentication required) · .+|Prompt is too long.*|Credit balance is too low.*|No conversation found with session ID: .+)$/,
  login: "run `claude` and /login, or set ANTHROPIC_API_KEY",
  loginFile: ({ home, env }) => join(env.CLAUDE_CONFIG_DIR || join(home, ".claude"), ".credentials.json"),
  loginVariables: [
    "ANTHROPIC_API_KEY",
    "ANTHROPIC_AUTH_TOKEN",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
  ],
  npmPackage: "@anthropic-ai/claude-code",
  permissions: PERMISSIONS.claude,
  reportsCost: true,
};

const MCP = "mcp__";

/** A resumed session's totals include earlier runs: `since` is the run's, totals per model the session's. */
function resultMeter(): (result: JsonFields) => { usage: Usage; of: UsageScope } {
  let run = NO_USAGE;
  return (result) => {
    const { model_usage_since_last_result: since, modelUsage, usage, total_cost_usd: cost } = result;
    if (since !== undefined) {
      run = addUsage(run, modelTokens(asFields(since)));
      return { usage: run, of: "turn" };
    }
    if (modelUsage !== undefined) {
      return { usage: { ...modelTokens(asFields(modelUsage)), costUsd: countOf(cost) }, of: "session" };
    }
    return { usage: { ...tokensOf(asFields(usage)), costUsd: countOf(cost) }, of: "turn" };
  };
}
