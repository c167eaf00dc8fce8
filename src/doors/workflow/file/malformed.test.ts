import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { stringify } from "yaml";
import { runs } from "../../../../test/support/effort.ts";
import type { Part } from "../../../core/workflow/workflow.ts";
import { readWorkflowFile, readWorkflowText } from "./file.ts";

const command = (name: string) => ({ text: `Text of ${name}` });

type Json = Record<string, unknown>;

const name = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const line = fc.stringMatching(/^[A-Za-z#:"'{[&*!|>%@`-][A-Za-z0-9 :#"'{}[\],&*!|>%@`$-]{0,30}[a-z]$/);
const text = fc.oneof(
  line,
  fc.tuple(line, line).map((lines) => `${lines.join("\n\n  ")}\n`),
);
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const whole = fc.integer({ min: 1, max: 10 });

const head = { name, description: text, provider: maybe(name), model: maybe(name) };
const tools = { allowed_tools: maybe(fc.array(name)), denied_tools: maybe(fc.array(name)) };
const step = fc.record({ command: name, idle_timeout: maybe(whole), retry: maybe(whole), ...tools });
const prompted = fc.record({ prompt: text, clearContext: maybe(fc.boolean()) });
const parallel = fc.record({ parallel: fc.array(step, { minLength: 1, maxLength: 3 }) });
const steps = fc.array(fc.oneof(step, prompted, parallel), { minLength: 1, maxLength: 4 });
const loopKeys = {
  max_iterations: whole,
  fresh_context: maybe(fc.boolean()),
  until_bash: maybe(line),
  verify: maybe(fc.oneof(line, fc.array(line))),
  guardrails: maybe(fc.array(line)),
  max_cost: maybe(whole),
};
const until = fc.stringMatching(/^[A-Z]{1,10}$/);
const nodes = fc.array(fc.oneof(fc.record({ prompt: text }), fc.record({ bash: line }), fc.record({ command: name })), {
  minLength: 1,
  maxLength: 4,
});

const stepsForm = fc.record({ ...head, steps });
const loopForm = fc.record({ ...head, prompt: text, loop: fc.record({ until, ...loopKeys, ...tools }) });
const nodesForm = fc
  .record({ ...head, nodes })
  .map((written) => ({ ...written, nodes: written.nodes.map((node, i) => ({ id: `n${i}`, ...before(i), ...node })) }));
const before = (i: number) => (i === 0 ? {} : { depends_on: [`n${i - 1}`] });

/** A workflow as text, without the omitted keys. */
const valid: fc.Arbitrary<Json> = fc
  .oneof<fc.Arbitrary<Json>[]>(stepsForm, loopForm, nodesForm)
  .map((written) => JSON.parse(JSON.stringify(written)) as Json);

function expectPart(part: Part, item: Json): void {
  if (part.kind === "bash") expect(part.command).toBe(item.bash);
  else if (part.kind === "parallel") expect(part.steps).toHaveLength((item.parallel as Json[]).length);
  else expect(part.prompt.text).toBe(item.prompt ?? `Text of ${item.command}`);
  if (part.kind === "loop") expect(part).toMatchObject({ until: (item.loop as Json).until });
}

test("a valid workflow is read back, with any text", () => {
  fc.assert(
    fc.property(valid, fc.boolean(), (written, asJson) => {
      const source = asJson ? JSON.stringify(written) : stringify(written);
      const read = readWorkflowText(source, { file: "w.yaml", command });
      expect(read.faulty).toBeNull();
      if (read.faulty) return;
      const { workflow } = read;
      expect(workflow).toMatchObject({
        name: written.name,
        description: String(written.description).trim(),
        provider: written.provider ?? null,
        form: ["steps", "loop", "nodes"].find((form) => form in written),
      });
      const items = (written.steps ?? written.nodes ?? [written]) as Json[];
      expect(workflow.parts).toHaveLength(items.length);
      for (const [i, part] of workflow.parts.entries()) expectPart(part, items[i] ?? {});
    }),
  );
});

const WRONG: readonly unknown[] = [null, 0, -1, 2.5, true, "", " ", [], [[]], {}, { a: 1 }];
/** Values that no key of a workflow accepts. */
const NEVER: readonly unknown[] = [null, [[]], { zz: 1 }];

function without(written: Json, key: string): Json {
  const { [key]: _gone, ...rest } = written;
  return rest;
}

/** Each line names the one before it ten times. */
const bomb = (lines: number): string =>
  ["a0: &a0 x", ...Array.from({ length: lines }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(10).fill(`*a${i}`)}]`)].join(
    "\n",
  );

/** Ways to break a workflow completely. */
const spoilt: fc.Arbitrary<string | Uint8Array> = fc.oneof(
  // Broken syntax, somewhere after the start.
  fc
    .tuple(
      valid,
      fc.constantFrom("\nx: [", '\nx: "', "\n\tx: 1", "\n- a\nb", "\n---\na: 1", "\n*x", "\nx: {a", "\n: : :"),
    )
    .map(([written, junk]) => `${stringify(written)}${junk}`),
  // A wrong type for a key at the top.
  fc
    .tuple(valid, fc.constantFrom("name", "description", "steps", "loop", "nodes", "prompt"), fc.constantFrom(...NEVER))
    .map(([written, key, wrong]) => stringify({ ...written, [key]: wrong })),
  // Unknown keys.
  fc
    .tuple(valid, name, fc.jsonValue())
    .map(([written, key, value]) => stringify({ ...written, [`zz${key}`]: value })),
  // A required key left out.
  fc
    .tuple(valid, fc.constantFrom("name", "description"))
    .map(([written, key]) => stringify(without(written, key))),
  // A loop with any value.
  fc
    .tuple(loopForm, fc.constantFrom("until", "max_iterations"), fc.constantFrom(...WRONG))
    .map(([written, key, wrong]) => stringify({ ...written, loop: { ...written.loop, [key]: wrong } })),
  // Any other document.
  fc
    .jsonValue()
    .map((value) => stringify(value)),
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.uint8Array({ maxLength: 300 }),
  // Cut off somewhere, and continued as something else.
  fc
    .tuple(valid, fc.nat())
    .map(([written, at]) => {
      const lines = stringify(written).split("\n");
      return [...lines.slice(0, at % lines.length), "}{ ["].join("\n");
    }),
  // Far too deep, far too long, far too many.
  fc
    .integer({ min: 50, max: 300 })
    .map((depth) => `name: a\ndescription: b\nsteps: ${"[".repeat(depth)}${"]".repeat(depth)}`),
  fc
    .integer({ min: 50, max: 300 })
    .map((depth) => Array.from({ length: depth }, (_, i) => `${" ".repeat(i)}a:`).join("\n")),
  fc.integer({ min: 1, max: 9 }).map((times) => `name: ${"x".repeat(times * 20_000)}`),
  fc.integer({ min: 5, max: 9 }).map(bomb),
);

test("malformed files: each has a message with a location, and none crashes", () => {
  const folder = mkdtempSync(join(tmpdir(), "ralph-malformed-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, "w.yaml");
  let files = 0;
  fc.assert(
    fc.property(spoilt, (content) => {
      writeFileSync(path, content);
      const { faulty } = readWorkflowFile({ path, cwd: folder, root: folder, command });
      files++;
      expect(faulty?.faults.length).toBeGreaterThan(0);
      for (const { line, column, text, hint } of faulty?.faults ?? []) {
        expect([line >= 1, column >= 1, text.length > 0, text.length < 10_000, hint.length > 0]).toEqual(
          Array(5).fill(true),
        );
        expect(text).not.toMatch(/undefined|\[object|is not a function|Invalid input/);
      }
    }),
    { numRuns: runs(1_000) },
  );
  expect(files).toBeGreaterThanOrEqual(runs(1_000));
});
