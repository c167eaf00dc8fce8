import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { sampleProgram } from "../../../../test/support/sample-program.ts";
import { bashCompletion } from "./bash.ts";
import { shapesOf } from "./shape.ts";

/** What bash offers with the script, with the cursor at the end of the last word. */
function offered(words: readonly string[]): string[] {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-bash-"));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  writeFileSync(join(cwd, "task one.md"), "");
  const ralph = "ralph() { [[ $1 == __loops ]] && printf 'last\\tthe newest\\n3f2a\\t$(touch pwned) x\\n'; }";
  const call = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _ralph; printf "%s\\n" "\${COMPREPLY[@]}"`;
  const script = `set -u\n${ralph}\n${bashCompletion(shapesOf(sampleProgram()))}\n${call}`;
  const output = execFileSync("bash", ["--norc", "-c", script, "bash", "ralph", ...words], { cwd, encoding: "utf8" });
  return output.split("\n").filter(Boolean);
}

test.each<[string[], string[]]>([
  [[""], ["run", "task", "help"]],
  [["r"], ["run"]],
  [
    ["run", ""],
    ["last", "3f2a"],
  ],
  [["run", "3"], ["3f2a"]],
  [["run", "last", ""], []],
  [
    ["run", "--"],
    ["--max", "--file", "--agent", "--json", "--context", "--help"],
  ],
  [
    ["run", "--context", ""],
    ["fresh", "continue"],
  ],
  [["run", "--context", "=", "f"], ["fresh"]],
  [
    ["run", "--context", "="],
    ["fresh", "continue"],
  ],
  [
    ["run", "--context", "fresh", ""],
    ["last", "3f2a"],
  ],
  [["run", "--context", "=", "fresh", "l"], ["last"]],
  [["run", "-m", ""], []],
  [["run", "-m", "3", "l"], ["last"]],
  [["run", "--json", "l"], ["last"]],
  [["run", "--max", "run", "l"], ["last"]],
  [["run", "--file", "ta"], ["task one.md"]],
  [["run", "--agent", "printenv"], ["printenv"]],
  [["--con"], ["--context"]],
  [["--max", "3", "--con"], ["--context"]],
  [["--max", "3", "--context", "c"], ["continue"]],
  [
    ["task", ""],
    ["add-one", "help"],
  ],
  [["task", "add-one", ""], []],
  [
    ["task", "add-one", "title", ""],
    ["a", "b"],
  ],
  [
    ["help", ""],
    ["run", "task"],
  ],
  [["nonsense", ""], []],
])("bash offers for %j", (words, expected) => expect([...new Set(offered(words))]).toEqual(expected));
