import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { RalphError } from "../../../core/errors.ts";
import { readTasks } from "./task-text.ts";

const COMPLETION = `
  completion:
    outcome: All endpoints require a token
    acceptance_criteria:
      - Invalid tokens return 401
    coder:
      promise: AUTH_IMPLEMENTED
      description: Code complete and committed
      verification_method: external
      verification_config:
        command: test -f src/auth.py
`;
const TASK = `id: TASK-001
  title: "Implement JWT authentication"${COMPLETION}`;

async function complaintsAbout(source: string, rules = {}): Promise<string> {
  try {
    await readTasks("t.yaml", source, { spec: "auth", ...rules });
  } catch (error) {
    expect(error).toBeInstanceOf(RalphError);
    expect(error).toMatchObject({ exitCode: 2, hint: expect.stringContaining("docs/tasks.md") });
    return (error as RalphError).message;
  }
  return "";
}

const EXPECTED = {
  id: "TASK-001",
  specId: "auth",
  title: "Implement JWT authentication",
  description: "",
  priority: 3,
  dependencies: [],
  assignee: "",
  metadata: {},
  completionSpec: {
    outcome: "All endpoints require a token",
    acceptance_criteria: ["Invalid tokens return 401"],
    coder: {
      promise: "AUTH_IMPLEMENTED",
      description: "Code complete and committed",
      verification_method: "external",
      verification_config: { command: "test -f src/auth.py" },
    },
  },
};

test.each<[string, string]>([
  ["a list", `- ${TASK}`],
  ["a list below comments", `# Tasks of a feature\n\n- ${TASK}`],
  ["a root task", `task:\n  ${TASK}`],
  ["a root list", `tasks:\n- ${TASK}`],
  ["a byte order mark", `\uFEFF- ${TASK}`],
  ["the other name of completion", `- ${TASK}`.replace("completion:", "completion_spec:")],
  ["the other spelling", `- ${TASK}`.replace(/_(\w)(?=\w*:)/g, (_, letter: string) => letter.toUpperCase())],
  ["anchors", `- ${TASK.replace("completion:", "completion: &done")}`],
])("reads %s", async (_name, source) => {
  expect(await readTasks("t.yaml", source, { spec: "auth" })).toEqual({ tasks: [EXPECTED], begunElsewhere: 0 });
});

test("reads JSON in the same way, and reports extra keys of a stored task", async () => {
  const task = { ...EXPECTED, specId: "own", completionSpec: undefined, completion: EXPECTED.completionSpec };
  const stored = { status: "done", iteration: 3, held: false, loop: "3f2a", created_at: "x", updated_at: "y" };
  const metadata = { teamName: "a", parent: "TASK-000" };
  const source = JSON.stringify([{ ...task, ...stored, metadata }]);
  expect(await readTasks("t.json", source, { spec: "auth" })).toEqual({
    tasks: [{ ...EXPECTED, specId: "own", metadata }],
    begunElsewhere: 1,
  });
});

describe("mistakes are reported with their location", () => {
  const task = (line: string) => `- id: A\n  title: T\n  ${line}${COMPLETION}`;
  test.each<[string, string, string]>([
    ["an unknown key", task("titel: x"), 't.yaml:3:3: titel: unknown key "titel", did you mean "title"?'],
    ["no title", `- id: A${COMPLETION}`, "t.yaml:1:3: title: missing, expected text"],
    [
      "an id that is a number",
      `- ${TASK.replace("TASK-001", "12")}`,
      "t.yaml:1:7: id: expected the id of the task as text (in quotes if it is a number), got the number 12",
    ],
    [
      "an id that is not a valid branch name",
      `- ${TASK.replace("TASK-001", "a/b")}`,
      't.yaml:1:7: id: expected the id of the task: letters, digits, `.`, `_` and `-`, beginning with a letter or digit, at most 64 of them, got "a/b"',
    ],
    ["a priority in words", task("priority: high"), 't.yaml:3:13: priority: expected a whole number, got "high"'],
    [
      "dependencies that are not a list",
      task("dependencies: B"),
      't.yaml:3:17: dependencies: expected a list of ids of tasks, got "B"',
    ],
    [
      "an unknown status",
      task("status: finished"),
      't.yaml:3:11: status: expected one of todo, implementing, reviewing, testing, qa, done, blocked, cancelled, proposed, got "finished"',
    ],
    [
      "an unknown method",
      `- ${TASK.replace("method: external", "method: magic")}`,
      't.yaml:10:28: completion.coder.verification_method: expected one of string_match, semantic, external, multi_stage, or plugin:<name>, got "magic"',
    ],
    [
      "a config of another method, in the other spelling",
      `- ${TASK.replace("verification_config:\n        command:", "verificationConfig:\n        stages: []\n        command:")}`,
      't.yaml:12:9: completion.coder.verification_config.stages: "stages" belongs to the method multi_stage, not to external',
    ],
    [
      "no criteria",
      "- id: A\n  title: T\n",
      "t.yaml:1:3: completion: missing, expected { outcome, acceptance_criteria } (or use --no-criteria)",
    ],
    [
      "an empty list of criteria",
      "- id: A\n  title: T\n  completion: { outcome: x, acceptance_criteria: [] }\n",
      "t.yaml:3:50: completion.acceptance_criteria: expected at least one criterion, got none (or use --no-criteria)",
    ],
    [
      "both completions",
      `- ${TASK}  completion_spec: { outcome: x, acceptance_criteria: [y] }\n`,
      "t.yaml:13:20: completion_spec: expected either completion or completion_spec, got both",
    ],
    ["a duplicate id", `- ${TASK}\n- ${TASK}`, "t.yaml:14:7: id: TASK-001 is given twice"],
    ["a text", "hello", "t.yaml:1:1: expected a list of tasks, or `task:` with one, or `tasks:` with a list"],
    ["nothing", "", "t.yaml:1:1: expected a list of tasks, or `task:` with one, or `tasks:` with a list"],
    ["an empty list", "[]", "t.yaml: no tasks in it"],
    ["a duplicate key", "- id: A\n  id: B\n", "t.yaml:2:3: Map keys must be unique"],
    ["a duplicate key in JSON", '[{"id": "A", "id": "B"}]', "t.yaml:1:14: Map keys must be unique"],
    [
      "broken YAML",
      "- id: A\n  title: [\n",
      "t.yaml:3:1: Flow sequence in block collection must be sufficiently indented and end with a ]",
    ],
    ["an undefined alias", "- id: *a\n", "t.yaml:1:1: Unresolved alias (the anchor must be set before the alias): a"],
  ])("%s", async (_name, source, says) => {
    expect((await complaintsAbout(source)).split("\n")[0]).toBe(says);
  });

  test("a task without a spec, unless one is given", async () => {
    expect(await complaintsAbout(`- ${TASK}`, { spec: undefined })).toBe(
      "t.yaml:1:3: spec_id: missing, expected the id of a spec (or use --spec)",
    );
  });

  test("in the middle of a long list as well", async () => {
    const tasks = Array.from({ length: 500 }, (_, i) => `- ${TASK.replace("001", `${i}`)}`);
    tasks[300] = `- id: TASK-300\n  titel: x${COMPLETION}`;
    expect(await complaintsAbout(tasks.join(""))).toMatch(/^t\.yaml:3602:3: titel: unknown key/m);
  });
});

const bomb = `- &a [x, x, x, x, x, x, x, x, x]\n${"bcdefghi"
  .split("")
  .map((letter, i) => `- &${letter} [${Array(9).fill(`*${"abcdefgh"[i]}`).join(", ")}]`)
  .join("\n")}`;

test("endless nesting is refused", async () => {
  expect(await complaintsAbout("[".repeat(20_000))).toMatch(/nested too deeply/);
  const deep = `${"[".repeat(5_000)}${"]".repeat(5_000)}`;
  const json = `[{"id": "A", "title": "T", "completion": ${deep}}]`;
  expect(await complaintsAbout(json)).toMatch(/nested too deeply|completion: expected/);
});

test("endless alias expansion is refused", async () => {
  expect(await complaintsAbout(bomb)).toMatch(/alias/);
});

test("a list read in parts equals the list read at once", async () => {
  const text = fc.string({ unit: "grapheme", maxLength: 20 }).filter((one) => one.trim() !== "");
  const tasks = fc
    .array(fc.record({ title: text, description: text, note: text }), { minLength: 60, maxLength: 120 })
    .map((list) =>
      list.map(({ title, description, note }, i) => ({
        id: `T-${i}`,
        title: title.trim(),
        description,
        metadata: { note },
      })),
    );
  await fc.assert(
    fc.asyncProperty(tasks, fc.boolean(), async (list, indented) => {
      const source = indented ? stringify({ tasks: list }, { indentSeq: false }) : stringify(list);
      const read = await readTasks("t.yaml", source, { spec: "s", withoutCriteria: true });
      expect(read.tasks.map(({ id, title, description, metadata }) => ({ id, title, description, metadata }))).toEqual(
        list,
      );
    }),
    { numRuns: 30 },
  );
});

test("a long list is read", async () => {
  const source = Array.from({ length: 2_000 }, (_, i) => `- ${TASK.replace("001", `${i}`)}`).join("");
  expect((await readTasks("t.yaml", source, { spec: "auth" })).tasks).toHaveLength(2_000);
});
