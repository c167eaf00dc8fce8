import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { loadWorkflows, workflowNamed } from "./files.ts";
import { validateWorkflows } from "./validate.ts";

/** A repository with these files. */
function repository(files: Readonly<Record<string, string | Buffer>>): string {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), "ralph-workflows-")));
  onTestFinished(() => rmSync(cwd, { recursive: true, force: true }));
  mkdirSync(join(cwd, ".git"));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  }
  return cwd;
}

const steps = (name: string, command = "plan") => `name: ${name}\ndescription: d\nsteps: [{ command: ${command} }]\n`;
const told = (file: { file: string; faults: readonly { line: number; column: number; text: string }[] }) =>
  file.faults.map(({ line, column, text }) => `${file.file}:${line}:${column}: ${text}`);

test("one bad file never hides good ones", async () => {
  const cwd = repository({
    ".ralph/workflows/a-broken.yaml": "name: [",
    ".ralph/workflows/good.yaml": steps("good"),
    ".ralph/workflows/other.YML": steps("other", "review"),
    ".ralph/workflows/notes.txt": "not read",
    ".ralph/workflows/sub/deep.yaml": steps("deep"),
    ".archon/workflows/team/shared.yml": steps("shared"),
    ".archon/workflows/fixtures/x.yaml": "not a workflow",
    ".archon/workflows/a/b/deep.yaml": steps("deeper"),
    ".ralph/commands/plan.md": "Plan",
    ".archon/commands/plan.md": "Archon's plan",
    ".archon/commands/defaults/review.md": "Review",
  });
  const { workflows, faulty, notes } = await loadWorkflows(cwd);
  expect(workflows.map(({ name, file, parts }) => [name, file, parts[0]])).toMatchObject([
    ["good", ".ralph/workflows/good.yaml", { prompt: { text: "Plan" } }],
    ["other", ".ralph/workflows/other.YML", { prompt: { text: "Review" } }],
    ["shared", ".archon/workflows/team/shared.yml", { prompt: { text: "Plan" } }],
  ]);
  expect(faulty.map(({ file }) => file)).toEqual([".ralph/workflows/a-broken.yaml"]);
  expect(notes).toEqual([]);
});

test("anything but a workflow is reported with its location, and nothing hangs", async () => {
  const cwd = repository({
    ".ralph/workflows/binary.yaml": Buffer.from("name: a\n\0"),
    ".ralph/workflows/empty.yaml": "",
    ".ralph/workflows/huge.yaml": `name: ${"x".repeat(300_000)}`,
    ".ralph/workflows/latin.yaml": Buffer.from("name: a\nb: caf\xe9 \n", "latin1"),
    ".ralph/workflows/windows.yaml": `\uFEFF${steps("windows").replaceAll("\n", "\r\n")}`,
    ".ralph/commands/plan.md": "Plan",
    ".ralph/workflows/unreadable.yaml": steps("x"),
  });
  const at = (name: string) => join(cwd, ".ralph/workflows", name);
  mkdirSync(at("dir.yaml"));
  execFileSync("mkfifo", [at("fifo.yaml")]);
  symlinkSync("nowhere", at("link-broken.yaml"));
  symlinkSync("link-circle.yaml", at("link-circle.yaml"));
  symlinkSync("/etc/hostname", at("link-out.yaml"));
  symlinkSync("windows.yaml", at("link.yaml"));
  chmodSync(at("unreadable.yaml"), 0);
  const { workflows, faulty } = await loadWorkflows(cwd);
  const found = faulty.flatMap(told).map((line) => line.replace(".ralph/workflows/", ""));
  // For root every file is readable.
  expect(found.filter((line) => !line.startsWith("unreadable"))).toEqual([
    "binary.yaml:2:1: contains a NUL byte, so it is not text",
    "dir.yaml:1:1: is a folder, expected a file",
    expect.stringMatching(/^empty\.yaml:1:1: the file is empty/),
    "fifo.yaml:1:1: is not a regular file",
    "huge.yaml:1:1: larger than 128 KB",
    "latin.yaml:2:7: is not UTF-8",
    "link-broken.yaml:1:1: points to a missing file",
    "link-circle.yaml:1:1: cannot be read: ELOOP",
    "link-out.yaml:1:1: points outside the repository",
    "windows.yaml:1:7: name: .ralph/workflows/link.yaml already has the name windows",
  ]);
  expect(workflows.map(({ name }) => name)).toContain("windows");
});

test("Ralph's file takes precedence over Archon's of the same name, and the first of two keeps it", async () => {
  const cwd = repository({
    ".ralph/workflows/a.yaml": steps("same"),
    ".ralph/workflows/b.yaml": steps("Same"),
    ".archon/workflows/c.yaml": steps("SAME"),
    ".ralph/commands/plan.md": "Plan",
  });
  const { workflows, faulty, notes } = await loadWorkflows(cwd);
  expect(workflows.map(({ file }) => file)).toEqual([".ralph/workflows/a.yaml"]);
  expect(faulty.flatMap(told)).toEqual([
    ".ralph/workflows/b.yaml:1:7: name: .ralph/workflows/a.yaml already has the name same",
  ]);
  expect(notes).toEqual([".archon/workflows/c.yaml is not used: .ralph/workflows/a.yaml also has the name same"]);
  expect((await workflowNamed(cwd, "SAME")).file).toBe(".ralph/workflows/a.yaml");
});

test.each<[string, string, string]>([
  [
    "is misspelt",
    "plam",
    "there is no command file plam.md in .ralph/commands or .archon/commands (did you mean plan?)",
  ],
  [
    "is missing",
    "xyz",
    "there is no command file xyz.md in .ralph/commands or .archon/commands (write it, or name one of blank, link, plan)",
  ],
  ["is empty", "blank", ".ralph/commands/blank.md is empty (write the prompt for the agent into it)"],
  [
    "leads elsewhere",
    "link",
    ".ralph/commands/link.md points outside the repository (put the file itself here, not a link)",
  ],
])("a command file that %s", async (_name, command, expected) => {
  const cwd = repository({
    ".ralph/workflows/w.yaml": steps("w", command),
    ".ralph/commands/blank.md": " \n",
    ".ralph/commands/plan.md": "Plan",
  });
  symlinkSync("/etc/hostname", join(cwd, ".ralph/commands/link.md"));
  const { faulty } = await loadWorkflows(cwd);
  expect(faulty[0]?.faults.map(({ text, hint }) => `${text} (${hint})`)).toEqual([`steps[0].command: ${expected}`]);
});

test("a workflow by its name, or the reason why there is none", async () => {
  const cwd = repository({
    ".ralph/workflows/fix.yaml": "name: fix\ndescription: d\n",
    ".archon/workflows/fix.yaml": steps("fix"),
    ".ralph/workflows/garbled.yaml": "a: [",
    ".ralph/workflows/good.yaml": steps("good"),
    ".ralph/commands/plan.md": "Plan",
  });
  const asked = async (name: string) => workflowNamed(cwd, name).catch((error: unknown) => error);
  expect(await asked("Good")).toMatchObject({ name: "good" });
  expect(await asked("goood")).toMatchObject({ code: "workflow-unknown", hint: "did you mean good?" });
  // A broken file of Ralph's is never replaced by one of Archon's.
  expect(await asked("fix")).toMatchObject({
    code: "workflow-invalid",
    message: ".ralph/workflows/fix.yaml:1:1: expected steps, or loop with prompt, got neither",
  });
  expect(await asked("garbled")).toMatchObject({ code: "workflow-invalid" });
});

test("workflows in a parent folder are reported", async () => {
  const cwd = repository({ ".archon/workflows/fix.yaml": steps("fix"), "sub/x": "" });
  await expect(loadWorkflows(join(cwd, "sub"))).rejects.toMatchObject({ code: "workflows-elsewhere" });
});

test("no workflows are not an error, and a named file may be anywhere", async () => {
  const cwd = repository({ "elsewhere/w.yaml": steps("w") });
  expect(await loadWorkflows(cwd)).toEqual({ workflows: [], faulty: [], notes: [] });
  const { files } = await validateWorkflows(cwd, ["elsewhere/w.yaml"]);
  expect(files).toMatchObject([{ file: "elsewhere/w.yaml", name: "w", valid: false }]);
  await expect(validateWorkflows(cwd, ["elsewhere"])).rejects.toMatchObject({ code: "file-is-folder" });
  await expect(validateWorkflows(cwd, ["none.yaml"])).rejects.toMatchObject({ code: "file-missing" });
});

test("the number of files is limited", async () => {
  const cwd = repository(
    Object.fromEntries(Array.from({ length: 510 }, (_, i) => [`.ralph/workflows/${1000 + i}.yaml`, `name: ${i}`])),
  );
  const { faulty, notes } = await loadWorkflows(cwd);
  expect(faulty).toHaveLength(500);
  expect(notes).toEqual([".ralph/workflows: 10 more files are not read: there are too many"]);
});
