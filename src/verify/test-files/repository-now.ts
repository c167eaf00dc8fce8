import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { isTestFile, NO_SOURCES } from "../../core/test-files/file-role.ts";
import { walkFiles } from "../tamper/globs.ts";

const MOST_SEEN = 100_000;
const MOST_BYTES = 512 << 10;
const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kts?|scala|groovy|cs|php|rb|swift)$/;
const DEFINED =
  /\b(?:function\s*\*?|class|const|let|var|interface|type|enum|def|fn|struct|trait|func|object|as|exports\.)\s*(?=[\w$])([\w$]+)/g;

/** What exists below a folder now, for `isObsolete`. Sources are read once, when the first name is asked for. */
export function repositoryNow(root: string): { exists(path: string): boolean; defines(name: string): boolean } {
  let names: Set<string> | null = null;
  return {
    exists: (path) => existsSync(join(root, path)),
    defines: (name) => {
      names ??= namesIn(root);
      return names.has(name);
    },
  };
}

function namesIn(root: string): Set<string> {
  const names = new Set<string>();
  for (const path of walkFiles(root, "", { skip: NO_SOURCES, most: MOST_SEEN })) {
    if (!CODE.test(path) || (isTestFile(path) && !path.endsWith(".rs"))) continue;
    for (const [, name = ""] of textOf(join(root, path)).matchAll(DEFINED)) names.add(name);
  }
  return names;
}

function textOf(path: string): string {
  try {
    const stats = statSync(path);
    return stats.isFile() && stats.size <= MOST_BYTES ? readFileSync(path, "utf8") : "";
  } catch {
    return ""; // a broken symlink, or a file that was just removed
  }
}
