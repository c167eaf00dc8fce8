import { existsSync } from "node:fs";
import { changedTexts } from "../adapters/git/changed-texts.ts";
import { type ChangedFile, compareTrees } from "../adapters/git/compare-trees.ts";
import { nulSplitter } from "../adapters/io/lines.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import type { BaselineState, LoopState } from "../core/loop/state.ts";
import { type ChangedPart, NO_EVIDENCE, type WorkEvidence } from "../core/proof/evidence.ts";
import { type NewSuppressions, NO_SUPPRESSIONS } from "../core/proof/new-suppressions.ts";
import { keepsEntries } from "../core/proof/snapshot-entries.ts";
import { decidingKind, isNamedAfter } from "../core/test-files/file-role.ts";
import { mayAddSuppressions, suppressionsBetween } from "./suppressions-between.ts";
import { snapshotGit, type VerificationContext } from "./verification-context.ts";

/** Everything that changed since the loop started, or on the branch of its task. */
export interface Work {
  files: readonly ChangedFile[];
  /** All tests, changed or not. */
  tests(): Promise<readonly string[]>;
  /** The text of a file before; empty if it cannot be read. */
  textBefore(path: string): Promise<string>;
  /** Null if git fails. */
  suppressions(): Promise<NewSuppressions | null>;
  /** Those of these files whose named snapshots are as they were. */
  keptSnapshots(paths: readonly string[]): Promise<ReadonlySet<string>>;
}

interface Judged {
  head: string;
  snapshot?: string | null;
}

/** Compares the judged state with the one before the work; null if one of them is unknown. */
export async function workSince(
  context: VerificationContext,
  { baseline }: LoopState,
  judged: Judged,
): Promise<Work | null> {
  const { folder, run } = snapshotGit(context);
  const { from, to, since } = rangeOf(context.spec, baseline, judged);
  if (!from || !to || !existsSync(folder)) return null;
  const compared = await compareTrees(run, from, to);
  const committed = since && compared.is === "compared" ? await compareTrees(run, since, to) : compared;
  if (compared.is === "failed" || committed.is === "failed") return null;
  const ofWork = new Set(committed.files.flatMap(({ path, from = path }) => [path, from]));
  const files = compared.files.filter(({ path }) => ofWork.has(path));
  return {
    files,
    async tests() {
      const paths: string[] = [];
      const { add: take } = nulSplitter((path) => {
        if (decidingKind(path) === "test") paths.push(path);
      });
      const { code } = await run(["ls-tree", "-r", "-z", "--name-only", to], { take });
      return code === 0 ? paths : [];
    },
    async textBefore(path) {
      const { code, stdout } = await run(["cat-file", "blob", `${from}:${path}`]);
      return code === 0 ? stdout : "";
    },
    suppressions: async () =>
      files.some(mayAddSuppressions) ? suppressionsBetween(run, { from, to, ofWork }) : NO_SUPPRESSIONS,
    async keptSnapshots(paths) {
      const kept = new Set<string>();
      if (paths.length === 0) return kept;
      await changedTexts(run, {
        ...{ from, to },
        paths: paths.map((path) => `:(top,literal)${path}`),
        onFile({ path, before, after }) {
          if (before !== null && after !== null && keepsEntries(before, after)) kept.add(path);
        },
      });
      return kept;
    },
  };
}

interface Range {
  from: string | null | undefined;
  to: string | null | undefined;
  /** What differs from `from` is only the work's if it also differs from this commit. */
  since?: string | undefined;
}

/** A clean room has the files of the commit, without those of the user that are not committed. */
function rangeOf({ part, proof }: LoopSpec, baseline: BaselineState | null, { head, snapshot }: Judged): Range {
  if (part?.base) return { from: part.base, to: head };
  const isOfCommit = proof.cleanRoom?.mode === "commit" && Boolean(baseline?.head);
  if (isOfCommit) return { from: baseline?.snapshot, to: head, since: baseline?.head };
  return { from: baseline?.snapshot, to: snapshot };
}

/** The length of a command line is limited. */
const MOST_SNAPSHOTS = 300;

/** What the work changed about how it is measured; null if git fails. */
export async function evidenceIn(work: Work): Promise<WorkEvidence | null> {
  const suppressions = await work.suppressions();
  if (!suppressions) return null;
  const changed = changedParts(work);
  const mayKeep = changed
    .filter(({ kind, change }) => kind === "snapshot" && change === "changed")
    .slice(0, MOST_SNAPSHOTS);
  const kept = await work.keptSnapshots(mayKeep.map(({ path }) => path));
  const marked = changed.map((part) => (kept.has(part.path) ? { ...part, keepsEntries: true as const } : part));
  return { ...NO_EVIDENCE, changed: marked, suppressions };
}

/** A file moved unchanged to a path of the same kind does not count, nor do the snapshots of a test that is gone. */
function changedParts({ files }: Work): ChangedPart[] {
  const gone = files.filter(({ path, change }) => change === "deleted" && decidingKind(path) === "test");
  return files.flatMap(({ path, from = path, change, same, added, removed }) => {
    const kind = decidingKind(from);
    const isMoved = change === "renamed" && same && decidingKind(path) === kind;
    const isGone = kind === "snapshot" && change === "deleted" && gone.some((test) => isNamedAfter(path, test.path));
    if (kind === null || kind === "configuration" || change === "added" || isMoved || isGone) return [];
    return [{ kind, path: from, change, added, removed }];
  });
}
