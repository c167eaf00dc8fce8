import { mkdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inProcess } from "./support/in-process.ts";
import { expectRefusal } from "./support/refusal.ts";
import type { Sandbox } from "./support/sandbox.ts";

/** A sandbox with the agent `yes`, which claims completion at once. */
function withAgent(): Sandbox {
  const box = inProcess();
  box.program("yes-agent", 'echo "<promise>DONE</promise>"');
  return box;
}

const RUN = ["run", "--agent", "yes-agent"];

test.each<[string, string[], RegExp]>([
  ["no prompt", [], /no prompt was given\n.*--prompt-file/],
  [
    "two prompts",
    ["--prompt", "a", "--prompt-file", "task.md"],
    /given twice: with --prompt and with --prompt-file\n.*leave out/,
  ],
  ["a missing prompt file", ["--prompt-file", "nope.md"], /no prompt file nope\.md\n.*--prompt-file/],
  ["a folder for a prompt file", ["--prompt-file", "folder"], /prompt file folder is a folder\n.*specify a file/],
  ["an empty prompt", ["--prompt", " \n"], /the prompt is empty/],
  ["an empty prompt file", ["--prompt-file", "empty.md"], /prompt file empty\.md is empty/],
  ["a binary prompt file", ["--prompt-file", "binary.md"], /prompt file binary\.md contains NUL bytes.*\n.*UTF-8/],
  ["an unknown option", ["--prompt", "x", "--max-iteration", "3"], /unknown option '--max-iteration'\n\(Did you mean/],
  ["an option without its value", ["--prompt", "x", "-m"], /'-m, --max-iterations <n>' argument missing/],
  ["an unknown context", ["--prompt", "x", "--context", "nonsense"], /--context.*'nonsense'.*fresh, continue/],
  [
    "an empty completion response",
    ["--prompt", "x", "-c", " "],
    /--completion-response.*Expected text that is not empty/,
  ],
  ["an empty check", ["--prompt", "x", "--verify", ""], /--verify.*Expected text that is not empty/],
  [
    "a missing settings file",
    ["--prompt", "x", "--settings", "nope.json"],
    /no settings file nope\.json\n.*--settings/,
  ],
  ["a folder for a settings file", ["--prompt", "x", "--settings", "folder"], /folder: EISDIR.*\n.*JSON/],
  ["a scenario for another agent", ["--prompt", "x", "--scenario", "s.yaml"], /--scenario is for the scripted agent/],
  [
    "a missing scenario",
    ["--prompt", "x", "--agent", "scripted", "--scenario", "nope.yaml"],
    /no scenario nope\.yaml\n.*--scenario/,
  ],
  ["an empty loop id", ["--resume", ""], /--resume.*Expected text that is not empty/],
  ["a prompt without quotes", ["do", "it"], /the prompt is one argument, .*\n.*run --agent yes-agent "do it"/],
  ["a prompt as argument and option", ["do it", "-p", "x"], /given twice: as an argument and with --prompt\n/],
  ["a missing file as a prompt", ["PROMPT.md"], /there is no file PROMPT\.md\n.*run --prompt-file PROMPT\.md/],
  ["a folder as a prompt", ["./"], /the prompt \.\/ is a folder\n.*quoted/],
  ["the name of a file as a prompt", ["empty.md"], /empty\.md is the name of a file\n.*run --prompt-file empty\.md/],
  [
    "a prompt for a resumed loop",
    ["do it", "--resume", "last"],
    /keeps its settings: the prompt, --agent cannot be changed/,
  ],
])("refuses %s", async (_name, args, says) => {
  const box = withAgent();
  mkdirSync(box.path("folder"));
  box.write("empty.md", "");
  writeFileSync(box.path("binary.md"), Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1, 2, 0xff]));
  expectRefusal(await box.ralph(...RUN, ...args), says);
  expect(box.exists(box.state)).toBe(false);
});

test("refuses a bad number for every flag", async () => {
  const box = withAgent();
  const flags: [string, string][] = [
    ["--max-iterations", "whole number from 1"],
    ["--maximum-iterations", "whole number from 1"],
    ["--max-tokens", "whole number from 1"],
    ["--stuck-after", "whole number from 0"],
    ["--max-cost", "dollars above 0"],
    ["--timeout", "duration above 0"],
    ["--iteration-timeout", "duration above 0"],
    ["--idle-timeout", "duration above 0"],
  ];
  const ends = await Promise.all(flags.map(([flag]) => box.ralph(...RUN, "--prompt", "x", flag, "-1")));
  for (const [i, end] of ends.entries()) {
    const [flag = "", expected = ""] = flags[i] ?? [];
    expectRefusal(end, flag);
    expect(end.stderr).toContain("argument '-1' is invalid. Expected");
    expect(end.stderr).toContain(expected);
  }
  expect(box.exists(box.state)).toBe(false);
});

test.each<[string[], RegExp]>([
  [["rnu"], /unknown command 'rnu'\n\(Did you mean run\?\)/],
  [["statuus"], /unknown command 'statuus'\n\(Did you mean status\?\)/],
  [["run", "--promt", "x"], /unknown option '--promt'\n\(Did you mean --prompt\?\)/],
  [["--promt", "x"], /unknown option '--promt'\n\(Did you mean --prompt\?\)/],
  [["init", "--yse"], /unknown option '--yse'\n\(Did you mean --yes\?\)\n {2}help: `ralph init --help`/],
  [["Fix", "it"], /^error: unknown command 'Fix'\n {2}help: .* a task is quoted: (npx )?ralph run "Fix it"/],
  [["help", "rnu"], /^error: unknown command 'rnu'\n\(Did you mean run\?\)\n {2}help: `ralph --help`/],
])("the mistyped `ralph %j` is answered with a suggestion", async (args, says) => {
  expectRefusal(await inProcess().ralph(...args), says);
});

test("an unknown shell is answered with the known ones", async () => {
  expectRefusal(await inProcess().ralph("completion", "csh"), /'csh' is invalid.* bash, zsh, fish/);
});

test.each<[string, string, RegExp]>([
  ["broken JSON", '{"agent": ', /\.ralph\/settings\.json:1:10: expected a value.*\n(.*\n)*.*it must be a JSON file/],
  ["nothing", "", /settings\.json:1:1: the file is empty/],
  ["an unknown key", '{"agnt": {}}', /settings\.json:1:2: agnt: unknown key "agnt", did you mean "agent"\?/],
  [
    "an unknown inner key",
    '{"agent": {"command": "a", "flag": []}}',
    /agent\.flag: unknown key "flag", did you mean "flags"/,
  ],
  ["a wrong type", '{"maximumIterations": "5"}', /maximumIterations: expected a whole number, got "5"/],
  ["a wrong number", '{"maximumIterations": 0}', /maximumIterations: expected a whole number from 1, got the number 0/],
  ["a wrong word", '{"context": "stale"}', /context: expected one of fresh, continue, got "stale"/],
  ["a list", "[]", /settings\.json:1:1: expected settings: a JSON object, got a list/],
  [
    "two faults",
    '{"timeout": -1, "verify": "npm test"}',
    /:1:13: timeout: expected seconds, more than 0.*\n.*:1:27: verify: expected a list of commands/,
  ],
])("refuses settings with %s", async (_name, content, says) => {
  const box = withAgent();
  box.write(".ralph/settings.json", content);
  expectRefusal(await box.ralph("run", "--prompt", "x"), says);
  expect(box.exists(box.state)).toBe(false);
});

test("refuses personal settings in the same way", async () => {
  const box = withAgent();
  box.write(".ralph/settings.local.json", "{");
  expectRefusal(await box.ralph(...RUN, "--prompt", "x"), /settings\.local\.json/);
});

test.each<[string, string, RegExp]>([
  ["is not on PATH", "no-such-agent", /agent not found: no-such-agent\n.*install it/],
  ["is not at its path", "./nowhere", /agent not found: \.\/nowhere/],
  ["is a folder", "./folder", /\.\/folder is a folder, not a program/],
  ["is not executable", "./notes.txt", /\.\/notes\.txt is not executable\n.*chmod \+x/],
  ["is empty", "", /--agent.*Expected text that is not empty/],
  ["is scripted without a scenario", "scripted", /needs a scenario.*\n.*--scenario/],
])("refuses an agent that %s", async (_name, agent, says) => {
  const box = inProcess();
  mkdirSync(box.path("folder"));
  box.write("notes.txt", "no program");
  expectRefusal(await box.ralph("run", "--prompt", "x", "--agent", agent), says);
  expect(await box.json("list")).toEqual([]);
});

test("asks for a choice if no agent or several are on PATH", async () => {
  const box = inProcess();
  const env = { PATH: box.path("../bin") };
  expectRefusal(await box.start(["run", "--prompt", "x"], env).ended, /none of claude, codex/);
  for (const name of ["codex", "claude"]) box.program(name, "exit 1");
  expectRefusal(await box.start(["run", "--prompt", "x"], env).ended, /several are on PATH: claude, codex/);
});

test("an agent whose interpreter is missing is refused in the first turn", async () => {
  const box = inProcess();
  box.program("odd-agent", "#!/no/such/interpreter\n");
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "odd-agent");
  expect(code).toBe(2);
  expect(stderr).toContain("agent-missing: odd-agent: the program or its interpreter was not found");
});

test("an invalid scenario stops the loop with the player's message", async () => {
  const box = inProcess();
  box.write("bad.yaml", "iterations:\n  - sya: hi\n");
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--scenario", "bad.yaml");
  expect(code).toBe(1);
  expect(stderr.slice(stderr.indexOf("■ agent-failed"))).toMatch(
    /bad\.yaml:2:5: iterations\[0\]\.sya: unknown key "sya", did you mean "say"/,
  );
});

test("a prompt file that is not UTF-8 is still read", async () => {
  const box = withAgent();
  writeFileSync(box.path("latin.md"), Buffer.from("gr\xfc\xdfe", "latin1"));
  expect((await box.ralph(...RUN, "--prompt-file", "latin.md")).code).toBe(0);
});

test("settings may start with a byte order mark", async () => {
  const box = withAgent();
  box.write(".ralph/settings.json", '\uFEFF{"agent": {"command": "yes-agent"}}');
  expect((await box.ralph("run", "--prompt", "x")).code).toBe(0);
});

test("a prompt too long for a command line is refused, and a shorter one is accepted", async () => {
  const box = withAgent();
  box.write("task.md", "word ".repeat(200_000));
  const { code, stderr } = await box.ralph(...RUN, "--prompt-file", "task.md");
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /error: the prompt is too long for the command line of yes-agent.*\n {2}help: pass it on standard input/,
  );
  expect(stderr).not.toMatch(/^ {4}at /m);
  box.write("task.md", "short");
  expect((await box.ralph("resume")).code).toBe(0);
});

test("the scripted agent accepts a prompt of a megabyte", async () => {
  const box = inProcess();
  box.write("task.md", "word ".repeat(200_000));
  box.write(
    "s.yaml",
    "iterations:\n  - steps:\n      - write: { path: work.txt, content: work }\n      - say: <promise>DONE</promise>\n",
  );
  expect((await box.ralph("run", "--prompt-file", "task.md", "--scenario", "s.yaml")).code).toBe(0);
});

test("a file in place of the run files' folder is reported before anything runs", async () => {
  const box = withAgent();
  box.write(".ralph", "in the way");
  box.write("my.json", '{"guardrails": [{"command": "true"}]}');
  const { code, stderr } = await box.ralph(...RUN, "--prompt", "x", "--settings", "my.json");
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^error: cannot write .*\/\.ralph: .*\n {2}help: guardrails write their logs to \.ralph\/ .* a writable folder/,
  );
  expect(await box.json("list")).toEqual([]);
});

test("a missing working folder is reported", async () => {
  const box = withAgent();
  const { ended } = box.shell('mkdir gone && cd gone && rmdir ../gone && "$@"', "status");
  expectRefusal(await ended, /the folder you are in no longer exists/);
  box.program("agent", 'rm -rf "$PWD"');
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent");
  expect(stderr).toMatch(/■ agent-failed: agent did not start: the folder .*\/work is gone/);
  expect(code).toBe(1);
});

test("only scm tasks need git", async () => {
  const box = withAgent();
  box.program("sh", 'exec /bin/sh "$@"');
  const withoutGit = { PATH: box.path("../bin") };
  const plain = box.start([...RUN, "--prompt", "x", "--verify", "true", "--stuck-after", "2"], withoutGit);
  expect((await plain.ended).code).toBe(0);
  box.write(".ralph/settings.json", '{"scm": {"tasks": ["commit"]}}');
  expectRefusal(await box.start([...RUN, "--prompt", "x"], withoutGit).ended, /scm tasks need git, .*not on PATH/);
  expectRefusal(await box.ralph(...RUN, "--prompt", "x"), /scm tasks need a git repository.*\n.*git init/);
});

test("an error in the middle of a loop says how to continue", async () => {
  const box = inProcess();
  box.write("task.md", "a task");
  box.program("agent", "rm -f task.md");
  const { code, stderr } = await box.ralph("run", "--prompt-file", "task.md", "--agent", "agent");
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /error: there is no prompt file task\.md\n {2}help: put it back, .*; then `ralph resume \w{8}`/,
  );
});
