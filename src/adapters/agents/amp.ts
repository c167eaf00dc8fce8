import { join } from "node:path";
import { claudeLines } from "./claude-lines.ts";
import { tokensOf } from "./claude-message.ts";
import { FAILURE_MARKS } from "./failed-tool.ts";
import type { AgentKind } from "./kind.ts";
import { PERMISSIONS } from "./permissions.ts";

/** Amp: Claude's line format; usage is reported per message only. */
export const amp: AgentKind = {
  name: "amp",
  words: (prompt) => (prompt === "argument" ? [] : ["-x"]),
  stream: [{ names: ["--stream-json", "--stream-json-thinking"] }],
  resume: { names: ["threads"], before: (sessionId) => ["threads", "continue", sessionId] },
  promptArguments: (prompt) => [`--execute=${prompt}`],
  // It has no read-only mode: only the prompt asks it not to change anything.
  ask: { add: [], drop: ["--dangerously-allow-all"] },
  // It chooses the model itself.
  model: null,
  open: (faultFor) => claudeLines({ tokens: tokensOf, resultUsage: () => null, faultFor }),
  unheard: ['{"type":"user"'],
  heardWith: FAILURE_MARKS,
  complaint:
    /^(Error: (API request for \w+ failed: .+|Invalid thread URL or ID: .+|Unexpected error inside Amp CLI\.)|No API key found\..*|Login failed: .+)$/,
  login: "run `amp login`, or set AMP_API_KEY",
  loginFile: ({ data }) => join(data, "amp", "secrets.json"),
  loginVariables: ["AMP_API_KEY"],
  npmPackage: "@ampcode/cli",
  permissions: PERMISSIONS.amp,
  reportsCost: false,
};
