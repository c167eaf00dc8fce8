import { nulSplitter } from "../io/lines.ts";
import type { ProgramRun } from "../io/program.ts";

/** What a path holds in a tree. */
interface Held {
  mode: string;
  hash: string;
}

/** A path that differs between two trees. A renamed file is one that is gone and one that is new. */
export interface TreeChange {
  /** Each byte of the name is one character: names need not be valid UTF-8. */
  bytes: string;
  path: string;
  before: Held | null;
  after: Held | null;
}

export const LINK_MODE = "120000";
export const REPOSITORY_MODE = "160000";

type Run = (args: readonly string[], more: { take(chunk: Buffer): void }) => Promise<ProgramRun>;

const RAW = /^:(\d+) (\d+) ([0-9a-f]+) ([0-9a-f]+) [A-Z]$/;
const ABSENT = "000000";

/** The paths that differ between two trees or commits; null if git cannot compare them. */
export async function treeChanges(run: Run, from: string, to: string): Promise<TreeChange[] | null> {
  const found: TreeChange[] = [];
  let raw: RegExpExecArray | null = null;
  // Each path is two fields: `:<modes> <hashes> <letter>`, and its name.
  const fields = nulSplitter((field) => {
    if (!raw) {
      raw = RAW.exec(field);
      return;
    }
    const [, modeBefore = "", modeAfter = "", before = "", after = ""] = raw;
    raw = null;
    const path = Buffer.from(field, "latin1").toString("utf8");
    found.push({ bytes: field, path, before: held(modeBefore, before), after: held(modeAfter, after) });
  }, "latin1");
  const options = ["-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--no-ext-diff", "--no-textconv"];
  const { code } = await run(["diff-tree", ...options, "--end-of-options", from, to], { take: fields.add });
  return code === 0 ? found : null;
}

const held = (mode: string, hash: string): Held | null => (mode === ABSENT ? null : { mode, hash });
