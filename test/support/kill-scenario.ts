import { chmodSync } from "node:fs";
import type { Sandbox } from "./sandbox.ts";

export const ITERATIONS = 4;

/**
 * A loop with a piece of everything that a kill can hit: turns that write, a guardrail (red once), commits through a
 * slow hook, a check that passes only at the end, one session throughout, and a process that leaves its group.
 */
export function prepareLoop(box: Sandbox): string[] {
  box.initGit();
  box.write(".git/hooks/pre-commit", "#!/bin/sh\nsleep 0.3\n");
  chmodSync(box.path(".git/hooks/pre-commit"), 0o755);
  const settings = {
    agent: { command: "scripted", flags: [".ralph/scenario.yaml"] },
    context: "continue",
    guardrails: [{ command: "sleep 0.1; test ! -e broken" }],
    verify: [`sleep 0.1; test -e work-${ITERATIONS}`],
    scm: { tasks: ["commit"] },
  };
  box.write(".ralph/settings.json", JSON.stringify(settings));
  box.write(".ralph/scenario.yaml", JSON.stringify({ iterations: iterations() }));
  box.git("add", "--all");
  box.git("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "-m", "the task");
  return ["run", "--prompt", "Write all the files", "--json"];
}

const iterations = () =>
  Array.from({ length: ITERATIONS }, (_, i) => ({
    steps: [
      { append: { path: `prompts-${i + 1}`, content: "{{prompt}}\u0000" } },
      { append: { path: "sessions", content: "{{iteration}} {{session}}\n" } },
      { fork: "sleep 300" },
      { wait: "80ms" },
      i === 0 ? { write: { path: "broken", content: "x" } } : { run: "rm -f broken" },
      { write: { path: `work-${i + 1}`, content: "attempt {{attempt}}\n" } },
      { wait: "40ms" },
      { say: "All files are there.\n\n<promise>DONE</promise>" },
      { usage: { inputTokens: 100, outputTokens: 10, costUsd: 0.01 } },
    ],
  }));
