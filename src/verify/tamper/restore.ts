import { chmodSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { isBelow } from "../../adapters/io/inside.ts";
import { entryAt } from "../../adapters/io/look.ts";
import { fileChanges } from "./file-changes.ts";
import { copyOf, type KeptRecord } from "./record.ts";

interface Restored {
  restored: string[];
  /** Files without a copy: too large to be kept, or symlinks. */
  left: string[];
}

/** Restores the frozen files in an agent's checkout. Replaces anything in the way and follows no symlink. */
export async function restoreFrozen({ record, kept }: KeptRecord, targetDir: string): Promise<Restored> {
  const done: Restored = { restored: [], left: [] };
  const changed = new Set((await fileChanges({ record, kept }, targetDir)).map(({ path }) => path));
  for (const [path, state] of Object.entries(record.files)) {
    const target = resolve(targetDir, path);
    if (record.byEffect?.includes(path) && !changed.has(path)) continue;
    if (state.is === "absent" || !isBelow(target, resolve(targetDir))) continue;
    const content = await copyOf(kept, state.sha);
    if (state.is !== "file" || !content) done.left.push(path);
    else {
      clearWay(targetDir, path);
      writeFileSync(target, content);
      chmodSync(target, state.executable ? 0o755 : 0o644);
      done.restored.push(path);
    }
  }
  return done;
}

function clearWay(targetDir: string, path: string): void {
  const folders = dirname(path)
    .split("/")
    .filter((name) => name !== ".");
  for (const [i] of folders.entries()) {
    const folder = join(targetDir, ...folders.slice(0, i + 1));
    if (entryAt(folder)?.isDirectory()) continue;
    rmSync(folder, { force: true });
    mkdirSync(folder);
  }
  rmSync(join(targetDir, path), { recursive: true, force: true });
}
