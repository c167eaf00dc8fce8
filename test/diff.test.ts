import { execFileSync } from "node:child_process";
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { atEnd } from "./support/at-end.ts";
import { full } from "./support/effort.ts";
import { pipeline } from "./support/pipeline.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const finished = atEnd();

/** A loop of two iterations in a checkout that was dirty before it started. */
async function worked(): Promise<Sandbox> {
  const box = sandbox(finished);
  box.initGit();
  box.write("a.txt", "one\n");
  box.write("old.txt", "moved as it is\nand long enough to be known again\n");
  box.write("test/a.test.js", "// a test\n");
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "start");
  box.write("mine.txt", "the user's own\n");
  box.write("a.txt", "one\nthe user's own line\n");
  box.program(
    "agent",
    `cat > /dev/null
case $RALPH_ITERATION in
  1) echo new > b.txt; mv old.txt renamed.txt; git add --all; git commit --quiet -m agent ;;
  2) echo line >> a.txt; echo '// more' >> test/a.test.js; touch done; echo '<promise>DONE</promise>' ;;
esac`,
  );
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "test -f done");
  if (code !== 0) throw new Error(stderr);
  return box;
}

test.concurrent("a loop is compared with the state at its start, whatever was committed since", async () => {
  const box = await worked();
  const { code, stdout, stderr } = await box.ralph("diff", "last");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("+line\n");
  expect(stdout).toContain("rename from old.txt\nrename to renamed.txt\n");
  expect(stdout).not.toContain("+the user's own");
  expect(stdout).not.toContain("mine.txt");
  // It is a real patch.
  const start = join(box.cwd, "../start");
  execFileSync("git", ["clone", "--quiet", box.cwd, start]);
  execFileSync("git", ["checkout", "--quiet", "HEAD~1"], { cwd: start });
  execFileSync("sh", ["-c", 'echo "the user\'s own line" >> a.txt'], { cwd: start });
  execFileSync("git", ["apply", "-"], { cwd: start, input: stdout });
  expect(readdirSync(start).sort()).toEqual([".git", "a.txt", "b.txt", "done", "renamed.txt", "test"]);
});

full.concurrent.each<[string[], string]>([
  [["--name-only"], "a.txt\nb.txt\ndone\nrenamed.txt\ntest/a.test.js\n"],
  [["--name-only", "--iteration", "1"], "b.txt\nrenamed.txt\n"],
  [["--name-only", "--iteration", "2"], "a.txt\ndone\ntest/a.test.js\n"],
  [["--name-only", "--tests"], "test/a.test.js\n"],
  [["--stat", "--tests"], " test/a.test.js | 1 +\n 1 file changed, 1 insertion(+)\n"],
  [["last", "--tests", "--iteration", "1"], ""],
])("ralph diff %j", async (args, expected) => {
  const box = await worked();
  const { code, stdout } = await box.ralph("diff", ...args);
  expect([code, stdout]).toEqual([0, expected]);
});

full.concurrent("scripts get the files as JSON, with each file's role in deciding completion", async () => {
  const box = await worked();
  expect(await box.json("diff", "--tests")).toMatchObject({
    loop: expect.stringMatching(/^[0-9a-f]{8}$/),
    files: [{ path: "test/a.test.js", change: "changed", added: 1, removed: 0, decides: "test" }],
    notes: [],
  });
});

full.concurrent("an unknown loop or iteration is reported in one line, without a stack trace", async () => {
  const box = await worked();
  const said = async (...args: string[]) => {
    const { code, stderr } = await box.ralph("diff", ...args);
    return [code, stderr.split("\n")[0]];
  };
  expect(await said("nope")).toEqual([2, "error: there is no loop and no task nope here"]);
  expect(await said("--iteration", "7")).toEqual([1, expect.stringMatching(/has no iteration 7: it has had 2$/)]);
  expect(await said("--stat", "--json")).toEqual([2, expect.stringContaining("")]);
  box.write("later.txt", "x");
  expect(await said("--name-only")).toEqual([0, expect.stringContaining("! the working tree has changed since")]);
});

full.concurrent("a loop of an older version, whose journal has no snapshots, falls back to its commit", async () => {
  const box = await worked();
  const [loop = ""] = readdirSync(join(box.state, "loops"));
  rmSync(join(box.state, "loops", loop, "snapshots.git"), { recursive: true });
  const { code, stdout, stderr } = await box.ralph("diff", "--name-only");
  expect([code, stdout.split("\n")]).toEqual([0, expect.arrayContaining(["a.txt", "b.txt", "mine.txt"])]);
  expect(stderr).toMatch(/! loop \w+ has no snapshots: showing the changes since \w+, the commit it started on/);
  const refused = await box.ralph("diff", "--iteration", "1");
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("was not recorded")]);
});

full.concurrent("without git nothing was recorded", async () => {
  const box = sandbox(finished);
  box.program("agent", "cat > /dev/null; touch done; echo '<promise>DONE</promise>'");
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "test -f done");
  const { code, stderr } = await box.ralph("diff");
  expect([code, stderr]).toEqual([1, expect.stringContaining("did not run in a git repository")]);
});

full.concurrent("on a terminal it uses the user's pager, and quitting that is not an error", async () => {
  const box = await worked();
  box.program("mypager", "sed 's/^/PAGED /'");
  box.program("quitter", "head -n 1");
  const terminal = (pager: string) => box.terminal(["diff"], { GIT_PAGER: pager, TERM: "xterm" }).ended;
  const paged = await terminal("mypager");
  expect([paged.code, paged.stdout]).toEqual([0, expect.stringContaining("PAGED ")]);
  expect((await terminal("quitter")).code).toBe(0);
  const piped = await box.shell('"$@" | head -n 1', "diff").ended;
  expect(piped.stdout).toContain("diff --git a/a.txt b/a.txt");
});

full.concurrent("no file content or name can control a terminal without a pager", async () => {
  const box = sandbox(finished);
  box.initGit();
  box.program(
    "agent",
    `cat > /dev/null
printf 'a\\033]0;owned\\007b\\033[2Jc\\n' > "$(printf 'n\\033[31mame.txt')"
touch done; echo '<promise>DONE</promise>'`,
  );
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "test -f done");
  const shown = await box.terminal(["diff"], { GIT_PAGER: "cat", TERM: "xterm" }).ended;
  expect(shown.code).toBe(0);
  expect(shown.stdout).toContain("+abc");
  expect(shown.stdout).not.toMatch(/\u001b\]|\u001b\[2J|\u001b\[31mame|\u0007/);
  // A program gets it unchanged.
  expect((await box.ralph("diff")).stdout).toContain("a\u001b]0;owned\u0007b");
});

full.concurrent("a task is compared with the base of its branch, before and after the merge", async () => {
  const box = pipeline(finished, { ralph: { stages: ["coder"] } });
  await box.task("A", { coder: "test -f A.txt" });
  await box.task("B", { coder: "test -f B.txt" });
  await box.task("C", { coder: "false" }, "--coder-max-iterations", "1");
  const unbegun = await box.ralph("diff", "C");
  expect([unbegun.code, unbegun.stderr]).toEqual([1, expect.stringContaining("C has no branch yet")]);
  await box.ralph("execute", "--max-parallel", "1");
  for (const task of ["A", "B", "C"]) {
    const { stdout } = await box.ralph("diff", task, "--name-only");
    expect(stdout).toBe(`${task}.txt\n`);
  }
  expect((await box.ralph("diff", "A", "--iteration", "1", "--name-only")).stdout).toBe("A.txt\n");
});
