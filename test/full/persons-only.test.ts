import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "vitest";
import { type PipelineSandbox, pipeline } from "../support/pipeline.ts";
import type { Finished } from "../support/sandbox.ts";

const QUICK = { max_attempts: 1, max_rounds: 1, stages: ["coder"], coder: { max_iterations: 1 } };

/** A repository with a task A in work, and a task B that only the user may change. */
async function twoTasks(finished: Finished): Promise<PipelineSandbox> {
  const box = pipeline(finished, { ralph: QUICK });
  box.program("ralph", `exec "${process.execPath}" "${box.ralphPath}" "$@"`);
  box.program("specflow", `exec "${process.execPath}" "${join(box.ralphPath, "../specflow.js")}" "$@"`);
  mkdirSync(join(box.cwd, "../said"));
  await box.task("A", { coder: "test -f A.txt" });
  await box.task("B", { coder: "false" }, "--depends-on", "A", "--priority", "9");
  return box;
}

/** Removes everything of Ralph's from an agent's environment. */
const BARE = 'env -i PATH="$PATH" HOME="$HOME" RALPH_STATE_DIR="$RALPH_STATE_DIR"';
/** `<do>` is the command, `<main>` the user's own checkout, `<said>` the file for the answer. */
const inShell = (script: string) => `sh -c '${script}; echo "exit $?" >> <said>'`;
const untilSaid = "until grep -q ^exit <said> 2>/dev/null; do sleep 0.05; done";

const WAYS: Readonly<Record<string, string>> = {
  "in its own environment": inShell("<do> > <said> 2>&1"),
  "without the variable": `env -u RALPH_RUN ${inShell("<do> > <said> 2>&1")}`,
  "with another value of the variable": `env RALPH_RUN=ffffffff/1/1 ${inShell("<do> > <said> 2>&1")}`,
  "with an empty environment": `${BARE} ${inShell("<do> > <said> 2>&1")}`,
  "with an empty environment, from the user's checkout": `${BARE} ${inShell("cd <main> && <do> > <said> 2>&1")}`,
  "through a detached program": `node -e '
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, RALPH_STATE_DIR: process.env.RALPH_STATE_DIR };
    const { spawn } = require("child_process");
    spawn("sh", ["-c", "cd <main>; <do> > <said> 2>&1; echo exit $? >> <said>"], { env, detached: true, stdio: "ignore" }).unref();
  '; ${untilSaid}`,
};

/** These need the mark that descendants inherit, or the supervisor that adopts orphans. */
const ORPHANS: Readonly<Record<string, string>> = {
  "in its own session": `${BARE} setsid -w ${inShell("cd <main> && <do> > <said> 2>&1")}`,
  "as an orphan in its own session": `(${BARE} setsid -f ${inShell("cd <main> && sleep 0.2 && <do> > <said> 2>&1")} < /dev/null > /dev/null 2>&1 &); ${untilSaid}`,
  "as an orphan that has changed its mark": `(${BARE} setsid -f ${inShell("prlimit --pid $$ --locks=0; cd <main> && sleep 0.2 && <do> > <said> 2>&1")} < /dev/null > /dev/null 2>&1 &); ${untilSaid}`,
  "on its own terminal": `${BARE} setsid -f script -qec "cd <main>; <do> > <said> 2>&1; echo exit \\$? >> <said>" /dev/null < /dev/null > /dev/null 2>&1; ${untilSaid}`,
};

const ASKED = {
  update: "ralph task update B --coder-verify-cmd true",
  delete: "ralph task delete B",
  cancel: "ralph cancel A",
  specflow: "specflow task-update B --no-depends-on",
  accept: "ralph task accept --all --yes",
  execute: "ralph execute --task B",
};

test.concurrent("an agent that dropped its marker is still refused", async ({ expect, onTestFinished }) => {
  const box = await twoTasks(onTestFinished);
  const ways = Object.entries({ ...WAYS, ...(process.platform === "linux" ? ORPHANS : {}) });
  const tries = ways.flatMap(([way, script], i) =>
    Object.entries(ASKED)
      .filter(([what]) => what === "update" || what === Object.keys(ASKED)[i % 6])
      .map(([what, words]) => ({
        name: `${way}: ${what}`,
        words,
        script,
        said: join(box.cwd, `../said/${i}-${what}`),
      })),
  );
  box.plan(
    "A-coder",
    [
      ...tries.map(({ script, words, said }) =>
        script.replaceAll("<do>", words).replaceAll("<main>", box.cwd).replaceAll("<said>", said),
      ),
      "echo work > A.txt",
    ].join("\n"),
  );
  const { code } = await box.execute("--task", "A");
  expect(code).toBe(0);
  for (const { name, said } of tries) {
    const text = readFileSync(said, "utf8");
    expect(text, name).toMatch(/only the user may run /);
    expect(text, name).toMatch(/exit 2\n$/);
  }
  expect(await box.status("B")).toMatchObject({
    status: "todo",
    dependencies: ["A"],
    completion_spec: { coder: { verification_config: { command: "false" } } },
  });
});

test.concurrent("checks, and their processes, do not count as the user", async ({ expect, onTestFinished }) => {
  const box = await twoTasks(onTestFinished);
  const said = join(box.cwd, "../said/check");
  // A check is the user's, and the code that it runs the agent's.
  box.write("check.sh", `test -f A.txt || exit 1\n${BARE} ralph task delete B > ${said} 2>&1; exit 0\n`);
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "check");
  expect((await box.ralph("task", "update", "A", "--coder-verify-cmd", "sh check.sh")).code).toBe(0);
  expect((await box.execute("--task", "A")).code).toBe(0);
  expect(readFileSync(said, "utf8")).toContain("only the user may run ralph task delete");
  expect((await box.status("B")).status).toBe("todo");
});

test.concurrent("users are not taken for agents, whatever runs beside them", async ({ expect, onTestFinished }) => {
  const box = await twoTasks(onTestFinished);
  const go = join(box.cwd, "../go");
  const elsewhere = join(box.cwd, "../elsewhere");
  const said = join(box.cwd, "../said/elsewhere");
  // An agent that works on Ralph itself: it has another repository, with its own journal.
  box.plan(
    "A-coder",
    `mkdir ${elsewhere}; (cd ${elsewhere}; git init -q; export RALPH_STATE_DIR=${elsewhere}/state
      ralph task create X demo X --no-criteria; ralph task update X --title Y; ralph task delete X) > ${said} 2>&1
    until [ -f ${go} ]; do sleep 0.05; done; echo work > A.txt`,
  );
  const execution = box.start(["execute", "--json", "--task", "A"]);
  await expect.poll(() => box.exists(said) && box.read(said)).toMatch(/Deleted X/);
  // A user in the checkout, in a script, in a session and with another environment.
  expect((await box.ralph("task", "update", "B", "--assignee", "ada")).code).toBe(0);
  expect(await box.shell('"$@" && cd / && true', "task", "update", "B", "--priority", "2").ended).toMatchObject({
    code: 0,
  });
  const bare = `env -i PATH="$PATH" HOME="$HOME" RALPH_STATE_DIR="${box.state}" "$@"`;
  expect(await box.shell(bare, "task", "update", "B", "--priority", "3").ended).toMatchObject({ code: 0 });
  if (process.platform === "linux")
    expect(await box.shell(`setsid -w ${bare}`, "task", "update", "B", "--priority", "4").ended).toMatchObject({
      code: 0,
    });
  // Where agents work, no one counts as the user; the hint says what to do.
  const inside = await box.shell(`cd "${box.worktree("A")}" && "$@"`, "task", "update", "B", "--priority", "5").ended;
  expect(inside).toMatchObject({ code: 2 });
  expect(inside.stderr).toContain("the worktree of A, where agents work");
  expect(inside.stderr).toContain("in their own checkout");
  expect(await box.shell(`cd "${box.worktree("A")}" && "$@"`, "task", "list").ended).toMatchObject({ code: 0 });
  box.write(go, "");
  expect((await execution.ended).code).toBe(0);
  expect(await box.status("B")).toMatchObject({ status: "todo", priority: 4, assignee: "ada" });
  expect((await box.ralph("cancel", "B")).code).toBe(1);
  expect((await box.ralph("task", "delete", "B")).code).toBe(0);
});

test.concurrent("a command run by an existing server is not recognised", async ({ expect, onTestFinished }) => {
  const box = await twoTasks(onTestFinished);
  const inbox = join(box.cwd, "../inbox");
  const said = join(box.cwd, "../said/server");
  const server = box.shell(
    `until [ -f ${inbox} ]; do sleep 0.05; done; sh ${inbox} > ${said} 2>&1; echo "exit $?" >> ${said}`,
  );
  box.plan(
    "A-coder",
    `echo work > A.txt; echo "ralph task update B --title changed" > ${inbox}.new; mv ${inbox}.new ${inbox}
until grep -q ^exit ${said} 2>/dev/null; do sleep 0.05; done`,
  );
  expect((await box.execute("--task", "A")).code).toBe(0);
  await server.ended;
  // docs/tasks.md says so; pinned definitions stay unchanged.
  expect(readFileSync(said, "utf8")).toContain("Updated B");
});
