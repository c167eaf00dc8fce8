import { findOnPath } from "../../../adapters/io/find-on-path.ts";
import { lineSplitter } from "../../../adapters/io/lines.ts";
import { runInForeground, runProgram } from "../../../adapters/io/program.ts";
import { stripAnsi } from "../../../core/ansi.ts";
import { diffProgram, type Place, type ShownFile } from "../../../runtime/diff/changes.ts";
import type { Comparison } from "../../../runtime/diff/comparison.ts";

export type Form = "patch" | "stat" | "names";

interface Showing {
  form: Form;
  /** Whether only some of the changed files are shown. */
  some: boolean;
  /** Where standard output goes: a terminal, a file or pipe that git can write to directly, or a stream. */
  to: "terminal" | "file" | "stream";
  noColour: boolean;
  /** Prints lines on a terminal without a pager. Control characters are already removed. */
  line(text: string): void;
  print(output: Buffer): void;
}

/** Shows the changes like `git diff`, with the user's own pager and colours. */
export async function showFiles(comparison: Comparison, files: readonly ShownFile[], how: Showing): Promise<boolean> {
  const options = [...(how.noColour ? ["--color=never"] : []), ...FORMS[how.form]];
  const { args, ...place } = diffProgram(comparison, files, { options, some: how.some });
  if (how.to === "stream") return (await runProgram({ ...place, args, take: how.print })).code === 0;
  if (how.to === "terminal" && !(await hasPager(place))) return printLines({ ...place, args }, how.line);
  return (await runInForeground({ ...place, args })) === 0;
}

const FORMS: Readonly<Record<Form, readonly string[]>> = { patch: [], stat: ["--stat"], names: ["--name-only"] };

async function hasPager({ file, cwd, env }: Place): Promise<boolean> {
  const { code, stdout } = await runProgram({ file, args: ["var", "GIT_PAGER"], cwd, env });
  const pager = stdout.trim();
  if (code !== 0 || pager === "" || pager === "cat") return false;
  const [first = ""] = pager.split(/\s/);
  // Anything but a plain path is left to the shell.
  return !/^[\w./-]+$/.test(first) || findOnPath(first, cwd) !== null;
}

const MOST_LINE_BYTES = 1 << 20;
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

async function printLines({ file, cwd, env, args }: Place & { args: readonly string[] }, line: Showing["line"]) {
  const lines = lineSplitter(MOST_LINE_BYTES, (bytes) => line(stripAnsi(bytes.toString("utf8")).replace(CONTROLS, "")));
  const plain = args.includes("--color=never") ? args : ["diff", "--color=never", ...args.slice(1)];
  const { code } = await runProgram({ file, args: plain, cwd, env, take: lines.add });
  lines.end();
  return code === 0;
}
