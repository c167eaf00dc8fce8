import { join } from "node:path";
import { textAt } from "../../adapters/io/look.ts";
import { walkFiles } from "../../adapters/io/walk-files.ts";
import { definedIn } from "../../core/test-files/definitions.ts";
import { isTestFile, NO_SOURCES } from "../../core/test-files/file-role.ts";
import type { isObsolete } from "../../core/test-files/subjects.ts";

const MOST_SEEN = 100_000;
const CODE = /\.(?:[cm]?[jt]sx?|vue|svelte|py|go|rs|java|kts?|scala|groovy|cs|php|rb|swift)$/;

/** What exists below a folder now, for `isObsolete`. Sources are read once, when the first name is asked for. */
export function repositoryNow(root: string): Parameters<typeof isObsolete>[1] {
  let names: Set<string> | null = null;
  return {
    defines: (name) => {
      names ??= namesIn(root);
      return names.has(name);
    },
    mentions: (path, name) => new Set<string>(textAt(join(root, path)).match(/[\w$]+/g)).has(name),
  };
}

function namesIn(root: string): Set<string> {
  const names = new Set<string>();
  for (const path of walkFiles(root, "", { skip: NO_SOURCES, most: MOST_SEEN })) {
    if (!CODE.test(path) || (isTestFile(path) && !path.endsWith(".rs"))) continue;
    for (const name of definedIn(textAt(join(root, path)))) names.add(name);
  }
  return names;
}
