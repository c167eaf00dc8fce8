import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { runs } from "../../../../test/support/effort.ts";
import type { NewTask, Task } from "../../../core/task/task.ts";
import { type ExportFormat, exportedText, writeWhole } from "./task-export.ts";
import { readTasks } from "./task-text.ts";

const text = fc.string({ unit: "grapheme", maxLength: 30 });
const awkward = fc.constantFrom(
  "yes",
  "null",
  "1e3",
  "- x",
  "# no",
  "a: b",
  "~",
  "'",
  '"',
  "2026-01-01",
  "\n",
  " x ",
  "|",
  "<<",
);
const words = fc.oneof(
  text,
  awkward,
  fc.tuple(text, text).map((lines) => lines.join("\n")),
);
const something = words.filter((one) => one.trim() !== "");
const id = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9_-]{0,20}$/);
const criteria = fc.record({
  promise: something.map((one) => one.trim()),
  description: something,
  verification_method: fc.constant("external"),
  verification_config: fc.record({ command: something, output_contains: something }),
});

const task: fc.Arbitrary<NewTask> = fc.record({
  id,
  specId: id,
  title: something.map((one) => one.trim()),
  description: words,
  priority: fc.nat({ max: 9 }),
  dependencies: fc.uniqueArray(id, { maxLength: 3 }),
  assignee: words,
  metadata: fc.dictionary(
    // A "__proto__" key is dropped by readers of the file.
    something.filter((key) => key !== "__proto__"),
    fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown),
    { maxKeys: 3, noNullPrototype: true },
  ),
  completionSpec: fc.option(
    fc.record(
      {
        outcome: something,
        acceptance_criteria: fc.array(fc.oneof(something, fc.record({ text: something, check: something })), {
          maxLength: 3,
        }),
        coder: criteria,
        qa: criteria,
      },
      { requiredKeys: ["outcome", "acceptance_criteria"], noNullPrototype: true },
    ),
  ),
});

const stored = (one: NewTask): Task => ({
  ...one,
  status: "todo",
  iteration: 0,
  createdAtMs: 1,
  updatedAtMs: 2,
  held: false,
  loop: null,
  proof: null,
});

async function* each(tasks: readonly Task[]) {
  yield* tasks;
}

async function exported(tasks: readonly Task[], format: ExportFormat): Promise<string> {
  const parts: string[] = [];
  for await (const part of exportedText(each(tasks), format)) parts.push(part);
  return parts.join("");
}

test.each<ExportFormat>(["yaml", "json"])("the %s output reads back unchanged", async (format) => {
  const tasks = fc.uniqueArray(task, { minLength: 1, maxLength: 4, selector: (one) => one.id });
  await fc.assert(
    fc.asyncProperty(tasks, async (list) => {
      const source = await exported(list.map(stored), format);
      expect((await readTasks("t", source, { withoutCriteria: true })).tasks).toEqual(list);
    }),
    { numRuns: runs(300) },
  );
});

test.each<[ExportFormat]>([["yaml"], ["json"]])("no tasks are an empty %s list", async (format) => {
  expect(await exported([], format)).toBe("[]\n");
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "ralph-export-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

test("a file is written completely or not at all", async () => {
  const cwd = folder();
  await writeWhole(
    "a.txt",
    cwd,
    (async function* () {
      yield "one";
    })(),
  );
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one");
  const failing = writeWhole(
    "a.txt",
    cwd,
    (async function* () {
      yield "two";
      throw new Error("gone");
    })(),
  );
  await expect(failing).rejects.toThrow("gone");
  expect(readFileSync(join(cwd, "a.txt"), "utf8")).toBe("one");
  expect(readdirSync(cwd)).toEqual(["a.txt"]);
});

test("a file that cannot be written is named", async () => {
  const cwd = folder();
  await expect(writeWhole("no/such/a.txt", cwd, each([]) as AsyncIterable<never>)).rejects.toMatchObject({
    code: "file-unwritable",
    message: expect.stringContaining("cannot write no/such/a.txt: ENOENT"),
  });
  expect(existsSync(join(cwd, "no"))).toBe(false);
});
