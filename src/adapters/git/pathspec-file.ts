import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ProgramRun } from "../io/program.ts";
import type { StatusEntry } from "./status.ts";

const NOTHING: ProgramRun = { code: 0, stdout: "", stderr: "" };

/** Runs git with options that name exactly these files, however many. Does not run it if there are none. */
export async function withPaths(
  entries: readonly Pick<StatusEntry, "bytes">[],
  run: (options: readonly string[]) => Promise<ProgramRun>,
): Promise<ProgramRun> {
  if (entries.length === 0) return NOTHING;
  const folder = mkdtempSync(join(tmpdir(), "ralph-paths-"));
  const file = join(folder, "paths");
  try {
    writeFileSync(file, entries.map(({ bytes }) => `:(top,literal)${bytes}\0`).join(""), "latin1");
    return await run([`--pathspec-from-file=${file}`, "--pathspec-file-nul"]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
