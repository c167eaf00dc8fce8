import { expect, test } from "vitest";
import { atEnd } from "./support/at-end.ts";
import { full, sample } from "./support/effort.ts";
import { hostSession } from "./support/host-session.ts";
import { pipeline } from "./support/pipeline.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const DONE = "<promise>DONE</promise>";
type Files = Readonly<Record<string, string>>;

const packaged = (scripts: object, more: Files = {}): Files => ({
  "package.json": JSON.stringify({ name: "x", scripts }),
  ...more,
});

const finished = atEnd();

function workplace(files: Files, work = ""): Sandbox {
  const box = sandbox(finished);
  for (const [name, text] of Object.entries(files)) box.write(name, text);
  box.program("agent", `echo ran >> runs\n${work}\necho '${DONE}'`);
  return box;
}

const run = (box: Sandbox, command: string, ...more: string[]) =>
  box.ralph("run", "--prompt", "x", "--agent", "agent", "-m", "1", "--verify", command, ...more);

// The check, the existing files, what the refusal names, and what makes it pass.
const ABSENT: [string, Files, string, string][] = [
  ["no-such-tool --all", {}, "the program no-such-tool was not found", ""],
  ["no-such-tool 2>/dev/null | tail -1", {}, "the program no-such-tool was not found", ""],
  ["CI=1 timeout 60 no-such-tool", {}, "the program no-such-tool was not found", ""],
  ["true && no-such-tool src", {}, "the program no-such-tool was not found", ""],
  ["sh -c 'cd . && no-such-tool'", {}, "the program no-such-tool was not found", ""],
  ["./check.sh", {}, "the file ./check.sh does not exist", "echo exit 0 > check.sh; chmod +x check.sh"],
  ["bash scripts/check.sh", {}, "the file scripts/check.sh", "mkdir -p scripts; echo exit 0 > scripts/check.sh"],
  [
    "npm test",
    packaged({ build: "true" }),
    'the package script "test" does not exist',
    `echo '{"scripts":{"test":"true"}}' > package.json`,
  ],
  ["npm run -s lint", packaged({ test: "true" }), 'the package script "lint" does not exist', ""],
  ["npm test", {}, "there is no package.json", ""],
  ["npm run -s lint", {}, 'the package script "lint" does not exist', ""],
  ["python3 -m no_such_module", {}, "python3 has no module no_such_module", "touch no_such_module.py"],
  [
    "make check",
    { Makefile: "all:\n\ttrue\n" },
    'the target "check" does not exist',
    "printf 'check:\\n\\ttrue\\n' > Makefile",
  ],
  ["cargo no-such-command", {}, 'the subcommand "no-such-command" does not exist', ""],
];

test.concurrent.each(
  sample(ABSENT, 1),
)("what a check's own command names must exist: %s", async (command, files, what) => {
  const box = workplace(files);
  const { code, stderr } = await run(box, command);
  expect(stderr).toContain("■ check-missing");
  expect(stderr).toContain(what);
  expect(stderr).toContain("--missing-ok");
  expect(code).toBe(2);
  expect(box.exists("runs")).toBe(false);
});

full.concurrent.each(ABSENT.filter(([, , , work]) => work !== ""))(
  "with --missing-ok the agent may create it: %s",
  async (command, files, what, work) => {
    const box = workplace(files, work);
    const { code, stderr } = await run(box, command, "--missing-ok");
    expect(stderr).toContain(`· before any work: ${command} (${what}`);
    expect(stderr).toContain("fixed");
    expect(code).toBe(0);
    expect(box.read("runs")).toBe("ran\n");
  },
);

full.concurrent("with --missing-ok a command still missing at a claim is a failure reported to the agent", async () => {
  const box = workplace({});
  const { code, stderr } = await run(box, "no-such-tool", "--missing-ok", "-m", "2");
  expect(code).toBe(1);
  expect(box.read("runs")).toBe("ran\nran\n");
  expect(stderr).toContain("■ iteration-limit");
  expect(stderr).toMatch(/✗ not proven .*the program no-such-tool was not found/);
  expect(stderr).toContain("still failing");
});

test.concurrent("a command that goes missing while the loop runs is unknown, never a pass", async () => {
  const box = workplace({ "check.sh": "exit 1\n" }, "rm -f check.sh");
  box.write(".ralph/settings.json", JSON.stringify({ protect: ["!check.sh"] }));
  const { code } = await run(box, "sh ./check.sh");
  expect(code).toBe(1);
});

const UNIT =
  "import unittest\nimport app\nclass T(unittest.TestCase):\n  def test(self): self.assertEqual(app.f(), 1)\n";
const NODE_TEST = `require("node:test")("f", () => require("node:assert").equal(require("./f.js"), 1));\n`;

/** Puts the program on PATH. */
const INSTALL = 'tool="$(dirname "$0")/tool-of-the-project"; echo "#!/bin/sh" > "$tool"; chmod +x "$tool"';

// Things that only the tests need or call are work.
full.concurrent.each<[string, string, Files, string]>([
  ["a test file that is not written yet", "node --test a.test.js", {}, `echo "" > a.test.js`],
  ["a module under test", "node --test a.test.js", { "a.test.js": NODE_TEST }, "echo 'module.exports = 1' > f.js"],
  [
    "a Python module under test",
    "python3 -m unittest test_app",
    { "test_app.py": UNIT },
    "echo 'def f(): return 1' > app.py",
  ],
  [
    "a Python test",
    "python3 -m unittest test_new",
    {},
    "printf 'import unittest\\nclass T(unittest.TestCase):\\n  def test_it(self): self.assertTrue(len(\"x\"))\\n' > test_new.py",
  ],
  ["a program that a script calls", "npm test", packaged({ test: "tool-of-the-project" }), INSTALL],
  ["a script that another one calls", "npm test", packaged({ test: "npm run lint" }), ""],
  ["a program that a recipe calls", "make check", { Makefile: "check:\n\ttool-of-the-project\n" }, INSTALL],
  ["a program that a script file calls", "sh run.sh", { "run.sh": "tool-of-the-project\n" }, INSTALL],
  [
    "a compile error",
    "cc -o app app.c && ./app",
    { "app.c": "int main( {}\n" },
    "echo 'int main(){return 0;}' > app.c",
  ],
  [
    "a compile error, and the next command still runs",
    "cc -o app app.c; ./app",
    { "app.c": "int main( {}\n" },
    "echo 'int main(){return 0;}' > app.c",
  ],
  ["a snapshot", "diff out.txt snapshot.txt", { "out.txt": "1\n" }, "cp out.txt snapshot.txt"],
  ["a file", "test -s result.txt", {}, "echo 1 > result.txt"],
  ["a source file of the work", "node app.js | grep -q Hello", {}, `echo 'console.log("Hello")' > app.js`],
  ["an alternative", "no-such-tool || grep -q x y", {}, "echo x > y"],
  ["a folder", "cd packages/x && test -f y", {}, "mkdir -p packages/x; touch packages/x/y"],
])("an ordinary failing baseline: %s (%s)", async (_name, command, files, work) => {
  const box = workplace(files, work);
  const { code, stderr } = await run(box, command);
  expect(stderr).toContain(`· before any work: ${command}`);
  expect(box.read("runs")).toBe("ran\n");
  if (work === "") expect(stderr).toContain("still failing");
  else expect([stderr, code]).toEqual([expect.stringContaining("fixed"), 0]);
});

full.concurrent("criteria allow it with missing_ok", async () => {
  const box = workplace({}, "echo exit 0 > check.sh; chmod +x check.sh");
  const completion = { verification_method: "external", verification_config: { command: "./check.sh" } };
  box.write(".ralph/settings.json", JSON.stringify({ completion: { ...completion, missing_ok: true } }));
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent");
  expect([stderr, code]).toEqual([expect.stringContaining("the file ./check.sh does not exist"), 0]);
});

full.concurrent(
  "a task whose check cannot be run waits for the user; missing_ok lets its agent create it",
  async ({ onTestFinished }) => {
    const box = pipeline(onTestFinished, { ralph: { stages: ["coder"] } });
    await box.task("A", { coder: "make check" });
    expect((await box.execute()).code).toBe(1);
    expect(await box.status("A")).toMatchObject({ status: "blocked" });
    expect(box.calls()).toEqual([]);
    const criteria = {
      missing_ok: true,
      verification_method: "external",
      verification_config: { command: "make check" },
    };
    await box.task("B", {}, "--coder-criteria-file", box.write("../b.json", JSON.stringify(criteria)));
    box.plan("B-coder", "printf 'check:\\n\\ttrue\\n' > Makefile");
    expect((await box.execute("--task", "B")).code).toBe(0);
    expect(await box.status("B")).toMatchObject({ status: "done" });
  },
);

full.concurrent("a host's session is refused and allowed in the same way", async ({ onTestFinished }) => {
  const box = sandbox(onTestFinished);
  const host = hostSession(box);
  const refused = await host.type('/ralph "Make it" --verify "make check"');
  expect(JSON.stringify(refused)).toMatch(
    /check-missing, make check: the target .*check.* does not exist.*--missing-ok/,
  );
  const begun = await host.type('/ralph "Make it" --verify "make check" --missing-ok');
  expect(JSON.stringify(begun)).toContain("Make it");
  box.write("Makefile", "check:\n\ttrue\n");
  expect(JSON.stringify(await host.stop("Done. <promise>DONE</promise>"))).toContain("Ralph Loop Complete!");
});
