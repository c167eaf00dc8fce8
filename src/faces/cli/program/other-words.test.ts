import { expect, test } from "vitest";
import { RalphError } from "../../../core/errors.ts";
import { unitNotes } from "./duration-option.ts";
import { inKnownWords } from "./other-words.ts";
import { buildProgram } from "./program.ts";

const program = () => buildProgram(() => async () => undefined);
const known = (line: string): string => inKnownWords(program(), line.split(" ")).join(" ");

test.each([
  ["stop", "cancel"],
  ["stop 3f2a --json", "cancel 3f2a --json"],
  ["start --prompt x", "run --prompt x"],
  ["watch", "logs -f"],
  ["tui", "board"],
  ["tail 3f2a", "logs -f 3f2a"],
  ["ps", "status"],
  ["quit", "cancel"],
  ["cancel all", "cancel --all"],
  ["task retry A B", "task update A B --status todo"],
  ["-v", "--version"],
  ["ls -n 3", "list -n 3"],
  ["log", "logs"],
  ["tasks --json", "task list --json"],
  ["version", "--version"],
  ["help stop", "help cancel"],
  ["help tasks", "help task"],
  ["task ls", "task list"],
  ["task rm A", "task delete A"],
  ["workflow ls", "workflow list"],
  // Words that Ralph has are never replaced, nor are arguments.
  ["cancel stop", "cancel stop"],
  ["task show", "task show"],
  ["hook install", "hook install"],
  ["receipt verify", "receipt verify"],
  ["status ls", "status ls"],
  ["nonsense", "nonsense"],
  ["constructor", "constructor"],
  ["task constructor", "task constructor"],
])("`ralph %s` means `ralph %s`", (typed, meant) => {
  expect(known(typed)).toBe(meant);
});

test.each([
  ["config", ".ralph/settings.json"],
  ["dashboard", "ralph board"],
  ["show", "ralph why <id>"],
  ["help config", "ralph doctor"],
  ["convert prd.json", "ralph task import"],
])("`ralph %s` is answered with the right command", (typed, hint) => {
  expect(() => known(typed)).toThrow(RalphError);
  expect(() => known(typed)).toThrow(expect.objectContaining({ exitCode: 2, hint: expect.stringContaining(hint) }));
});

test.each([
  [["--timeout", "5"], ["--timeout 5: 5 seconds; write 5m for minutes"]],
  [["--timeout=90"], ["--timeout 90: 90 seconds; write 90m for minutes"]],
  [["--timeout", "1"], ["--timeout 1: 1 second; write 1m for minutes"]],
  [["--timeout", "5", "--timeout", "5m"], []],
  [["--idle-timeout", "2m", "--iteration-timeout", "0.5h"], []],
  [
    ["--idle-timeout", "2", "--iteration-timeout", "1.5"],
    [
      "--iteration-timeout 1.5: 1.5 seconds; write 1.5m for minutes",
      "--idle-timeout 2: 2 seconds; write 2m for minutes",
    ],
  ],
])("`ralph run %j` reports the units", async (args, notes) => {
  const built = program();
  let found: string[] = [];
  built.hook("preAction", (_program, command) => {
    found = unitNotes(command);
  });
  await built.parseAsync(["run", "--prompt", "x", ...args], { from: "user" });
  expect(found).toEqual(notes);
});

test("every option for a duration reports its unit", async () => {
  const options = program().commands.flatMap((command) => [command, ...command.commands].map((one) => one.options));
  const times = options.flat().filter(({ flags }) => /<(time|duration)>/.test(flags));
  expect(times.length).toBeGreaterThan(5);
  for (const option of times) {
    option.parseArg?.("7", undefined);
    expect(unitNotes({ options: [option] } as never), option.flags).toHaveLength(1);
  }
});
