import { describe, expect, test } from "vitest";
import { inProcess } from "./support/in-process.ts";
import { expectRefusal } from "./support/refusal.ts";

const STORIES = [
  { id: "US-001", title: "Store it", acceptanceCriteria: ["A column exists"], priority: 1, passes: true },
  {
    id: "US-002",
    title: "Show it",
    acceptanceCriteria: ["It is red"],
    priority: 2,
    passes: false,
    dependsOn: ["US-001"],
  },
  { id: "../../x", title: "Hide \u001b[31mit", passes: false, dependsOn: ["US-002"] },
];
const prd = (...more: object[]) => JSON.stringify({ project: "My App", userStories: [...STORIES, ...more] }, null, 2);

const PLAN = `# Plan
- [ ] TASK-001: Add the cart
  - it shows a total
- [x] Set up CI
- [ ] Write the docs
  - depends on: TASK-001
`;

describe.concurrent("ralph task import", () => {
  test("imports unfinished entries, once", async ({ onTestFinished }) => {
    const box = inProcess(onTestFinished);
    box.initGit();
    box.write("docs/prd.json", prd());
    const dry = await box.ralph("task", "import", "docs/prd.json", "--dry-run");
    expect(dry).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("Would import: 2 new, 0 existing, 1 skipped (done)"),
    });
    expect(await box.json("task", "list")).toEqual([]);
    const { code, stdout, stderr } = await box.ralph("task", "import", "docs/prd.json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "Created the spec My-App\n" });
    expect(stdout).toBe("✓ 2 new, 0 existing, 1 skipped (done)\n  US-002  Show it\n  x       Hide it\n");
    expect(await box.json("task", "show", "x")).toMatchObject({
      spec_id: "My-App",
      dependencies: ["US-002"],
      metadata: { source: { kind: "prd", path: "docs/prd.json", story: "../../x" } },
      completion_spec: { outcome: "Hide it", acceptance_criteria: ["Hide it"] },
    });
    box.write("docs/prd.json", prd({ id: "US-003", title: "Share it", dependsOn: ["../../x"] }));
    expect(await box.json("task", "import", "docs/prd.json")).toEqual({
      format: "prd",
      created: ["US-003"],
      there: ["US-002", "x"],
      done: 1,
      specs: [],
      dryRun: false,
    });
    box.write("export.yaml", (await box.ralph("task", "export")).stdout);
    expect(await box.json("task", "import", "export.yaml")).toMatchObject({
      format: "yaml",
      created: [],
      there: ["US-002", "x", "US-003"],
    });
  });

  test("reads Markdown and issues, from a file or from standard input", async ({ onTestFinished }) => {
    const box = inProcess(onTestFinished);
    box.write("plan.md", PLAN);
    const first = await box.shell('"$@" < plan.md', "task", "import", "-", "--spec", "shop").ended;
    expect(first).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/2 new.*\n {2}TASK-001 {2}Add the cart\n {2}T-001 {5}Write the docs\n/),
    });
    const issues = [
      { number: 7, title: "Fix it", body: "Depends on #8", labels: [{ name: "P1" }], assignees: [], state: "OPEN" },
      { number: 8, title: "Find it", body: "- [ ] found", labels: [], assignees: [], state: "OPEN" },
      { number: 9, title: "Gone", body: "", labels: [], assignees: [], state: "CLOSED" },
    ];
    box.write("issues.json", JSON.stringify(issues));
    expect(await box.json("task", "import", "issues.json")).toMatchObject({
      format: "github",
      created: ["GH-7", "GH-8"],
      done: 1,
      specs: ["issues"],
    });
    expect(await box.json("task", "list", "--spec", "issues", "--ready")).toMatchObject([{ id: "GH-8" }]);
  });

  test("reports mistakes with their location, and imports nothing", async ({ onTestFinished }) => {
    const box = inProcess(onTestFinished);
    box.write("plan.md", PLAN);
    await box.ralph("task", "import", "plan.md");
    box.write("other.md", "- [ ] New\n- [ ] TASK-001: Something else\n");
    expectRefusal(
      await box.ralph("task", "import", "other.md"),
      /other\.md:2:1: TASK-001: the task TASK-001 already exists/,
    );
    box.write(
      "prd.json",
      '{"userStories": [\n  {"id": "A", "title": "x", "dependsOn": ["B"]},\n  {"id": "C", "title": "y"}]}',
    );
    expectRefusal(await box.ralph("task", "import", "prd.json"), /prd\.json:2:3: A: depends on B, which is neither/);
    box.write("prd.json", '[{"id": "A", "title": "x", "passes": "no"}]');
    expectRefusal(
      await box.ralph("task", "import", "prd.json"),
      /prd\.json:1:38: \[0\]\.passes: expected true or false/,
    );
    box.write("circle.md", "- [ ] A-1: a\n  - depends on: A-2\n- [ ] A-2: b\n  - depends on: A-1\n");
    expectRefusal(await box.ralph("task", "import", "circle.md"), /circle: A-1 → A-2 → A-1/);
    box.write("notes.txt", "just words");
    expectRefusal(await box.ralph("task", "import", "notes.txt"), /notes\.txt: unknown format/);
    expectRefusal(
      await box.ralph("task", "import", "plan.md", "--spec", "../x"),
      /--spec: "\.\.\/x" cannot be the id of a spec/,
    );
    expectRefusal(await box.ralph("task", "import", "gone.md"), /there is no file gone\.md/);
    expect(await box.json("task", "list")).toMatchObject([{ id: "TASK-001" }, { id: "T-001" }]);
  });
});

const COMMAND = ".claude/commands/specflow.tasks.md";
const GUIDE = ".ralph/tasks.md";

describe.concurrent("ralph init --claude", () => {
  test("adds its files to existing settings, and leaves an edited one alone", async ({ onTestFinished }) => {
    const box = inProcess(onTestFinished);
    box.initGit();
    box.write(".ralph/settings.json", '{"maximumIterations": 3}');
    const { code, stdout } = await box.ralph("init", "--claude");
    expect({ code, stdout }).toMatchObject({ code: 0, stdout: expect.stringContaining(`wrote ${COMMAND}, ${GUIDE}`) });
    expect(box.read(".ralph/settings.json")).toBe('{"maximumIterations": 3}');
    expect(box.git("status", "--porcelain", "--untracked-files=all")).toContain(GUIDE);
    expect(await box.json("init", "--claude")).toEqual({ written: [] });

    const written = box.read(COMMAND);
    box.write(COMMAND, "mine");
    expectRefusal(
      await box.ralph("init", "--claude"),
      /changed, or not written by Ralph: \.claude\/commands\/specflow\.tasks\.md/,
    );
    expect(box.read(COMMAND)).toBe("mine");
    expect(await box.json("init", "--claude", "--force")).toEqual({ written: [COMMAND, `${COMMAND}.bak`] });
    expect([box.read(COMMAND), box.read(`${COMMAND}.bak`)]).toEqual([written, "mine"]);
    box.write(COMMAND, "mine again");
    expectRefusal(await box.ralph("init", "--claude", "--force"), /\.bak: already exists/);
    expect(box.read(".ralph/settings.json")).toBe('{"maximumIterations": 3}');
  });

  test("the example of the slash command is created as printed", async ({ onTestFinished }) => {
    const box = inProcess(onTestFinished);
    await box.ralph("init", "--claude", "--yes");
    expect(box.exists(".ralph/settings.json")).toBe(true);
    const [, example = ""] = /```yaml\n([\s\S]*?)```/.exec(box.read(COMMAND)) ?? [];
    box.write("tasks.yaml", example);
    const created = await box.ralph("task", "create", "--file", "tasks.yaml", "--spec", "auth");
    expect(created).toMatchObject({ code: 0 });
    expect(await box.json("task", "list")).toMatchObject([{ id: "AUTH-001", spec_id: "auth" }]);
  });

  test("files in the way are reported", async ({ onTestFinished }) => {
    const box = inProcess(onTestFinished);
    box.write(".ralph/settings.json", "{}");
    box.write(".claude", "a file");
    expectRefusal(await box.ralph("init", "--claude"), /cannot write .*\.claude/);
  });
});
