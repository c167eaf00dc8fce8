import { hardenedGit } from "../adapters/git/hardened-git.ts";
import { addedRepositories, changedFiles } from "../adapters/git/tracked.ts";
import { firstNamed } from "../core/excerpt.ts";
import { type Discarded, discardedNames } from "../core/loop/discarded.ts";
import type { CheckResult, Review, Tamper } from "../core/loop/events.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { BreakableRule } from "../core/proof/proof.ts";
import { isRalphFile } from "../core/ralph-files.ts";
import { REVIEW_FORM } from "../core/review.ts";
import type { VerificationContext } from "./verification-context.ts";

/** A broken rule, in words for the agent. */
export interface BrokenRule {
  rule: BreakableRule;
  text: string;
}

export async function brokenRules(
  context: VerificationContext,
  state: LoopState,
  { head, results }: { head: string; results: readonly CheckResult[] },
): Promise<BrokenRule[]> {
  const { rules } = context.spec.proof;
  const commands = results.filter(({ code }) => code !== null);
  return [
    ...(rules.includes("new-commit") ? await missingWork(context, state, head) : []),
    ...(rules.includes("command-passed") && !commands.some(({ is }) => is === "pass")
      ? [{ rule: "command-passed" as const, text: "no command that was run passes" }]
      : []),
    ...(rules.includes("approval") ? disapproval(state.turn?.review ?? null) : []),
    ...(state.turn?.discarded ? meddling(state.turn.discarded) : []),
  ];
}

const MOST_NAMED = 10;

/** Changes outside the scope, in words that say what to restore. */
export function scopeRule(scope: readonly string[], outside: readonly Tamper[]): BrokenRule[] {
  if (outside.length === 0) return [];
  const named = outside.map(({ path, change }) => `${path} (${change})`);
  const text = `outside the scope: ${firstNamed(named, MOST_NAMED)}: restore that; only these paths may change: ${scope.join(", ")}`;
  return [{ rule: "scope", text }];
}

/** A reviewer that changes files has judged another tree. New files, such as notes or build output, are discarded. */
function meddling({ tracked, commits, ...others }: Discarded): BrokenRule[] {
  if (tracked.length + commits === 0) return [];
  const named = firstNamed(discardedNames({ ...others, tracked, added: [], commits }));
  const text = `files of the work were changed during the review (${named}), so another tree was judged: report findings instead of changing files; the changes were discarded`;
  return [{ rule: "review-only", text }];
}

/** The promise alone is not an approval. */
function disapproval(review: Review | null): BrokenRule[] {
  const broken = (text: string): BrokenRule[] => [{ rule: "approval", text }];
  if (!review) return broken(`the work was not approved in the required form, ${REVIEW_FORM}`);
  if (!review.approved) return broken("the work was not approved");
  if (review.findings.length === 0) return [];
  return broken("the work was approved with findings: approve it, or report findings");
}

/** A commit alone does not show work, because Ralph commits too. The door that runs tasks knows the agents' work. */
async function missingWork(
  { spec, taskWork }: VerificationContext,
  state: LoopState,
  head: string,
): Promise<BrokenRule[]> {
  const broken = (text: string): BrokenRule[] => [{ rule: "new-commit", text }];
  const since = spec.part?.since ?? state.baseline?.head ?? "";
  const began = `since the ${spec.part?.since === undefined ? "loop" : "task"} began`;
  if (head === "" || head === since) return broken(`no commit was made ${began}`);
  if (!spec.part) return [];
  const work = taskWork ? await taskWork(spec, state, { since, head }) : null;
  if (!work) return [{ rule: "git-readable", text: "git cannot determine what was done for the task" }];
  const what = "Ralph's own files, earlier changes and changes from the target do not count";
  return work.is === "done" ? [] : broken(`no commit ${began} contains work (${what})`);
}

/** Only the committed part of a task is merged, so nothing else may be proven. */
export async function uncommitted({ spec }: VerificationContext): Promise<BrokenRule[]> {
  const { cwd, part } = spec;
  if (!part) return [];
  const changed = await changedFiles(await hardenedGit(cwd, { whose: "ralph" }));
  const added = part.base ? await addedRepositories(cwd, part.base) : [];
  if (!changed || !added)
    return [{ rule: "git-readable", text: "git cannot determine whether the checked files are committed" }];
  const files = [...changed.filter((path) => !isRalphFile(path)), ...added];
  if (files.length === 0) return [];
  const text = `the checked files are not committed (${firstNamed(files)}): commit them`;
  return [{ rule: "committed", text }];
}
