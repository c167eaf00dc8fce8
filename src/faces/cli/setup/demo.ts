import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { git } from "../../../adapters/git/repository.ts";
import { environment, temporaryFolder } from "../../../adapters/io/environment.ts";
import { excludeRalphFiles } from "../../../adapters/io/ralph-folder.ts";

/** A small repository with a bug, settings with a guardrail, and an agent that first lies, then fixes it. */
export async function prepareDemo() {
  const root = mkdtempSync(join(temporaryFolder(), "ralph-demo-"));
  const repository = join(root, "repo");
  const state = join(root, "state");
  for (const [name, content] of Object.entries(DEMO_FILES)) {
    const path = join(repository, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  await git(repository, "init", "--quiet", "--initial-branch=main");
  // Already now, because the demo is not about it.
  excludeRalphFiles(repository);
  await git(repository, "config", "user.name", "Ralph Demo");
  await git(repository, "config", "user.email", "demo@example.invalid");
  await git(repository, "add", "--all");
  await git(repository, "commit", "--quiet", "-m", "A clamp function with a bug");
  environment().RALPH_STATE_DIR = state;
  return { repository: realpathSync(repository), state, prompt: DEMO_PROMPT };
}

const DEMO_PROMPT = "Fix clamp() so that check.mjs passes.\n\nLeave no debugger statement behind.";

const CLAMP = `// Keeps a number between two bounds.
export function clamp(value, low, high) {
  return Math.min(low, Math.max(high, value));
}
`;

const CHECK = `import assert from "node:assert/strict";
import { clamp } from "./clamp.mjs";

assert.equal(clamp(5, 0, 10), 5, "inside stays");
assert.equal(clamp(-3, 0, 10), 0, "below becomes the lower bound");
assert.equal(clamp(42, 0, 10), 10, "above becomes the upper bound");
console.log("3 checks pass");
`;

const SETTINGS = {
  agent: { command: "scripted", flags: [".ralph/scenario.yaml"] },
  verify: ["node check.mjs"],
  guardrails: [{ command: "! grep -n debugger clamp.mjs" }],
  completion: { scope: ["clamp.mjs"] },
  scm: { tasks: ["commit"] },
};

const SCENARIO = `# What the scripted agent does, iteration by iteration; the answer is its commit message.
answer: Fix the bounds of clamp
iterations:
  - steps:
      - say: I looked at clamp.mjs and it seems fine to me.
      - wait: 300ms
      - say: |
          All checks pass.
          <promise>DONE</promise>
      - usage: { inputTokens: 1200, outputTokens: 80, costUsd: 0.01 }
  - steps:
      - say: The bounds are swapped. Let me fix that, and look inside while I am at it.
      - replace:
          path: clamp.mjs
          old: Math.min(low, Math.max(high, value))
          new: Math.min(high, Math.max(low, value))
      - replace: { path: clamp.mjs, old: "  return", new: "  debugger;\\n  return" }
      - wait: 300ms
      - say: |
          Fixed.
          <promise>DONE</promise>
      - usage: { inputTokens: 2100, outputTokens: 240, costUsd: 0.02 }
  - steps:
      - say: Right, the debugger statement must go.
      - replace: { path: clamp.mjs, old: "  debugger;\\n", new: "" }
      - run: node check.mjs
      - wait: 300ms
      - say: |
          clamp() is fixed and the check passes.
          <promise>DONE</promise>
      - usage: { inputTokens: 1900, outputTokens: 120, costUsd: 0.02 }
`;

const DEMO_FILES: Readonly<Record<string, string>> = {
  "clamp.mjs": CLAMP,
  "check.mjs": CHECK,
  ".ralph/settings.json": `${JSON.stringify(SETTINGS, null, 2)}\n`,
  ".ralph/scenario.yaml": SCENARIO,
};
