import { firstNamed } from "../core/excerpt.ts";
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

/** A reviewer that changes files has judged another tree. New files, such as notes or build output, are discarded. */
function meddling({ tracked, commits, ...others }: Discarded): string[] {
  if (tracked.length + commits === 0) return [];
  const named = firstNamed(discardedNames({ ...others, tracked, added: [], commits }));
  return [
    `files of the work were changed during the review (${named}), so another tree was judged: report findings instead of changing files; the changes were discarded`,
  ];
}

/** The promise alone is not an approval. */
function disapproval(review: Review | null): string[] {
  if (!review) return [`the work was not approved in the required form, ${REVIEW_FORM}`];
  if (!review.approved) return ["the work was not approved"];
  return review.findings.length > 0 ? ["the work was approved with findings: approve it, or report findings"] : [];
}

/** A commit alone does not show work, because Ralph commits too. The door that runs tasks knows the agents' work. */
async function missingWork({ spec, taskWork }: VerificationContext, state: LoopState, head: string): Promise<string[]> {
  const since = spec.part?.since ?? state.baseline?.head ?? "";
  const began = `since the ${spec.part?.since === undefined ? "loop" : "task"} began`;
  if (head === "" || head === since) return [`no commit was made ${began}`];
  if (!spec.part) return [];
  const work = taskWork ? await taskWork(spec, state, { since, head }) : null;
  if (!work) return ["git cannot determine what was done for the task"];
  const what = "Ralph's own files, earlier changes and changes from the target do not count";
  return work.is === "done" ? [] : [`no commit ${began} contains work (${what})`];
}
