import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { inProcess } from "./support/in-process.ts";
import { expectRefusal } from "./support/refusal.ts";
import type { Sandbox } from "./support/sandbox.ts";

type Json = Record<string, unknown>;

const CRITERIA = ["--outcome", "It works", "--acceptance", "The tests pass"];
const create = (box: Sandbox, id: string, ...more: string[]) =>
  box.ralph("task", "create", id, "auth", `Task ${id}`, ...CRITERIA, ...more);

/** A sandbox in which `ralph` and `specflow` are commands. */
function withCommands(...given: Parameters<typeof inProcess>): Sandbox {
  const box = inProcess(...given);
  box.program("ralph", `exec "${process.execPath}" "${box.ralphPath}" "$@"`);
  box.program("specflow", `exec "${process.execPath}" "${resolve(box.ralphPath, "../specflow.js")}" "$@"`);
  return box;
}

test.concurrent("the documented command line works as printed, and is shown", async ({ onTestFinished }) => {
  const box = withCommands(onTestFinished);
  const made = await box.run(
    "sh",
    "-c",
    `specflow task-create TASK-001 my-spec "Implement JWT auth" \\
    --outcome "All API endpoints require valid JWT tokens" \\
    --acceptance "JWT middleware validates tokens" \\
    --acceptance "Login endpoint returns valid JWT" \\
    --acceptance "Invalid tokens return 401" \\
    --coder-promise "AUTH_IMPLEMENTED" \\
    --coder-verify external \\
    --coder-verify-cmd "grep -r 'jwt.verify' src/" \\
    --tester-promise "AUTH_TESTS_PASS" \\
    --tester-verify external \\
    --tester-verify-cmd "pytest tests/test_auth.py --cov-fail-under=80"`,
  );
  expect(made).toMatchObject({ code: 0, stdout: "Created TASK-001 in my-spec: Implement JWT auth\n" });
  expect(made.stderr).toMatch(/^Created the spec my-spec/);
  const followup = await box.run(
    "sh",
    "-c",
    'specflow task-followup TASK-002 TASK-001 "Rotate the keys" --outcome "Keys rotate" --acceptance "Daily" --qa-promise ROTATED',
  );
  expect(followup).toMatchObject({ code: 0, stderr: "" });

  const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  const head = { status: "todo", priority: 3, dependencies: [], assignee: "", created_at: at, updated_at: at };
  const own = { iteration: 0, held: false, loop: null, proof: null };
  const summary = { id: "TASK-001", spec_id: "my-spec", title: "Implement JWT auth", ...head, ...own };
  const listed = (await box.run("specflow", "list-tasks", "--json")).stdout;
  expect(JSON.parse(listed)).toEqual([summary, { ...summary, id: "TASK-002", title: "Rotate the keys" }]);
  expect((await box.run("specflow", "task-list", "--json")).stdout).toBe(listed);
  expect(await box.json("task", "show", "TASK-001")).toEqual({
    ...summary,
    description: "",
    metadata: {},
    completion_spec: {
      outcome: "All API endpoints require valid JWT tokens",
      acceptance_criteria: [
        "JWT middleware validates tokens",
        "Login endpoint returns valid JWT",
        "Invalid tokens return 401",
      ],
      coder: {
        promise: "AUTH_IMPLEMENTED",
        description: "Complete coder stage for: Implement JWT auth",
        verification_method: "external",
        verification_config: { command: "grep -r 'jwt.verify' src/" },
      },
      tester: {
        promise: "AUTH_TESTS_PASS",
        description: "Complete tester stage for: Implement JWT auth",
        verification_method: "external",
        verification_config: { command: "pytest tests/test_auth.py --cov-fail-under=80" },
      },
    },
    waits_for: [],
    weak: [],
    parent: null,
    followups: ["TASK-002"],
    ...{
      attempt: 1,
      rounds: 0,
      blocked: null,
      waits: null,
      work: null,
      merged: null,
      history: [
        { seq: 1, at: expect.any(String), type: "task.added", by: expect.stringContaining("ralph task create") },
      ],
      loops: [],
    },
  });
  expect(await box.json("task", "show", "TASK-002")).toMatchObject({
    spec_id: "my-spec",
    parent: "TASK-001",
    metadata: { parent: "TASK-001" },
    completion_spec: { outcome: "Keys rotate", qa: { promise: "ROTATED" } },
  });
  const { stdout } = await box.ralph("task", "show", "TASK-001");
  for (const line of [
    /^TASK-001 {2}Implement JWT auth$/m,
    /^follow-ups TASK-002 \(todo\)$/m,
    /^ {2}- Invalid tokens return 401$/m,
    /^ {2}coder: AUTH_IMPLEMENTED, verified by external$/m,
    /^ {4}command: grep -r 'jwt.verify' src\/$/m,
  ])
    expect(stdout).toMatch(line);
});

test.concurrent("what keeps the oracle out of an agent's reach is shown with its task", async ({ onTestFinished }) => {
  const box = withCommands(onTestFinished);
  box.write("coder.json", JSON.stringify({ promise: "P", scope: ["src/**", "+test/**"], clean_room: "oracle" }));
  await create(box, "A", "--coder-criteria-file", "coder.json");
  const { stdout } = await box.ralph("task", "show", "A");
  expect(stdout).toContain("  coder: P\n");
  expect(stdout).toContain('    scope: ["src/**","+test/**"]\n    clean_room: oracle\n');
});

test.concurrent("tasks are changed, retried, cancelled, exported and deleted", async ({ onTestFinished }) => {
  const box = withCommands(onTestFinished);
  await create(box, "A");
  await create(box, "B", "--depends-on", "A", "--priority", "1", "--coder-verify-cmd", "true");
  expect((await box.ralph("task", "list")).stdout).toBe(
    "TASK  STATUS  PRIORITY  SPEC  TITLE\nB     todo    1         auth  Task B\nA     todo    3         auth  Task A\n",
  );
  expect((await box.ralph("task", "list", "--limit", "1")).stdout).toMatch(
    /^B .*\n… and more: ralph task list -n 2\n/m,
  );
  expect(await box.json("task", "list", "--ready")).toMatchObject([{ id: "A" }]);
  expect(await box.json("task", "show", "B")).toMatchObject({ waits_for: ["A"] });

  const changed = ["--title", "Better", "--no-depends-on", "--coder-verify", "semantic", "--acceptance", "One thing"];
  expect(await box.json("task", "update", "B", ...changed)).toMatchObject({
    title: "Better",
    dependencies: [],
    completion_spec: {
      outcome: "It works",
      acceptance_criteria: ["One thing"],
      coder: {
        promise: "IMPLEMENTATION_COMPLETE",
        verification_method: "semantic",
        verification_config: { check_for: "{{acceptance_criteria}}" },
      },
    },
  });
  expect(await box.json("task", "update", "B", "--status", "cancelled")).toMatchObject({ status: "cancelled" });
  expect(await box.json("task", "list", "--status", "todo,done")).toMatchObject([{ id: "A" }]);
  expect(await box.json("task", "update", "B", "--status", "todo", "--priority", "2")).toMatchObject({
    status: "todo",
    priority: 2,
  });
  const { history } = (await box.json("task", "show", "B")) as { history: Json[] };
  expect(history.map(({ type }) => type)).toEqual(["task.added", "task.dropped", "task.retried"]);

  expect(await box.ralph("task", "export", "--output", "out.yaml")).toMatchObject({ code: 0, stdout: "" });
  const before = JSON.parse((await box.ralph("task", "export", "--format", "json")).stdout) as Json[];
  expect(await box.ralph("task", "delete", "A", "B")).toMatchObject({ code: 0, stdout: "Deleted A\nDeleted B\n" });
  expect(await box.json("task", "create", "--file", "out.yaml")).toEqual({ created: ["A", "B"], specs: [] });
  const after = JSON.parse((await box.ralph("task", "export", "--format", "json")).stdout) as Json[];
  const asNew = ({ created_at: _, updated_at: __, ...task }: Json) => task;
  expect(after.map(asNew)).toEqual(before.map(asNew));
});

full.concurrent("specs are created, listed and shown", async ({ onTestFinished }) => {
  const box = withCommands(onTestFinished);
  box.write("auth.md", "Some words.\n\n# Authentication #\n\nTokens.\n");
  const [made, empty] = [
    await box.json("spec", "create", "auth", "--file", "auth.md"),
    await box.ralph("task", "list"),
  ];
  expect(made).toMatchObject({ id: "auth", title: "Authentication", content: box.read("auth.md") });
  expect(empty.stdout).toMatch(/^No tasks here yet\. Create one: ralph task add/);
  await create(box, "A");
  const specs = (await box.run("specflow", "list-specs", "--json")).stdout;
  expect(JSON.parse(specs)).toMatchObject([{ id: "auth", title: "Authentication", tasks: 1, done: 0 }]);
  expect((await box.ralph("spec", "list")).stdout).toMatch(/^SPEC .*TITLE\nauth {2}0\/1 .* Authentication\n$/);
  expect((await box.ralph("spec", "show", "auth")).stdout).toMatch(
    /^auth: Authentication\ntasks: 1 todo .*\n\nSome words\./,
  );
  expectRefusal(await box.run("specflow", "spec-create", "auth"), /the spec already exists: auth/);
  expectRefusal(await box.ralph("spec", "show", "nope"), /there is no spec nope/);
  expectRefusal(await box.ralph("task", "list", "--spec", "nope"), /there is no spec nope\n.*ralph spec list/);
});

const GOOD = "- id: F\n  title: From a file\n  completion: { outcome: It works, acceptance_criteria: [It does] }\n";
const NEW = ["task", "create", "N", "auth", "New"];

test.concurrent("an invalid change is refused with a fix, and nothing is written", async ({ onTestFinished }) => {
  const box = inProcess(onTestFinished);
  await create(box, "A");
  await create(box, "B", "--depends-on", "A");
  const before = (await box.ralph("task", "export")).stdout;
  box.write("typo.yaml", GOOD.replace("title", "titel"));
  box.write("broken.yaml", `${GOOD}- id: [\n`);
  box.write("taken.yaml", `${GOOD}${GOOD.replace("F", "A")}`);
  box.write("circle.yaml", `${GOOD}  dependencies: [F]\n`);
  box.write("criteria.yaml", "promise: X\nmax_iterations: many\n");
  const refusals: [string[], RegExp][] = [
    [["task", "create"], /needs an id, a spec and a title, or --file.*\n.*ralph task create TASK-001/],
    [
      NEW,
      /nothing says when N is done: --outcome and --acceptance are missing\n.*ralph task create N auth "New" --outcome/,
    ],
    [[...NEW, "--outcome", "x"], /nothing says when N is done: --acceptance is missing/],
    [["task", "create", "A", "auth", "Again", ...CRITERIA], /the task already exists: A\n.*ralph task show/],
    [["task", "create", "a/b", "auth", "Odd", ...CRITERIA], /<id>: expected the id of the task: letters, digits/],
    [[...NEW, ...CRITERIA, "--depends-on", "X,Y"], /N depends on X, which does not exist; N depends on Y/],
    [[...NEW, ...CRITERIA, "--coder-verify", "external"], /--coder-verify-cmd: missing, expected a command/],
    [[...NEW, ...CRITERIA, "--qa-verify", "magic"], /--qa-verify: expected one of string_match, semantic/],
    [
      [...NEW, ...CRITERIA, "--qa-criteria-file", "criteria.yaml"],
      /criteria\.yaml:2:17: max_iterations: expected a whole number/,
    ],
    [[...NEW, ...CRITERIA, "--priority", "high"], /--priority.*'high'.*whole number from 0/],
    [["task", "create", "--file", "nope.yaml"], /there is no task file nope\.yaml\n.*--file names/],
    [
      ["task", "create", "--file", "typo.yaml", "--spec", "auth"],
      /typo\.yaml:2:3: titel: unknown key "titel", did you mean "title"/,
    ],
    [["task", "create", "--file", "broken.yaml", "--spec", "auth"], /broken\.yaml:5:1: Flow sequence/],
    [["task", "create", "--file", "taken.yaml", "--spec", "auth"], /the task already exists: A/],
    [["task", "create", "--file", "circle.yaml", "--spec", "auth"], /F depends on itself: F → F/],
    [["task", "create", "--file", "circle.yaml"], /circle\.yaml:1:3: spec_id: missing.*--spec/],
    [
      ["task", "create", "--file", "circle.yaml", "--priority", "1"],
      /with --file, the file must contain everything about the tasks/,
    ],
    [["task", "followup", "N", "X", "New", ...CRITERIA], /there is no task X/],
    [["task", "show", "AA"], /there is no task AA, did you mean A/],
    [["task", "update", "A"], /no change to A was given/],
    [["task", "update", "A", "--depends-on", "B"], /depend on each other in a circle: A → B → A/],
    [["task", "update", "A", "--status", "done"], /only an execution sets the status done.*\n.*--status todo/],
    [["task", "update", "A", "--status", "finished"], /"finished" is not a task status/],
    [["task", "delete", "A"], /task A is needed by B/],
    [["task", "delete", "B", "X"], /there is no task X/],
    [["task", "list", "--status", "finished"], /--status.*'finished'.*Expected todo, implementing/],
    [["task", "export", "--output", "no/such/file"], /cannot write no\/such\/file: ENOENT/],
    [["task", "export", "--format", "xml"], /--format.*'xml'.*yaml, json/],
  ];
  for (let at = 0; at < refusals.length; at += 4) {
    const some = refusals.slice(at, at + 4);
    const ends = await Promise.all(some.map(([args]) => box.ralph(...args)));
    for (const [i, [, says]] of some.entries()) expectRefusal(ends[i]!, says);
  }
  expect((await box.ralph("task", "export")).stdout).toBe(before);
});

full.concurrent("a task may be left without criteria on purpose, which is reported", async ({ onTestFinished }) => {
  const box = withCommands(onTestFinished);
  const open = await box.ralph("task", "create", "A", "auth", "Open", "--no-criteria");
  expect(open).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("! A has no criteria: the promises of its agents"),
  });
  expect(await box.json("task", "show", "A")).toMatchObject({ completion_spec: null });
  const half = await box.json("task", "create", "B", "auth", "Half", "--no-criteria", "--coder-verify-cmd", "true");
  expect(half).toMatchObject({ completion_spec: { outcome: "Half", acceptance_criteria: [], coder: {} } });
  box.write("open.yaml", "task: { id: C, spec_id: auth, title: Open, status: done }\n");
  const { stderr, stdout } = await box.run("sh", "-c", "ralph task create --no-criteria --file - < open.yaml");
  expect(stdout).toBe("Created 1 task: C\n");
  expect(stderr).toMatch(/! 1 task had another status there: all start as todo\n! C has no criteria/);
});

test.concurrent("an invalid command line leaves no trace, and a group lists its commands", async ({
  onTestFinished,
}) => {
  const box = inProcess(onTestFinished);
  box.write("typo.yaml", GOOD.replace("title", "titel"));
  expectRefusal(await box.ralph("spec", "create", "a/b"), /"a\/b" cannot be the id of a spec/);
  expectRefusal(await box.ralph("task", "create", "--file", "typo.yaml"), /typo\.yaml:2:3/);
  expectRefusal(await box.ralph("task", "followup", "B", "A", "T", ...CRITERIA), /there is no task A/);
  expectRefusal(await box.ralph(...NEW), /nothing says when N is done/);
  const { code, stdout, stderr } = await box.ralph("task");
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^Usage: ralph task (.*\n)+ {2}create /);
  expect(stderr).not.toContain("error:");
  expect(box.exists(box.state)).toBe(false);
});

/** The blocks of the guide with this mark, in order: files that it shows, and command lines. */
function guide(): { language: string; text: string }[] {
  const path = "docs/tasks.md";
  const blocks = readFileSync(path, "utf8").matchAll(/^```(sh|yaml) tasks\n([\s\S]*?)^```$/gm);
  return [...blocks].map(([, language = "", text = ""]) => ({ language, text }));
}

full.concurrent("the guide's command lines work as printed", async ({ onTestFinished }) => {
  const box = withCommands(onTestFinished);
  box.write("docs/auth.md", "# Authentication\n");
  const blocks = guide();
  for (const { language, text } of blocks) {
    const file = /^# (\S+\.yaml)$/m.exec(text)?.[1];
    if (language === "yaml" && file) box.write(file, text);
    if (language === "sh") expect(await box.run("sh", "-ec", text)).toMatchObject({ code: 0 });
  }
  expect(blocks.filter(({ language }) => language === "sh").length).toBeGreaterThan(6);
  expect(((await box.json("task", "list")) as Json[]).map(({ id }) => id)).toEqual([
    "TASK-010",
    "TASK-002",
    "TASK-001",
    "TASK-003",
    "TASK-011",
    "TASK-005",
  ]);
});
