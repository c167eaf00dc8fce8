import type { RunView } from "../../adapters/store/run-named.ts";
import { printable } from "../../core/ansi.ts";
import { shorten } from "../../core/excerpt.ts";
import { toned } from "./end-lines.ts";
import { agoOf } from "./phrases.ts";

const MESSAGE_CHARS = 60;

/** A run that says it is running while nobody drives it. */
export const isLeft = ({ status, held }: RunView): boolean => status === "running" && !held;

/** `running`, or that whoever drove it is gone; what is completed has its level. */
export function statusWords(run: RunView): string {
  if (isLeft(run)) return "running (driver gone)";
  return run.status === "completed" && run.proof ? toned(run.proof, `completed, ${run.proof}`) : run.status;
}

/** What a run is at: `step 2/3`, or `iteration 4/20` of one that is a single loop. */
export function placeWords({ currentStep, steps, metadata }: RunView): string {
  const { iteration_count: n, max_iterations: most } = metadata;
  const iteration = typeof n === "number" && typeof most === "number" ? `iteration ${n}/${most}` : "";
  // The step of a workflow that is one loop is its iteration.
  if (iteration !== "" && steps === most) return iteration;
  return [`step ${Math.min(currentStep, steps)}/${steps}`, iteration].filter(Boolean).join(", ");
}

export const messageWords = ({ message }: RunView): string => shorten(printable(message), MESSAGE_CHARS);

/** One that has not ended, on one line. */
export function activeRunLine(run: RunView): string {
  const goOn = run.status === "interrupted" || isLeft(run) ? ` (ralph workflow resume ${run.id})` : "";
  const facts = [statusWords(run) + goOn, placeWords(run), `started ${agoOf(run.createdAtMs)}`];
  return `${run.id}: ${printable(run.workflow)}, ${facts.join(", ")}  ${messageWords(run)}`.trimEnd();
}
