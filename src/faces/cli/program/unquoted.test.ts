import { Command } from "commander";
import { expect, test } from "vitest";
import { RalphError } from "../../../core/errors.ts";
import { buildProgram } from "./program.ts";
import { refuseUnquoted } from "./unquoted.ts";

const run = buildProgram(() => async () => undefined).commands.find((command) => command.name() === "run");

function refused(...words: string[]): string | null {
  try {
    refuseUnquoted(run ?? new Command(), words, "ralph");
    return null;
  } catch (error) {
    return error instanceof RalphError ? `${error.message} → ${error.hint}` : String(error);
  }
}

test.each<[string[], string]>([
  [["make", "the", "tests", "pass"], 'and 4 were given → quote it: ralph run "make the tests pass"'],
  [["-m", "3", "fix", "it", "--quiet"], 'ralph run -m 3 "fix it" --quiet'],
  [["-m3", "fix", "it"], 'ralph run -m3 "fix it"'],
  [["--agent", "claude", "fix", "it"], 'ralph run --agent claude "fix it"'],
  [["fix", "$HOME", "now"], "ralph run 'fix $HOME now'"],
  [["Fix it", "now"], 'ralph run "Fix it now"'],
  [["--verify", "npm", "test"], 'unexpected test after --verify npm → quote it: ralph run --verify "npm test"'],
  [["Fix it", "--verify", "npm", "run", "lint", "--strict"], 'ralph run "Fix it" --verify "npm run lint" --strict'],
  [["--verify", "npm", "test", "Fix it"], 'ralph run --verify "npm test" "Fix it"'],
  [["--verify=npm", "test", "-p", "x"], 'ralph run "--verify=npm test" -p x'],
  [["--prompt", "Fix", "the", "tests"], 'ralph run --prompt "Fix the tests"'],
  [["-qp", "Fix", "it"], 'ralph run -qp "Fix it"'],
  [["--verify", "npm", "test", "fix it now", "-m", "2"], 'ralph run --verify "npm test" "fix it now" -m 2'],
  [["Fix it", "--worktree=", "fix"], 'the name follows =: ralph run "Fix it" --worktree=fix'],
  [["--worktree=", "fix", "Fix it", "--merge"], 'ralph run --worktree=fix "Fix it" --merge'],
  [["-p", "Fix it", "--worktree=", "fix"], 'ralph run -p "Fix it" --worktree=fix'],
  [["fix", "it", "--worktree="], 'ralph run "fix it" --worktree'],
  [["--", "Fix it"], 'ralph run "Fix it"'],
  [["--strict", "--", "Fix it", "--yolo"], 'ralph run "Fix it" --strict -- --yolo'],
  [["Fix it", "--scope", "src/a", "src/b"], "unexpected src/b after --scope src/a"],
])("%j lacks quotes", (words, says) => expect(refused(...words)).toContain(says));

test.each([
  [["Fix the tests", "--verify", "npm test"]],
  [["--verify", "npm test", "Fix it"]],
  [["--verify", "npm test", "refactor"]],
  [["--verify", "make", "Fix it"]],
  [["--strict", "refactor"]],
  [["--worktree=", "refactor"]],
  [["--worktree=", "Fix it"]],
  [["--worktree=fix", "Fix it"]],
  [["-p", "Fix it", "--", "two words"]],
  [["--", "--append-system-prompt", "two words"]],
  [["--agent", "claude", "refactor"]],
  [["修复测试"]],
  [["-"]],
  [["-p", "-x y"]],
  [[]],
  // Left to commander, which knows better.
  [["--promt", "fix", "it"]],
  [["fix", "it", "--help"]],
  [["-p"]],
])("%j is accepted", (words) => expect(refused(...words)).toBeNull());
