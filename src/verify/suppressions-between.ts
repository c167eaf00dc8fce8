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

/** Copies of other projects: no tool of this one reads them. A folder `vendor` in source folders may be the work. */
const VENDORED = [
  ...["node_modules", "bower_components", "site-packages", "third_party", "Pods", ".venv", ".yarn"].map(
    (name) => `:(exclude,top,glob)**/${name}/**`,
  ),
  ...["", "*/", "*/*/"].map((above) => `:(exclude,top,glob)${above}vendor/**`),
];

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
    paths: [":(top)", ...VENDORED],
    onFile(file) {
      // Git quotes unusual names.
      if (ofWork.has(file.path) || file.path.includes("\\"))
        tally.add({ ...file, isTest: decidingKind(file.path) === "test" });
    },
  });
  return isRead ? tally.result() : null;
}
