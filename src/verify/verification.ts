import { treeState } from "../adapters/git/tree-state.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import { commandsOf } from "../core/proof/methods/external.ts";
import { iterationValues, variableEnvironment } from "../core/workflow/environment.ts";
import type { EnginePorts } from "../engine/ports.ts";
import type { CheckSetting } from "./command/check.ts";
import { guardrailCheck, runGuardrails } from "./command/guardrails.ts";
import { openRunCache, type RunCache } from "./command/run-cache.ts";
import { judge } from "./judge-claim.ts";
import { provenReceipt } from "./receipts/make.ts";
import { takeBaseline } from "./take-baseline.ts";
import { blobsOf, type VerifiedLoop } from "./verification-context.ts";

export function openVerification(
  loop: VerifiedLoop,
): Pick<EnginePorts, "takeBaseline" | "runGuards" | "judge" | "makeReceipt"> {
  const { spec } = loop;
  const settingOf = settings(loop);
  return {
    takeBaseline: () => takeBaseline({ ...loop, setting: settingOf(0) }),
    runGuards: (n) =>
      runGuardrails({
        ...loop,
        n,
        setting: settingOf(n),
        // A task's worktree belongs to the agents: Ralph writes nothing there except the checked-out files.
        logs: spec.part ? blobsOf(loop) : null,
      }),
    judge: (state) => judge({ ...loop, setting: settingOf(state.n) }, state),
    makeReceipt: (pending) => provenReceipt(loop, pending),
  };
}

function settings({
  loop,
  spec,
  stops,
  watchdog,
  services,
  processToken,
}: VerifiedLoop): (iteration: number) => CheckSetting {
  const shared = {
    cwd: spec.cwd,
    token: `${loop}/${processToken}/check`,
    graceMs: spec.patience.graceMs,
    stops,
    watchdog,
    services,
    excerptChars: spec.outputTruncateChars,
    missingOk: spec.proof.missingOk,
  };
  const runs = sharedRuns(spec, stops.soft);
  return (iteration) => {
    const env = { RALPH_LOOP: loop, ...commandVariables(spec, iteration) };
    const known = runs(iteration);
    return { ...shared, env, ...(known ? { runs: known } : {}) };
  };
}

const commandVariables = ({ prompt, limits }: LoopSpec, iteration: number): Record<string, string> =>
  "template" in prompt ? variableEnvironment({ ...iterationValues(limits, iteration), ...prompt.values }) : {};

/**
 * Runs shared by checks and guardrails of one iteration. Outside a repository the tree is never known to be the same.
 */
function sharedRuns({ tracked, proof, guardrails }: LoopSpec, quit: AbortSignal) {
  let current: { iteration: number; runs: RunCache } | undefined;
  return (iteration: number): RunCache | undefined => {
    if (!tracked) return undefined;
    if (current?.iteration !== iteration) {
      const stages = commandsOf(proof.stages).filter(({ cache }) => cache);
      // Guardrails do not run before any work.
      const guards = iteration === 0 ? [] : guardrails.map((guardrail) => guardrailCheck(guardrail, proof));
      current = { iteration, runs: openRunCache([...guards, ...stages], (root) => treeState(root, quit)) };
    }
    return current.runs;
  };
}
