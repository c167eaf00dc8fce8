import { chmodSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { full, sampled } from "./support/effort.ts";
import { expectRefusal } from "./support/refusal.ts";
import { sandbox } from "./support/sandbox.ts";

const DONE = "echo '<promise>DONE</promise>'";
/** The folders with the protection records of loops. */
const recordsOf = (state: string) =>
  readdirSync(state, { recursive: true, encoding: "utf8" })
    .filter((name) => /\/protected-\w+$/.test(name))
    .map((name) => join(state, name));
const settings = (value: object) => JSON.stringify(value);

sampled(1).each([
  ["a script of package.json", "npm test", `sed -i 's/exit 1/exit 0/' package.json`, "package.json#scripts.test"],
  ["a makefile", "make check", "sed -i 's/exit 1/exit 0/' Makefile", "Makefile"],
  ["a file in a protected folder", "grep -q ok tests/expected", "echo ok > tests/expected", "tests"],
])("an agent that rewrites %s proves nothing", async (_name, verify, lie, named) => {
  const box = sandbox();
  box.write("package.json", '{"scripts":{"test":"exit 1"}}');
  box.write("Makefile", "check:\n\texit 1\n");
  box.write("tests/expected", "no\n");
  box.write(".ralph/settings.json", settings({ verify: [verify], protect: ["tests"] }));
  box.program("liar", `${lie}\n${DONE}`);
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "liar", "-m", "1");
  expect(code).toBe(1);
  expect(stderr).toContain(`tampered: ${named}`);
});

full("a protected file that becomes a pipe is tampering, and blocks nothing", async () => {
  const box = sandbox();
  box.write("guard.txt", "x");
  box.write(".ralph/settings.json", settings({ protect: ["guard.txt"] }));
  box.program("trickster", `rm -f guard.txt; mkfifo guard.txt\n${DONE}`);
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "trickster", "-m", "1");
  expect(code).toBe(1);
  expect(stderr).toContain("tampered: guard.txt");
});

full("feedback with NUL bytes in it reaches the agent", async () => {
  const box = sandbox();
  box.program("agent", `printf '%s' "$1" > "prompt-$RALPH_ITERATION"\n${DONE}`);
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "-m", "2", "-q", "--verify", "printf 'a\\0b\\n'; false");
  expect(box.read("prompt-2")).toContain("a\uFFFDb");
});

full("`why` shows the result of a turn that was recovered", async () => {
  const box = sandbox();
  box.program("agent", DONE);
  box.program("slow-once", "[ -f before ] || { touch before; exit 1; }\n[ -f again ] || { touch again; sleep 60; }");
  const run = box.start(["run", "--prompt", "x", "--agent", "agent", "--verify", "slow-once"]);
  while (!box.exists("again")) await new Promise((done) => setTimeout(done, 20));
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(130);
  expect((await box.ralph("resume")).code).toBe(0);
  const { stdout } = await box.ralph("why");
  expect(stdout).toContain("check     pass: slow-once");
  expect(stdout).toContain("decision  stopped: interrupted (by SIGINT); then stopped: verified");
});

full("a resume has its own limits, and its own stuck count", async () => {
  const box = sandbox();
  box.initGit();
  box.program("idle", "echo nothing");
  await box.ralph("run", "--prompt", "x", "--agent", "idle", "-m", "1", "-q");
  const { stderr } = await box.ralph("resume", "-m", "9", "--stuck-after", "2");
  expect(stderr).toContain("iteration 2/9");
  expect(stderr).toContain("■ stuck");
});

full("a commit takes the folder's files and leaves files that the user staged", async () => {
  const box = sandbox();
  box.initGit();
  box.write("mine.txt", "staged by a person");
  box.git("add", "mine.txt");
  box.write("sub/.ralph/settings.json", settings({ scm: { tasks: ["commit"] } }));
  box.program("agent", `echo work > made.txt\n${DONE}`);
  const { code } = await box.shell('cd sub && exec "$@"', "run", "--prompt", "x", "--agent", "agent", "-q").ended;
  expect(code).toBe(0);
  expect(box.git("show", "--name-only", "--format=", "HEAD").split("\n")).toContain("sub/made.txt");
  expect(box.git("status", "--porcelain")).toContain("A  mine.txt");
});

full.each<[string, string[], RegExp]>([
  ["a cost limit", ["--max-cost", "5"], /plain text and does not report its cost/],
  ["a token limit", ["--max-tokens", "5"], /its tokens/],
  ["a session to continue", ["--context", "continue"], /its session/],
])("%s is refused if the agent does not report it", async (_name, flags, says) => {
  const box = sandbox();
  box.program("agent", DONE);
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent", ...flags);
  expect(code).toBe(2);
  expect(stderr).toMatch(says);
});

full("the repository's settings apply in its subfolders", async () => {
  const box = sandbox();
  box.initGit();
  box.write(".ralph/settings.json", settings({ verify: ["false"] }));
  box.write("sub/x", "");
  box.program("agent", DONE);
  const sub = (...args: string[]) =>
    box.shell('cd sub && exec "$@"', "run", "--prompt", "x", "--agent", "agent", ...args).ended;
  const refused = await sub();
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("--settings ../.ralph/settings.json");
  expect((await sub("--settings", "../.ralph/settings.json", "-m", "1")).code).toBe(1);
});

full("a loop whose folder is missing is not resumed in a new one", async () => {
  const box = sandbox();
  box.write("folder/.ralph/settings.json", settings({ guardrails: [{ command: "true" }] }));
  box.program("agent", "echo hi");
  await box.shell('cd folder && exec "$@"', "run", "--prompt", "x", "--agent", "agent", "-m", "1", "-q").ended;
  rmSync(box.path("folder"), { recursive: true });
  const { code, stderr } = await box.ralph("resume", "-m", "3");
  expect(code).toBe(2);
  expect(stderr).toContain("the folder of this loop is gone");
  expect(box.exists("folder")).toBe(false);
});

full("a prompt from a pipe is the same in every iteration", async () => {
  const box = sandbox();
  box.program("agent", 'printf "%s" "$1" > "prompt-$RALPH_ITERATION"');
  await box.shell(
    'echo "from a pipe" | "$@"',
    "run",
    "--prompt-file",
    "/dev/stdin",
    "--agent",
    "agent",
    "-m",
    "2",
    "-q",
  ).ended;
  expect(box.read("prompt-1")).toContain("from a pipe");
  expect(box.read("prompt-2")).toContain("from a pipe");
});

test("processes left behind by a timed-out agent do not see the next iteration", async () => {
  const box = sandbox();
  box.program(
    "agent",
    `if [ "$RALPH_ITERATION" = 2 ]; then echo "$(ps -o stat= -p $(cat left))" > seen; exit; fi
setsid sh -c 'echo $$ > left; exec sleep 600' >/dev/null 2>&1 &
sleep 600`,
  );
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "-m", "2", "-q", "--iteration-timeout", "2s");
  expect([box.read("left"), box.read("seen")]).toEqual([
    expect.stringMatching(/^\d+\n$/),
    expect.stringMatching(/^(Z.*)?\n$/),
  ]);
});

full("the loop's own time limit is not the agent's failure", async () => {
  const box = sandbox();
  box.program("agent", '[ "$RALPH_ITERATION" = 3 ] && sleep 60\nexit 1');
  const { stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "--timeout", "2s");
  expect(stderr).toContain("■ time-limit");
});

full.each(["status", "list", "why", "logs", "cancel", "resume", "doctor"])(
  "`ralph %s` in a new folder leaves no trace",
  async (command) => {
    const box = sandbox();
    await box.ralph(command);
    expect(box.exists(box.state)).toBe(false);
  },
);

full("a second Ctrl-C does not wait for a git that hangs, and a resume finds its commit", async () => {
  const box = sandbox();
  box.initGit();
  box.write(".git/hooks/pre-commit", "#!/bin/sh\ntouch ../hooked; until [ -e ../go ]; do sleep 0.05; done\n");
  chmodSync(box.path(".git/hooks/pre-commit"), 0o755);
  box.write(".ralph/settings.json", settings({ scm: { tasks: ["commit"] } }));
  box.program("agent", `echo work > made.txt\n${DONE}`);
  const run = box.start(["run", "--prompt", "x", "--agent", "agent"]);
  while (!box.exists("../hooked")) await new Promise((done) => setTimeout(done, 20));
  run.child.kill("SIGINT");
  await run.saw("stopping…");
  run.child.kill("SIGINT");
  expect((await run.ended).code).toBe(130);
  box.write("../go", "");
  expect((await box.ralph("resume", "-q")).code).toBe(0);
  expect(box.git("log", "--format=%b").match(/Ralph-Effect/g)).toHaveLength(1);
});

test("a resume reports changes since the loop started, unless they are accepted", async () => {
  const box = sandbox();
  box.write("check.sh", "exit 1\n");
  box.program("agent", DONE);
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "sh ./check.sh", "-m", "1");
  expect((await box.ralph("resume", "-m", "2")).stderr).not.toContain("changed since");
  box.write("check.sh", "exit 0\n");
  const { stderr } = await box.ralph("resume", "-m", "3");
  expect(stderr).toMatch(
    /\n {2}! changed since it started: check\.sh \(changed: 1 line added, 1 removed\)\n {4}if that was you: ralph resume \w{8} --accept-changes/,
  );
  const accepted = await box.ralph("resume", "-m", "4", "--accept-changes");
  expect(accepted.stderr).not.toContain("changed since");
  expect(accepted.code).toBe(0);
});

full("accepting changes covers files, values and tests, and later changes are tampering again", async () => {
  const box = sandbox();
  box.write("package.json", '{"scripts":{"test":"exit 1"}}');
  box.write("kept/a.txt", "a");
  box.write("a.test.js", 'test("one", () => {});\ntest("two", () => {});\n');
  box.write(".ralph/settings.json", settings({ verify: ["npm test"], protect: ["kept"] }));
  box.program("agent", DONE);
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "-m", "1", "-q");
  box.program("agent", "echo nothing");
  box.write("package.json", '{"scripts":{"test":"exit 0"}}');
  box.write("kept/a.txt", "b");
  box.write("a.test.js", 'test("one", () => {});\n');
  const { stderr } = await box.ralph("resume", "-m", "2");
  expect(stderr).toContain(
    'kept/a.txt (changed: 1 line added, 1 removed), package.json#scripts.test (changed: "exit 1" → "exit 0"), a.test.js (1 test deleted: "two")',
  );
  box.program("agent", `echo c > kept/a.txt\n${DONE}`);
  const again = await box.ralph("resume", "-m", "3", "--accept-changes");
  expect(again.stderr).not.toContain("changed since");
  expect(again.stderr).toContain("tampered: kept/a.txt (changed: 1 line added, 1 removed)\n");
  expect((await box.ralph("resume", "-m", "4", "--accept-changes")).code).toBe(0);
});

full("a loop whose protection record is missing is resumed only once that is accepted", async () => {
  const box = sandbox();
  box.program("agent", "echo working");
  box.write("check.sh", "exit 1\n");
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "sh ./check.sh", "-m", "1");
  for (const name of recordsOf(box.state)) rmSync(name, { recursive: true });
  expectRefusal(await box.ralph("resume", "-m", "2"), /protects is missing or changed\n.*--accept-changes/);
  expect((await box.ralph("resume", "-m", "2", "--accept-changes")).stderr).toContain("iteration 2/2");
});
