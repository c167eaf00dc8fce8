import { statSync, writeFileSync } from "node:fs";
import { RalphError } from "../../core/errors.ts";
import { replaceFile } from "./replace-file.ts";

/** Writes a file that a person named: whole or not at all, never over a folder. A device gets it straight. */
export function writeWholeFile(path: string, content: string): void {
  const there = writing(path, () => statSync(path, { throwIfNoEntry: false }));
  if (there?.isDirectory()) {
    throw new RalphError("file-is-folder", `${path} is a folder`, { hint: `name a file, such as ${path}/stats.svg` });
  }
  if (there && !there.isFile()) {
    writing(path, () => writeFileSync(path, content));
    return;
  }
  writing(path, () => replaceFile(path, content));
}

const HINTS: Readonly<Record<string, string>> = {
  ENOENT: "make the folder first",
  ENOTDIR: "a file is where a folder should be: name another place",
  EACCES: "name a place where you may write",
  EPERM: "name a place where you may write",
  EROFS: "name a place where you may write",
  ENOSPC: "free some space",
  ENAMETOOLONG: "name it shorter",
};

function writing<Result>(path: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    throw new RalphError("file-not-written", `cannot write ${path}: ${code || String(error)}`, {
      hint: HINTS[code] ?? "check the path and the disk",
      cause: error,
    });
  }
}
