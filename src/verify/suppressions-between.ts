import { changedTexts } from "../adapters/git/changed-texts.ts";
import type { ChangedFile } from "../adapters/git/compare-trees.ts";
import { type NewSuppressions, suppressionTally } from "../core/proof/new-suppressions.ts";
import { SUPPRESSION_HINT, suppressionsOf } from "../core/proof/suppressions.ts";
import { decidingKind } from "../core/test-files/file-role.ts";
import type { snapshotGit } from "./verification-context.ts";

/** Whether a change may add a suppression, by the name of the file. */
export const mayAddSuppressions = ({ path, added }: ChangedFile): boolean =>
  added !== 0 && (suppressionsOf(path) !== null || !isNamed(path));

/** Whether a name shows what a file contains. */
const isNamed = (path: string): boolean => /\.[^/]+$/.test(path);

const FOLDERS = ["node_modules", "bower_components", "site-packages", "third_party", "Pods", ".venv", ".yarn"];
const GENERATED = ["*.generated.*", "*.pb.*", "*_pb2.py", "*_pb2_grpc.py", "*.g.dart", "*.freezed.dart", "*.min.js"];

/**
 * Copies of other projects, which no tool of this one reads, and what generators write with suppressions of their own.
 * Folders `vendor` and `dist` in source folders may be the work.
 */
const NOT_WRITTEN = [
  ...[...FOLDERS, "generated", "__generated__"].map((name) => `**/${name}/**`),
  ...["", "*/", "*/*/"].flatMap((above) => [`${above}vendor/**`, `${above}dist/**`]),
  ...GENERATED.map((name) => `**/${name}`),
].map((glob) => `:(exclude,top,glob)${glob}`);

/** The suppressions that are new in the second of two trees or commits. Null if git fails. */
export async function suppressionsBetween(
  run: ReturnType<typeof snapshotGit>["run"],
  { from, to, ofWork }: { from: string; to: string; ofWork: ReadonlySet<string> },
): Promise<NewSuppressions | null> {
  const tally = suppressionTally();
  const isRead = await changedTexts(run, {
    from,
    to,
    matching: SUPPRESSION_HINT,
    paths: [":(top)", ...NOT_WRITTEN],
    onFile(file) {
      // Git quotes unusual names.
      if (ofWork.has(file.path) || file.path.includes("\\"))
        tally.add({ ...file, isTest: decidingKind(file.path) === "test" });
    },
  });
  return isRead ? tally.result() : null;
}
