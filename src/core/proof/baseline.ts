import type { Attribution, Baseline, CheckResult, StopReason } from "../loop/events.ts";
import { nameReason } from "../loop/results.ts";
import type { BaselineState } from "../loop/state.ts";
import { type Proof, passesBy, type Stage } from "./proof.ts";

/** The stored part of a baseline, and whether the loop may start. */
export const baselineState = (
  { head, tree, loose, results, snapshot, made, changed }: Baseline,
  proof: Proof,
): BaselineState => ({
  head,
  tree,
  ...(loose ? { loose } : {}),
  was: Object.fromEntries(results.map(({ name, is }) => [name, is])),
  ...ranBefore(results),
  ...(snapshot ? { snapshot } : {}),
  ...(made?.length ? { made } : {}),
  ...(changed ? { changed } : {}),
  refused: refusal(results, proof),
});

function ranBefore(results: readonly CheckResult[]): Pick<BaselineState, "ran" | "counted"> {
  const known = results.flatMap(({ name, tests, subset }) => (tests && !subset ? [[name, tests] as const] : []));
  if (known.length === 0) return {};
  return { ran: Object.fromEntries(known.map(([name, { ran }]) => [name, ran])), counted: Object.fromEntries(known) };
}

/**
 * Why a loop must not start: a check that cannot run would otherwise be noticed only after the agent was paid, and one
 * that already passes proves nothing about the work.
 */
function refusal(results: readonly CheckResult[], proof: Proof): { reason: StopReason; detail: string } | null {
  const missing = results.filter(({ is, optional }) => is === "unknown" && !optional);
  if (missing.length > 0) return { reason: "check-missing", detail: missing.map(nameReason).join("; ") };
  const green = greenTooSoon(results, proof);
  return green.length > 0 ? { reason: "already-green", detail: green.join(", ") } : null;
}

/** Names of stages that must be red and are not: those that require it, or all if the whole gate passes. */
function greenTooSoon(results: readonly CheckResult[], { stages, requireRedFirst }: Proof): string[] {
  const answers = new Map(results.map(({ name, is }) => [name, is]));
  const alone = redFirst(stages).filter((stage) => passesBy(stage, answers));
  if (alone.length > 0 || !requireRedFirst) return alone.map(({ name }) => name);
  const gate = results.filter(({ optional }) => !optional);
  return gate.every(({ is }) => is === "pass") ? gate.map(({ name }) => name) : [];
}

/** The stages that must fail before any work. */
export const redFirst = (stages: readonly Stage[]): Stage[] =>
  stages.flatMap((stage) => [
    ...(stage.requireRedFirst ? [stage] : []),
    ...(stage.method === "multi_stage" ? redFirst(stage.stages) : []),
  ]);

/** How a check changed since the baseline. */
export function attribution(was: CheckResult["is"] | undefined, is: CheckResult["is"]): Attribution | null {
  if (was === undefined || was === "unknown" || is === "unknown") return null;
  if (is === "pass") return was === "pass" ? "already passing" : "fixed";
  return was === "pass" ? "regressed" : "still failing";
}
