import type { Role, Use } from "../../core/command-line/use.ts";
import { isTestFile } from "../../core/test-files/file-role.ts";
import { filesBelow, type NamedPath } from "./named-paths.ts";
import { isDeciderName, type Nature, natureOf } from "./nature.ts";

/** What of the checkout belongs to the agent. Paths are absolute. */
export interface Ownership {
  /** Whether the agent may change a file, even if a check runs it. */
  isWork(path: string): boolean;
  /** Whether everything else that a check names is frozen, data and missing files too. */
  exact: boolean;
}

/** A file that must not change, or that must not appear. */
export interface FrozenPath {
  path: string;
  role: Role;
  nature: Nature;
}

const MOST_FILES = 2_000;

/** What of a named path is frozen. */
export function frozenBy(use: Use, found: NamedPath, owned: Ownership): FrozenPath[] {
  if (found.is !== "folder") return isFrozen(use, found, owned) ? [frozen(use, found.path)] : [];
  if (use.role !== "run" && use.role !== "named" && !owned.exact) return [];
  const files = filesBelow(found.path, use.names);
  if (files.length > MOST_FILES) return [];
  const inside = use.role === "run" ? use : { ...use, role: "argument" as const };
  return files.filter((path) => isFrozen(inside, { path, is: "file" }, owned)).map((path) => frozen(inside, path));
}

const frozen = ({ role }: Use, path: string): FrozenPath => ({ path, role, nature: natureOf(path) });

function isFrozen(use: Use, { path, is }: NamedPath, { isWork, exact }: Ownership): boolean {
  if (isWork(path)) return false;
  if (exact) return true;
  // A missing file counts only where it would be loaded if it existed.
  if (is === "absent") return use.role === "included" || (use.role === "run" && use.as !== "path");
  const isWatched = isTestFile(path) && !path.endsWith(".rs");
  if (use.role === "run" || use.role === "included") return !(isWatched && use.test);
  if (use.role === "read" || isWatched) return false;
  const { is: nature } = natureOf(path);
  if (nature !== "script") return nature === "program";
  return use.role === "named" || isDeciderName(path);
}

export const isInOutput = (path: string): boolean => OUTPUT.test(path);

/** Folders for generated files: a check may name a file in one, and a build changes it. */
const OUTPUT =
  /(?:^|\/)(?:dist|build|out|target|output|coverage|\.next|\.venv|venv|tmp|\.cache|__pycache__)\/|\.(?:d|dep|depend|Po?|log)$|(?:^|\/)\.depend$/;
