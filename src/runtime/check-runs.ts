import { treeState } from "../adapters/git/tree-state.ts";
import type { Guardrail, LoopSpec } from "../core/loop/spec.ts";
import { commandsOf, plainCommand } from "../core/proof/methods/external.ts";
import type { External, Proof } from "../core/proof/proof.ts";
import { openRunCache, type RunCache } from "../verify/run-cache.ts";

/** The runs that checks and guardrails of one iteration may take over from each other; 0 is before any work. */
export type RunsOf = (iteration: number) => RunCache | undefined;

/** Every iteration begins with none. Outside a repository nobody can tell whether the tree is the same. */
export function checkRuns({ tracked, proof, guardrails }: LoopSpec, quit: AbortSignal): RunsOf {
  let current: { iteration: number; runs: RunCache } | undefined;
  return (iteration) => {
    if (!tracked) return undefined;
    if (current?.iteration !== iteration) {
      const stages = commandsOf(proof.stages).filter(({ cache }) => cache);
      // Before any work the guardrails do not run.
      const guards = iteration === 0 ? [] : guardrails.map((guardrail) => guardrailCheck(guardrail, proof));
      current = { iteration, runs: openRunCache([...guards, ...stages], (root) => treeState(root, quit)) };
    }
    return current.runs;
  };
}

/** A guardrail as a check. It is told of the task what the checks are told, so that one run can answer both. */
export const guardrailCheck = (guardrail: Guardrail, proof: Proof): External & { name: string } => ({
  ...plainCommand(guardrail.command),
  ...guardrail,
  env: taskVariables(proof),
});

/** Variables that all checks of the proof have alike. */
function taskVariables(proof: Proof): Record<string, string> {
  const [first, ...others] = commandsOf(proof.stages).map(({ env }) => env);
  return Object.fromEntries(
    Object.entries(first ?? {}).filter(
      ([name, value]) => name.startsWith("RALPH_") && others.every((env) => env[name] === value),
    ),
  );
}
