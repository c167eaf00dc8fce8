import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { settingsSchema } from "../src/core/schema/settings.ts";
import { full } from "./support/effort.ts";
import { fakeClaude } from "./support/fake-claude.ts";
import { type InProcessSandbox, inProcess } from "./support/in-process.ts";
import { expectRefusal } from "./support/refusal.ts";
import type { Running } from "./support/sandbox.ts";

const SCHEMA = { $schema: "./settings.schema.json" };
const SCHEMA_FILES = [".ralph/settings.schema.json"];
const GIT = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();

interface Machine {
  box: InProcessSandbox;
  /** Only the sandbox's own programs: this machine's agents must not matter. */
  env: { PATH: string };
}

/** A repository of a Node project on a machine with these agents. */
function project(...agents: string[]): Machine {
  const box = inProcess();
  box.initGit();
  box.program("git", `exec "${GIT}" "$@"`);
  for (const agent of agents) box.program(agent, fakeClaude("<promise>DONE</promise>"));
  box.write("package.json", JSON.stringify({ scripts: { test: "node --test", lint: "eslint ." } }));
  box.write("yarn.lock", "");
  return { box, env: { PATH: box.bin } };
}

const init = ({ box, env }: Machine, ...args: string[]) => box.command(["init", ...args], env);
const settingsOf = (box: InProcessSandbox): unknown => JSON.parse(box.read(".ralph/settings.json"));
const CLAUDE = {
  command: "claude",
  flags: ["--permission-mode acceptEdits", "--allowedTools Bash(yarn run lint:*),Bash(yarn test:*)"],
};
const PROPOSED = {
  maximumIterations: 10,
  verify: ["yarn test"],
  guardrails: [{ command: "yarn run lint", failAction: "APPEND" }],
};

full("--yes writes what was found and the flags to work unattended, and shows the next steps", async () => {
  const machine = project("claude", "codex");
  const { code, stdout, stderr } = await init(machine, "--yes");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  const written = { ...SCHEMA, agent: CLAUDE, ...PROPOSED };
  expect(JSON.stringify(settingsOf(machine.box))).toBe(JSON.stringify(written));
  expect(settingsSchema.parse(written)).toEqual(written);
  expect(machine.box.read(".git/info/exclude")).toContain("settings.local.json");
  expect(stdout).toContain("wrote .ralph/settings.json");
  expect(stdout).toMatch(/! claude may edit files and run your check commands with \["--permission-mode acceptEdits"/);
  expect(stdout).toContain('ralph run "…" --dry-run');
});

test("an agent may be given with flags, to which its permissions are added unless they set a mode", async () => {
  const flagsFor = async (agent: string) => {
    const machine = project("codex");
    await init(machine, "--yes", "--agent", agent);
    return settingsOf(machine.box);
  };
  expect(await flagsFor("codex -m 'gpt x'")).toMatchObject({
    agent: { command: "codex", flags: ["-m", "gpt x", "-s workspace-write"] },
  });
  expect(await flagsFor("codex -s read-only")).toMatchObject({ agent: { flags: ["-s", "read-only"] } });
});

test("a loop runs with the written settings", async () => {
  const { box, env } = project("claude");
  box.program("yarn", 'echo "$@" >> yarn.log');
  await init({ box, env }, "--yes");
  box.write(".ralph/settings.local.json", JSON.stringify({ completion: { zero_work_guard: false } }));
  const { code, stderr } = await box.command(["run", "--prompt", "x"], { PATH: `${box.bin}:/usr/bin:/bin` });
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("~ still-green") });
  expect(box.read("yarn.log")).toContain("run lint\ntest\n");
});

full("--json has what was written and what was found", async () => {
  const machine = project("codex");
  const { code, stdout } = await init(machine, "--yes", "--json");
  expect({ code, ...JSON.parse(stdout) }).toEqual({
    code: 0,
    written: [".ralph/settings.json", ...SCHEMA_FILES, ".git/info/exclude"],
    settings: { ...SCHEMA, agent: { command: "codex", flags: ["-s workspace-write"] }, ...PROPOSED },
    detected: {
      agents: ["codex"],
      git: true,
      verify: [{ command: "yarn test", from: "package.json" }],
      guardrails: [{ command: "yarn run lint", from: "package.json" }],
      scope: [],
      notes: [],
    },
  });
});

full("without an agent and without checks the settings say so", async () => {
  const box = inProcess();
  const { code, stdout } = await init({ box, env: { PATH: box.bin } }, "--yes");
  expect(code).toBe(0);
  expect(settingsOf(box)).toEqual({ ...SCHEMA, maximumIterations: 10 });
  expect(stdout).toMatch(/! no agent is set.*--agent/);
  expect(stdout).toMatch(/! nothing proves completion/);
});

full("--agent is written as given, and must exist", async () => {
  const machine = project("claude");
  machine.box.program("my-agent", "true");
  expectRefusal(await init(machine, "--yes", "--agent", "my-agnet"), /agent not found: my-agnet/);
  expect(machine.box.exists(".ralph")).toBe(false);
  await init(machine, "--yes", "--agent", "my-agent");
  expect(settingsOf(machine.box)).toMatchObject({ agent: { command: "my-agent" } });
});

full("the scripted agent needs a scenario, and init says so", async () => {
  const { stdout } = await init(project(), "--yes", "--agent", "scripted");
  expect(stdout).toContain('ralph run "…" --scenario <file> --dry-run');
});

full("below the root of a repository it finds the lock file above, and says where the settings apply", async () => {
  const { box, env } = project("claude");
  box.write("packages/a/package.json", JSON.stringify({ scripts: { test: "node --test" } }));
  const ended = await box.run(
    "sh",
    "-c",
    `cd packages/a && PATH=${env.PATH} "${process.execPath}" "${box.ralphPath}" init --yes`,
  );
  expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining("not the root of the repository") });
  expect(JSON.parse(box.read("packages/a/.ralph/settings.json"))).toMatchObject({ verify: ["yarn test"] });
});

full("without a terminal it refuses to ask", async () => {
  const machine = project("claude");
  expectRefusal(await init(machine), /asks questions, and this is not a terminal\n.*ralph init --yes/);
  expect(machine.box.exists(".ralph")).toBe(false);
});

full("existing settings are refused; --force keeps them, once", async () => {
  const machine = project("claude");
  const { box } = machine;
  box.write(".ralph/settings.json", "mine");
  expectRefusal(await init(machine, "--yes"), /settings already exist: \.ralph\/settings\.json\n.*--force.*\.bak/);
  expect(box.read(".ralph/settings.json")).toBe("mine");
  expect((await init(machine, "--yes", "--force")).stdout).toContain(".ralph/settings.json.bak");
  expect(box.read(".ralph/settings.json.bak")).toBe("mine");
  expectRefusal(await init(machine, "--yes", "--force"), /settings\.json\.bak already exists.*\n.*move/);
  expect(box.read(".ralph/settings.json.bak")).toBe("mine");
});

full("a file in the way is reported without a stack trace", async () => {
  const machine = project("claude");
  machine.box.write(".ralph", "a file");
  expectRefusal(await init(machine, "--yes"), /cannot write .*\.ralph: EEXIST.*\n.*\.ralph\/ of this folder/);
});

full("a folder with the name of a project file is ignored", async () => {
  const { box, env } = project("claude");
  for (const name of ["go.mod", "Makefile"]) mkdirSync(join(box.cwd, name));
  box.write("tests", "");
  expect((await init({ box, env }, "--yes")).code).toBe(0);
  expect(settingsOf(box)).toMatchObject({ verify: ["yarn test"] });
});

/** Answers one question after the other, each when it is asked. */
async function converse({ child, saw }: Running, answers: readonly (readonly [question: string, typed: string])[]) {
  for (const [question, typed] of answers) {
    await saw(question);
    child.stdin?.write(typed);
  }
}

const wizard = ({ box, env }: Machine, ...args: string[]) => box.terminal(["init", ...args], env);

test("the wizard asks, shows, and writes the answers", async () => {
  const machine = project("claude", "codex");
  const running = wizard(machine);
  await converse(running, [
    ["Number or command [1]: ", "9\r"],
    ["there is no 9 in the list", "2\r"],
    ["What may codex do without asking?", "perhaps\r"],
    ["Please enter a number from 1 to 3.", "1\r"],
    ["Must it pass? [Y/n]: ", "\r"],
    ["Another command [none]: ", "make proof\r\r"],
    ["Run it every time? [Y/n]: ", "n\r"],
    ["A command [none]: ", "\r"],
    ["Commit? [y/N]: ", "y\r"],
    ["At most how many iterations? [10]: ", "0\r"],
    ["whole number, 1 or more", "4\r"],
    ['"tasks": [', ""],
  ]);
  await running.saw("Write it? [Y/n]: ");
  expect(machine.box.exists(".ralph")).toBe(false);
  running.child.stdin?.write("\r");
  const { code, stdout } = await running.ended;
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("What to do next") });
  expect(stdout).not.toContain("may be refused");
  expect(settingsOf(machine.box)).toEqual({
    ...SCHEMA,
    agent: { command: "codex", flags: ["-s workspace-write"] },
    maximumIterations: 4,
    verify: ["yarn test", "make proof"],
    scm: { tasks: ["commit"] },
  });
});

full("pressing only Enter equals --yes, also when typed ahead", async () => {
  const machine = project("claude", "codex");
  const running = wizard(machine);
  await converse(running, [["Number or command [1]: ", "\r".repeat(9)]]);
  expect((await running.ended).code).toBe(0);
  expect(settingsOf(machine.box)).toEqual({ ...SCHEMA, agent: CLAUDE, ...PROPOSED });
});

full("without an agent it says how to get one, and accepts any command", async () => {
  const { box, env } = project();
  const running = box.terminal(["init"], env);
  box.program("my-agent", "true");
  await converse(running, [
    ["No agent was found on PATH.", ""],
    ["npm install -g @anthropic-ai/claude-code", ""],
    ["Command, or scripted [decide later]: ", "my-agnet\r"],
    ["agent not found: my-agnet", "my-agent\r"],
    ["Must it pass?", "\r".repeat(7)],
  ]);
  expect((await running.ended).code).toBe(0);
  expect(settingsOf(box)).toMatchObject({ agent: { command: "my-agent" } });
});

full("declining writes nothing", async () => {
  const machine = project("claude");
  const running = wizard(machine, "--agent", "claude");
  await converse(running, [
    ["Number [1]: ", "\r".repeat(7)],
    ["Write it? [Y/n]: ", "n\r"],
  ]);
  expect(await running.ended).toMatchObject({ code: 1, stdout: expect.stringContaining("Nothing was written.") });
  expect(machine.box.exists(".ralph")).toBe(false);
});

full.each([
  ["Ctrl-C", "\u0003"],
  ["Ctrl-D", "\u0004"],
])("%s in the middle writes nothing", async (_name, key) => {
  const machine = project("claude");
  const running = wizard(machine);
  await converse(running, [
    ["Number or command [1]: ", "\r"],
    ["Number [1]: ", key],
  ]);
  expect(await running.ended).toMatchObject({ code: 130, stdout: expect.stringContaining("nothing was written") });
  expect(machine.box.exists(".ralph")).toBe(false);
});
