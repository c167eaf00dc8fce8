import { type Discarded, discardedNames } from "../core/loop/discarded.ts";
import type { CheckResult, Review } from "../core/loop/events.ts";
import type { LoopState } from "../core/loop/state.ts";
import { REVIEW_FORM } from "../core/review.ts";
import type { VerificationContext } from "./verification-context.ts";

export async function brokenRules(
  context: VerificationContext,
  state: LoopState,
  { head, results }: { head: string; results: readonly CheckResult[] },
): Promise<readonly string[]> {
  const { rules } = context.spec.proof;
  const commands = results.filter(({ code }) => code !== null);
  return [
    ...(rules.includes("new-commit") ? await missingWork(context, state, head) : []),
    ...(rules.includes("command-passed") && !commands.some(({ is }) => is === "pass")
      ? ["no command that was run passes"]
      : []),
    ...(rules.includes("approval") ? disapproval(state.turn?.review ?? null) : []),
    ...(state.turn?.discarded ? meddling(state.turn.discarded) : []),
  ];
}

const MOST_NAMED = 5;

/** A judge that changes what it judges has judged another tree. New files, such as notes or build output, are only discarded. */
function meddling({ tracked, commits, ...others }: Discarded): string[] {
  if (tracked.length + commits === 0) return [];
  const names = discardedNames({ ...others, tracked, added: [], commits });
  const named = `${names.slice(0, MOST_NAMED).join(", ")}${names.length > MOST_NAMED ? ", …" : ""}`;
  return [
    `files of the work were changed while it was looked at (${named}), so that another tree was judged: report findings instead of changing files; the changes were discarded`,
  ];
}

/** The word alone is no approval. */
function disapproval(review: Review | null): string[] {
  if (!review) return [`the work was not approved in the form that was asked for, ${REVIEW_FORM}`];
  if (!review.approved) return ["the work was not approved"];
  return review.findings.length > 0 ? ["the work was approved with findings: it is either approved or has them"] : [];
}

/** A commit alone shows no work: Ralph makes commits too. What a task's agents did is known by the door that runs it. */
async function missingWork({ spec, taskWork }: VerificationContext, state: LoopState, head: string): Promise<string[]> {
  const since = spec.part?.since ?? state.baseline?.head ?? "";
  const began = `since the ${spec.part?.since === undefined ? "loop" : "task"} began`;
  if (head === "" || head === since) return [`no commit was made ${began}`];
  if (!spec.part) return [];
  const work = taskWork ? await taskWork(spec, state, { since, head }) : null;
  if (!work) return ["git cannot tell what was done for the task"];
  const what = "Ralph's own files, what was there before, and what the target has are no work";
  return work.is === "done" ? [] : [`no commit ${began} has work in it (${what})`];
}
