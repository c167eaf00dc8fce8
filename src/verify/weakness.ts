import { existsSync } from "node:fs";
import { type ChangedFile, compareTrees } from "../adapters/git/compare-trees.ts";
import { ownGit } from "../adapters/git/scratch.ts";
import { snapshotFolder } from "../adapters/git/snapshot-folder.ts";
import { nulSplitter } from "../adapters/io/lines.ts";
import { SETTINGS_PATHS } from "../adapters/settings/settings-files.ts";
import { isOfThisMachine } from "../core/fingerprints.ts";
import type { CheckResult, Verdict } from "../core/loop/events.ts";
import type { LoopState } from "../core/loop/state.ts";
import { JUDGE_UNAVAILABLE, labelsOf } from "../core/proof/level-of.ts";
import { type ChangedParts, grewWords, weakWords } from "../core/proof/weakness.ts";
import { ROLES } from "../core/task/role.ts";
import { readRecord } from "./tamper/record.ts";
import { decidingKind } from "./test-files/file-role.ts";
import { decidedByNewTests } from "./test-files/own-tests.ts";
import { blobsOf, type VerificationContext } from "./verification-context.ts";

interface Judged {
  verdict: Verdict;
  head: string;
  snapshot?: string | null;
}

/** What weakens a pass, in words, and how the number of tests changed. */
export async function weaknessOf(
  context: VerificationContext,
  state: LoopState,
  judged: Judged,
): Promise<Pick<Verdict, "weak" | "grew">> {
  const { spec } = context;
  const { verdict } = judged;
  const commands = verdict.checks.filter(({ command, optional }) => command !== "" && !optional);
  const decides = commands.length + spec.guardrails.length > 0;
  const work = decides && seesTests(context) ? await workSince(context, state, judged) : NOTHING;
  const weak = weakWords({
    changed: changedParts(work.files),
    look: spec.part ? `ralph diff ${spec.part.task} --tests` : "ralph diff --tests",
    ownTests: await isOwn(work, commands),
    judgeUnavailable: labelsOf(verdict.checks).includes(JUDGE_UNAVAILABLE),
    unprotected: decides && !(await isProtected(context, state)),
    noBaseline: verdict.proof === "still-green" && commands.length > 0 && !spec.proof.baseline,
    unseen: isUnseen(state),
  });
  const grew = grewWords(verdict, state.baseline);
  return { ...(weak.length > 0 ? { weak } : {}), ...(grew ? { grew } : {}) };
}

/** Changes of tests weaken only a coder's pass: other agents write tests or only review. */
const seesTests = ({ spec }: VerificationContext): boolean =>
  !spec.proof.testsMayChange && (!spec.part || ROLES[spec.part.place].measuresProof);

interface Work {
  files: readonly ChangedFile[];
  all(): Promise<readonly string[]>;
}

const NOTHING: Work = { files: [], all: async () => [] };

/** Everything that changed since the loop started, or on the branch of its task; nothing if unknown. */
async function workSince(
  context: VerificationContext,
  { baseline }: LoopState,
  { head, snapshot }: Judged,
): Promise<Work> {
  const { spec, workspace, loop, stops } = context;
  const folder = snapshotFolder(workspace.folder, loop);
  const [from, to] = spec.part?.base ? [spec.part.base, head] : [baseline?.snapshot, snapshot];
  if (!from || !to || !existsSync(folder)) return NOTHING;
  const run = ownGit(folder, folder);
  const compared = await compareTrees((args, more) => run(args, { quit: stops.soft, ...more }), from, to);
  if (compared.is === "failed") return NOTHING;
  return {
    files: compared.files,
    async all() {
      const paths: string[] = [];
      const { add: take } = nulSplitter((path) => {
        if (decidingKind(path) === "test") paths.push(path);
      });
      const { code } = await run(["ls-tree", "-r", "-z", "--name-only", to], { take, quit: stops.soft });
      return code === 0 ? paths : [];
    },
  };
}

/** Existing files that changed, by kind. A file moved unchanged to a path of the same kind does not count. */
function changedParts(files: readonly ChangedFile[]): ChangedParts {
  const counts: Partial<Record<keyof ChangedParts, number>> = {};
  for (const { path, from = path, change, same } of files) {
    const kind = decidingKind(from);
    const isMoved = change === "renamed" && same && decidingKind(path) === kind;
    if (kind === null || kind === "configuration" || change === "added" || isMoved) continue;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

async function isOwn({ files, all }: Work, commands: readonly CheckResult[]): Promise<boolean> {
  const fixed = commands.filter(({ since }) => since === "fixed");
  const isNew = ({ path, from, change }: ChangedFile) =>
    decidingKind(path) === "test" &&
    (change === "added" || (from !== undefined && change === "renamed" && decidingKind(from) !== "test"));
  const added = files.filter(isNew).map(({ path }) => path);
  if (fixed.length === 0 || added.length === 0) return false;
  return decidedByNewTests(fixed, { tests: await all(), added: new Set(added) });
}

/** Whether anything that decides is watched, besides the settings files that every loop of a task watches. */
async function isProtected(context: VerificationContext, { fingerprints }: LoopState): Promise<boolean> {
  const settings: readonly string[] = SETTINGS_PATHS;
  const named = Object.keys(fingerprints).some((key) => !isOfThisMachine(key) && !settings.includes(key));
  if (named) return true;
  const known = await readRecord(blobsOf(context), fingerprints);
  return Object.keys(known?.record.tests ?? {}).length > 0;
}

/** Whether it cannot be seen if there was any work. */
const isUnseen = ({ spec, usedTools, turn }: LoopState): boolean =>
  spec !== null &&
  !spec.tracked &&
  spec.ends === "claim" &&
  spec.proof.zeroWorkGuard &&
  !usedTools &&
  turn?.tools === null;
