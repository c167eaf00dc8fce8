import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { textAt } from "../io/look.ts";

/** A path left out of a snapshot. `bytes` is null for a nested repository or an unreadable file. */
export interface LeftOut {
  path: string;
  bytes: number | null;
}

export function noteLeftOut(folder: string, tree: string, leftOut: readonly LeftOut[]): void {
  const path = pathOf(folder, tree);
  rmSync(path, { force: true });
  if (leftOut.length === 0) return;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, leftOut.map(({ path, bytes }) => `${bytes ?? ""} ${path}\0`).join(""), "latin1");
}

const pathOf = (folder: string, tree: string): string => join(folder, "left-out", tree);

export function leftOutOf(folder: string, tree: string): LeftOut[] {
  const lines = textAt(pathOf(folder, tree), Number.POSITIVE_INFINITY).split("\0").filter(Boolean);
  return lines.map((line) => {
    const space = line.indexOf(" ");
    return { path: line.slice(space + 1), bytes: space === 0 ? null : Number(line.slice(0, space)) };
  });
}
