import { chmodSync, cpSync, existsSync, readdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, test } from "vitest";
import { pipeline } from "./support/pipeline.ts";
import { type Ended, type Sandbox, sandbox } from "./support/sandbox.ts";
import { loopYaml, saying } from "./support/workflow-box.ts";

/** Every text in the journal that contains a path of the sandbox, with its location. */
function pathsIn({ state, cwd }: Sandbox): string[] {
  const db = new DatabaseSync(join(state, "ralph.db"), { readOnly: true });
  try {
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all() as { name: string }[];
    return tables.flatMap(({ name }) =>
      db
        .prepare(`SELECT * FROM "${name}"`)
        .all()
        .flatMap((row) => Object.entries(row as Record<string, unknown>))
        .filter(([, value]) => typeof value === "string" && (value.includes(state) || value.includes(cwd)))
        .map(([column, value]) => `${name}.${column}: ${around(String(value), [state, cwd])}`),
    );
  } finally {
    db.close();
  }
}

function around(text: string, needles: readonly string[]): string {
  const at = Math.min(...needles.map((needle) => text.indexOf(needle)).filter((found) => found >= 0));
  return text.slice(Math.max(0, at - 60), at + 120);
}

const ONE_STAGE = { ralph: { stages: ["coder"] } };

const WORKER = 'echo x >> done.txt; echo "<promise>DONE</promise>"';

test("a loop's journal names its folder, prompt, logs and checks without a path of this machine", async () => {
  const box = sandbox();
  box.initGit();
  box.program("worker", WORKER);
  box.write("sub/task.md", "Do it.");
  const guardrails = [{ command: "test -f done.txt" }, { command: "test $(wc -l < done.txt) -ge 2" }];
  box.write(".ralph/settings.json", JSON.stringify({ guardrails }));
  const check = "test $(wc -l < done.txt) -ge 3";
  const run = await box.ralph("run", "--agent", "worker", "--prompt-file", "sub/task.md", "--verify", check);
  expect(run.code, run.stderr).toBe(0);
  expect(pathsIn(box)).toEqual([]);
  const [loop] = (await box.json("list")) as { cwd: string }[];
  expect(loop?.cwd).toBe(box.cwd);
});

test(
  "a task's journals name its worktree, copies and logs without a path of this machine",
  { timeout: 120_000 },
  async () => {
    const box = pipeline();
    await box.task("T-1", { coder: "test -f T-1.txt", tester: "test -f T-1.txt", qa: "test -f T-1.txt" });
    const executed = await box.execute();
    expect(executed.code, JSON.stringify(executed.lines.slice(-3))).toBe(0);
    expect(pathsIn(box)).toEqual([]);
  },
);

test("a run's journals name its folder and files without a path of this machine", { timeout: 60_000 }, async () => {
  const box = sandbox();
  box.initGit();
  box.write(".ralph/workflows/w.yaml", loopYaml("w", { more: ["verify: test -f work.txt"] }));
  box.write("plan.json", saying("<promise>COMPLETE</promise>"));
  const run = await box.ralph("workflow", "run", "w", "--agent", "scripted", "--scenario", "plan.json");
  expect(run.code, run.stderr).toBe(0);
  expect(pathsIn(box)).toEqual([]);
});

test("an agent inside the repository is journalled without a path of this machine", { timeout: 120_000 }, async () => {
  const box = pipeline(undefined, ONE_STAGE);
  const command = box.path("tools/agent");
  box.write("tools/agent", box.read(join(box.bin, "agent")));
  chmodSync(command, 0o755);
  box.write(
    ".ralph/settings.json",
    JSON.stringify({ agent: { command: "./tools/agent", prompt: "stdin" }, ...ONE_STAGE }),
  );
  box.write(".ralph/workflows/w.yaml", loopYaml("w", { max: 1 }));
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "agent");
  await box.ralph("run", "--agent", command, "--prompt", "x", "--verify", "false", "--max-iterations", "1");
  await box.ralph("workflow", "run", "w", "--agent", command);
  await box.task("T-1", { coder: "test -f T-1.txt" });
  await box.execute();
  expect(await box.json("list")).toHaveLength(3);
  expect(pathsIn(box)).toEqual([]);
});

test("why a task stopped is journalled without a path of this machine", { timeout: 120_000 }, async () => {
  const unset = pipeline(undefined, { ralph: { ...ONE_STAGE.ralph, worktree: { setup: "exit 3" } } });
  await unset.task("T-1", { coder: "true" });
  const stopped = await unset.execute();
  expect(JSON.stringify(stopped.lines)).toContain("the worktree of T-1 could not be set up");
  expect(pathsIn(unset)).toEqual([]);

  const dirty = pipeline(undefined, ONE_STAGE);
  await dirty.task("T-1", { coder: "test -f T-1.txt" });
  dirty.write("T-1.txt", "in the way\n");
  const waits = await dirty.execute();
  expect(JSON.stringify(waits.lines)).toContain(
    "main is checked out, and files that git does not track are in the way (T-1.txt)",
  );
  expect(pathsIn(dirty)).toEqual([]);
});

/** The sandbox's folders elsewhere, and ralph there. */
function elsewhere(box: Sandbox, how: "moved" | "copied"): (...args: string[]) => Promise<Ended> {
  const there = join(dirname(box.cwd), "there");
  for (const [from, to] of [
    [box.cwd, join(there, "project")],
    [box.state, join(there, "kept")],
  ] as const) {
    cpSync(from, to, { recursive: true, preserveTimestamps: true });
    // A sandbox starts its programs in its folder: that stays, empty.
    if (how === "moved") for (const name of readdirSync(from)) rmSync(join(from, name), { recursive: true });
  }
  const script = `cd '${there}/project' && RALPH_STATE_DIR='${there}/kept' exec "$@"`;
  return (...args) => box.shell(script, ...args).ended;
}

test.each(["moved", "copied"] as const)(
  "a repository and its state folder that were %s show logs and reasons, and the loop is resumed there",
  { timeout: 60_000 },
  async (how) => {
    const box = sandbox();
    box.initGit();
    box.program("worker", 'echo "working on it"; echo x >> done.txt; echo "<promise>DONE</promise>"');
    const check = "test $(wc -l < done.txt) -ge 3";
    const first = await box.ralph(
      "run",
      "--agent",
      "worker",
      "--prompt",
      "x",
      "--verify",
      check,
      "--max-iterations",
      "2",
    );
    expect(first.code).toBe(1);
    const ralph = elsewhere(box, how);
    expect((await ralph("logs")).stdout).toContain("working on it");
    expect((await ralph("why")).stdout).toContain("iteration-limit");
    const listed = JSON.parse((await ralph("list", "--json")).stdout) as { cwd: string }[];
    const project = join(dirname(box.cwd), "there/project");
    expect(listed[0]?.cwd).toBe(project);
    const resumed = await ralph("resume", "--max-iterations", "4");
    expect(resumed).toMatchObject({ code: 0 });
    expect(existsSync(join(project, "done.txt"))).toBe(true);
    expect((await ralph("logs")).stdout.match(/working on it/g)).toHaveLength(3);
  },
);
