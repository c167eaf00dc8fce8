import { RalphError } from "../core/errors.ts";
import { type Discarded, discardedNames } from "../core/loop/discarded.ts";
import type { CheckResult, Review } from "../core/loop/events.ts";
import type { LoopState } from "../core/loop/state.ts";
import { REVIEW_FORM } from "../core/review.ts";
import type { LooseFiles } from "../git/loose-files.ts";
import { type OwnFile, ownWork } from "../git/own-work.ts";
import { plainGit } from "../git/plain.ts";
import { checkoutRoot } from "../io/checkout.ts";
import type { Judging } from "./case.ts";
import { type MarkableSource, markableSource, markedText } from "./passed.ts";

interface Found {
  /** The commit that is judged. */
  head: string;
  results: readonly CheckResult[];
}

/** What rules of the proof a claim breaks, in words. */
export async function brokenRules(
  judging: Judging,
  state: LoopState,
  { head, results }: Found,
): Promise<readonly string[]> {
  const { rules } = judging.spec.proof;
  const commands = results.filter(({ code }) => code !== null);
  return [
    ...(rules.includes("new-commit") ? await missingWork(judging, state, head) : []),
    ...(rules.includes("command-passed") && !commands.some(({ is }) => is === "pass")
      ? ["no command that was run passes"]
      : []),
    ...(rules.includes("approval") ? disapproval(state.turn?.review ?? null) : []),
    ...(state.turn?.discarded ? meddling(state.turn.discarded) : []),
  ];
}

const MOST_NAMED = 5;

/** Whoever changes what it judges has judged another tree. New files, such as notes or build output, are only discarded. */
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

/**
 * A commit alone shows no work: Ralph makes commits too. What counts is a file that the agents changed, since the task
 * began, or since the loop began where its coder was sent back.
 */
async function missingWork(judging: Judging, state: LoopState, head: string): Promise<string[]> {
  const { part, cwd } = judging.spec;
  const since = part?.since ?? state.baseline?.head ?? "";
  const began = `since the ${part?.since === undefined ? "loop" : "task"} began`;
  if (head === "" || head === since) return [`no commit was made ${began}`];
  if (!part) return [];
  // Its row may be gone: whoever removes that changes nothing about the work.
  const row = await judging.workspace.tasks.load(part.task).catch(unlessGone);
  const before = await looseBefore(judging, state);
  const target = row?.state.work?.target ?? "";
  const files = await ownWork({ worktree: checkoutRoot(cwd) ?? cwd, task: part.task, target, since, head, before });
  if (!files) return ["git cannot tell what was done for the task"];
  const source = row && markableSource(row.task.metadata);
  const own = source && files.length === 1 ? await withoutMark(cwd, { source, since, files }) : files;
  if (own.length > 0) return [];
  const what = "Ralph's own files, what was there before, and what the target has are no work";
  return [`no commit ${began} has work in it (${what})`];
}

function unlessGone(error: unknown): null {
  if (error instanceof RalphError && error.code === "task-unknown") return null;
  throw error;
}

/** What lay in the checkout before the first agent worked on the task, or, where it was sent back, before this loop. */
async function looseBefore({ workspace, spec }: Judging, state: LoopState): Promise<LooseFiles> {
  const { part } = spec;
  const own = state.baseline?.loose ?? {};
  if (part?.since === undefined) return own;
  let first: string | null = null;
  for await (const { event } of workspace.tasks.entries(part.task)) {
    if (event.type === "work.prepared") first = null;
    if (event.type === "stage.began" && event.place === "coder") first ??= event.loop;
  }
  return first === null ? own : ((await workspace.store.load(first)).state.baseline?.loose ?? {});
}

interface Marked {
  source: MarkableSource;
  since: string;
  files: readonly OwnFile[];
}

/** That a task is marked as done in the file it came from is no work on it, whoever marked it. */
async function withoutMark(cwd: string, { source, since, files }: Marked): Promise<readonly OwnFile[]> {
  const [file] = files;
  if (file?.path !== source.path || file.blob === null) return files;
  const run = await plainGit(checkoutRoot(cwd) ?? cwd, { whose: "ralph" });
  const show = async (name: string) => (await run(["cat-file", "blob", name])).stdout;
  const marked = await markedText(source, await show(`${since}:${source.path}`));
  return marked !== null && marked === (await show(file.blob)) ? [] : files;
}
