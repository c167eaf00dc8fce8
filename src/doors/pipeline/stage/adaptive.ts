import { historiesOf, LEAST_SAMPLES } from "../../../core/history.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import { isLevel } from "../../../core/proof/level.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import { type AgentRole, ROLES } from "../../../core/task/role.ts";
import type { ProvenTask } from "./proof.ts";

/** A suggested maximum number of iterations based on past loops of the stage, and its reason. */
export interface Suggestion {
  maxIterations: number;
  why: string;
}

const LEAST = 2;
const MOST_TIMES = 2;

/** Whether the settings are adaptive and set no maximum for this stage. */
export function isAdaptive(
  task: Pick<ProvenTask, "completionSpec">,
  place: AgentRole,
  { ralph = {} }: Settings,
): boolean {
  const named = task.completionSpec?.[place]?.max_iterations ?? ralph[place]?.max_iterations;
  const isLoop = (ralph.enabled ?? true) && (ralph[place]?.enabled ?? true);
  return (ralph.adaptive ?? false) && isLoop && named === undefined;
}

/** Null if too few loops of the stage were completed. */
export function suggestion(
  place: AgentRole,
  past: readonly Pick<LoopSummary, "part" | "reason" | "iteration">[],
  { ralph = {} }: Settings,
): Suggestion | null {
  const loops = past
    .filter(({ part, reason }) => part?.place === place && reason !== null)
    .map(({ reason, iteration }) => ({ agent: place, proof: isLevel(reason) ? reason : null, iterations: iteration }));
  const [history] = historiesOf(loops);
  if (!history?.iterations || history.suggestion === null || history.completed < LEAST_SAMPLES) return null;
  const usual = ralph.default_max_iterations ?? ROLES[place].maxIterations;
  const maxIterations = Math.max(LEAST, Math.min(history.suggestion, usual * MOST_TIMES));
  const { median, max } = history.iterations;
  const why = `at most ${maxIterations} iterations for the ${place} instead of ${usual}: its ${history.completed} completed loops needed ${median} (median) and at most ${max} (ralph.adaptive)`;
  return { maxIterations, why };
}
