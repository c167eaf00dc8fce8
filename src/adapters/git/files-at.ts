import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { runProgram } from "../io/program.ts";
import { NO_PROMPTS } from "./repository.ts";

/** Writes those of the files that a commit has into a new folder. The repository does not change; hooks do not run. */
export async function checkOutFiles(
  cwd: string,
  commit: string,
  paths: readonly string[],
  into: string,
): Promise<void> {
  mkdirSync(into, { recursive: true });
  const env = { ...NO_PROMPTS, GIT_INDEX_FILE: join(into, ".index"), GIT_NO_REPLACE_OBJECTS: "1" };
  const run = (...args: string[]) =>
    runProgram({
      file: "git",
      args: ["-c", "core.hooksPath=/dev/null", "-c", "core.fsmonitor=false", ...args],
      cwd,
      env,
    });
  const { stdout } = await run("ls-tree", "-r", "-z", "--name-only", "--full-tree", commit, "--", ...paths);
  const found = stdout.split("\0").filter((path) => paths.includes(path));
  if (found.length === 0) return;
  await run("read-tree", commit);
  await run("checkout-index", "--force", `--prefix=${into}/`, "--", ...found);
}
