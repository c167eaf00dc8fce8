import { mkdirSync } from "node:fs";
import { expect, test } from "vitest";
import { hostSession } from "./support/host-session.ts";
import { PATIENT } from "./support/patience.ts";
import { type Ended, type Running, type Sandbox, sandbox } from "./support/sandbox.ts";
import { loopYaml } from "./support/workflow-box.ts";

const RUN = ["run", "--agent", "worker", "--prompt", "Write the guide", "--verify", "true"];

const DONE = "echo '<promise>DONE</promise>'";

const WORKER = `cd "$(git rev-parse --show-toplevel)" && mkdir -p docs && echo $$ >> docs/guide.md
echo '<promise>DONE</promise>'`;

/** A loop that works on `src/a` until it is ended. */
async function occupied(): Promise<{ box: Sandbox; run: Running; id: string }> {
  const box = sandbox();
  box.initGit();
  mkdirSync(box.path("docs"));
  box.program("worker", WORKER);
  box.write("hang.yaml", "iterations: [{ steps: [{ say: ready }, { hang: true }] }]\n");
  const args = ["run", "--scenario", "hang.yaml", "--prompt", "Fix the parser\nof dates", "--scope", "src/a/**"];
  const run = box.start(args);
  await run.saw("ready");
  const [loop] = (await box.json("list")) as { id: string }[];
  return { box, run, id: loop?.id ?? "" };
}

const inFolder = (box: Sandbox, folder: string, ...args: string[]): Promise<Ended> =>
  box.shell(`cd '${folder}' && exec "$@"`, ...args).ended;

test(
  "a second loop in a checkout is refused, unless it cannot change the same files",
  { timeout: 120_000 },
  async () => {
    const { box, run, id } = await occupied();
    box.write(".ralph/workflows/w.yaml", loopYaml("w", { max: 1 }));
    const refused = {
      code: 2,
      stderr: expect.stringMatching(
        new RegExp(
          `^error: loop ${id} works in this (folder|checkout \\(\\.\\.\\)): "Fix the parser"\\n {2}help: .*ralph cancel ${id}.*--force`,
        ),
      ),
    };
    expect(await box.ralph(...RUN)).toMatchObject(refused);
    expect(await inFolder(box, "docs", ...RUN, "--json")).toMatchObject(refused);
    expect(await box.ralph(...RUN, "--scope", "src/**")).toMatchObject(refused);
    expect(await box.ralph("workflow", "run", "w", "--agent", "worker")).toMatchObject(refused);
    // Nothing of a refused loop stays.
    expect(await box.json("list")).toHaveLength(1);

    expect(await box.ralph(...RUN, "--scope", "docs/**")).toMatchObject({ code: 0 });
    const forced = await box.ralph(...RUN, "--force");
    expect(forced.stderr).toContain(`! loop ${id} works in this folder: "Fix the parser" (ralph status ${id}`);
    expect(forced.code).toBe(0);
    expect(await box.ralph(...RUN, "--force", "-q")).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining("Fix the parser"),
    });

    expect((await box.ralph(...RUN, "--verify", "false", "-m", "1", "--force")).code).toBe(1);
    const [last] = (await box.json("list")) as { id: string }[];
    expect(await box.ralph("resume", last?.id ?? "", "-m", "5")).toMatchObject(refused);
    expect(await box.ralph("resume", last?.id ?? "", "-m", "2", "--force")).toMatchObject({ code: 1 });

    box.git("worktree", "add", "--quiet", "../other");
    expect(await inFolder(box, "../other", ...RUN)).toMatchObject({ code: 0 });
    // In a host's session, the user sees what happens and decides.
    const session = hostSession(box);
    const typed = await session.type('/ralph "Write the guide" --max-iterations 3');
    expect(JSON.stringify(typed)).toContain(`Warning: loop ${id} works in this folder`);
    // A killed loop is not live; that of a session is, until the session is silent for long.
    run.child.kill("SIGKILL");
    await run.ended;
    expect((await box.ralph(...RUN)).stderr).toMatch(/^error: loop .* works in this folder: "Write the guide"/);
    await session.type("/cancel-ralph");
    expect(await box.ralph(...RUN)).toMatchObject({ code: 0 });
  },
);

test("of two loops that start together one is refused; a loop may start another", { timeout: 60_000 }, async () => {
  const box = sandbox();
  box.program("worker", "while [ ! -e go ]; do sleep 0.05; done; echo '<promise>DONE</promise>'");
  const runs = [box.start(RUN), box.start(RUN)];
  const first = await Promise.race(runs.map(({ ended }) => ended));
  expect(first).toMatchObject({ code: 2, stderr: expect.stringContaining("works in this folder") });
  box.write("go", "");
  const codes = (await Promise.all(runs.map(({ ended }) => ended))).map(({ code }) => code);
  expect(codes.sort()).toEqual([0, 2]);

  box.program(
    "outer",
    `ralph-again run --agent worker --prompt inner --verify true || exit 1; echo '<promise>DONE</promise>'`,
  );
  box.program("ralph-again", `exec '${process.execPath}' '${box.ralphPath}' "$@"`);
  expect(await box.ralph("run", "--agent", "outer", "--prompt", "outer", "--verify", "true")).toMatchObject({
    code: 0,
  });
  expect(await box.json("list")).toHaveLength(3);
});

test(
  "loops with scopes of their own are proven side by side, unless an agent started one",
  { timeout: 120_000 },
  async () => {
    const box = sandbox();
    box.initGit();
    for (const name of ["a", "b"])
      box.program(
        name,
        `touch here-${name}; echo $$ >> src/${name}/f; while [ ! -e go-${name} ]; do sleep 0.05; done; ${DONE}`,
      );
    box.write("src/a/f", "");
    box.write("src/b/f", "");
    box.write(".gitignore", "here-*\ngo-*\n");
    box.git("add", "-A");
    box.git("commit", "--quiet", "-m", "files");
    const start = (name: string) =>
      box.start(["run", name, "--agent", name, "--verify", `test -s src/${name}/f`, "--scope", `src/${name}/**`]);
    const runs = [start("a"), start("b")];
    await expect.poll(() => box.exists("here-a") && box.exists("here-b"), PATIENT).toBe(true);
    for (const name of ["a", "b"]) box.write(`go-${name}`, "");
    for (const { ended } of runs) expect((await ended).stderr).toContain("verified");

    // An agent cannot widen its scope with a loop that it starts.
    box.program("inner", `echo x >> src/b/f; ${DONE}`);
    box.program(
      "cheat",
      `ralph-again run x --agent inner --verify true --scope 'src/b/**'; echo y >> src/a/f; ${DONE}`,
    );
    box.program("ralph-again", `exec '${process.execPath}' '${box.ralphPath}' "$@"`);
    const cheat = await box.ralph("run", "x", "--agent", "cheat", "--verify", "true", "--scope", "src/a/**", "-m", "1");
    expect(cheat.stderr).toContain("outside the scope: src/b/f (changed)");
  },
);
