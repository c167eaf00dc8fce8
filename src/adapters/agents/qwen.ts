import { join } from "node:path";
import type { Usage } from "../../core/usage.ts";
import { claudeLines } from "./claude-lines.ts";
import { FAILURE_MARKS } from "./failed-tool.ts";
import { geminiCommandLine } from "./gemini.ts";
import { asFields, countOf, type JsonFields } from "./json.ts";
import type { AgentKind } from "./kind.ts";
import { PERMISSIONS } from "./permissions.ts";

/** Input tokens include those read from the cache. */
const tokensOf = (usage: JsonFields): Usage => ({
  inputTokens: countOf(usage.input_tokens),
  cachedTokens: countOf(usage.cache_read_input_tokens),
  outputTokens: countOf(usage.output_tokens),
  costUsd: 0,
});

const isErrorText = (text: string): boolean => /^\[API Error: .*\]$/s.test(text.trim());

/** Qwen Code: Gemini's command line, Claude's line format, without cost; usage is the session's total. */
export const qwen: AgentKind = {
  ...geminiCommandLine,
  name: "qwen",
  resume: {
    names: ["--resume", "-r", "--continue", "-c", "--session-id"],
    after: (sessionId) => ["--resume", sessionId],
  },
  model: { names: ["-m", "--model"], cheap: null },
  open: (faultFor) =>
    claudeLines({
      tokens: tokensOf,
      resultUsage: (result) => ({ usage: tokensOf(asFields(result.usage)), of: "session" }),
      isErrorText,
      faultFor,
    }),
  unheard: ['{"type":"user"'],
  heardWith: [...FAILURE_MARKS, "\\nExit Code: "],
  complaint:
    /^(\[API Error: .+\]|Retrying in \d+s \(attempt \d+\/\d+\): \[API Error: .+\]|No saved session found with .+|Reached max session turns.*|No auth type is selected\..*)$/,
  login: "run `qwen` and /auth, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL",
  loginFile: ({ home }) => join(home, ".qwen", "oauth_creds.json"),
  loginVariables: ["OPENAI_API_KEY", "DASHSCOPE_API_KEY"],
  npmPackage: "@qwen-code/qwen-code",
  permissions: PERMISSIONS.qwen,
  reportsCost: false,
};
