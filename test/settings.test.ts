import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseSettings } from "../src/adapters/settings/settings-text.ts";
import { settingsProof } from "../src/core/proof/from-settings.ts";
import { harnessSpec } from "../src/doors/harness/spec.ts";
import { inProcess } from "./support/in-process.ts";
import { expectRefusal } from "./support/refusal.ts";

interface Schema {
  description?: string;
  default?: unknown;
  enum?: string[];
  type?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean;
  items?: Schema;
  not?: object;
  oneOf?: object[];
}

const schema = JSON.parse(readFileSync("schema/settings.schema.json", "utf8")) as Schema;
const guide = readFileSync("docs/settings.md", "utf8");

/** Every key of the schema with its path, such as `guardrails[].command`. */
function keysOf({ properties = {}, required = [] }: Schema, above = ""): [string, Schema, boolean][] {
  return Object.entries(properties).flatMap(([name, key]) => {
    const path = `${above}${name}`;
    const inner = key.items ? keysOf(key.items, `${path}[].`) : keysOf(key, `${path}.`);
    return [[path, key, required.includes(name)] as [string, Schema, boolean], ...inner];
  });
}

const keys = keysOf(schema);

test("the JSON Schema is generated from the code", () => {
  execFileSync(process.execPath, ["schema/generate.mjs", "--check"], { stdio: "pipe" });
});

test.each(keys)("the JSON Schema explains %s", (_path, { description }) => {
  expect(description).toMatch(/^[A-Za-z].*\.$/);
});

test("the JSON Schema refuses what the code refuses: unknown keys, and conflicting keys", () => {
  const objects = [schema, ...keys.flatMap(([, key]) => [key, key.items ?? {}])].filter(({ properties }) => properties);
  expect(objects.map(({ additionalProperties }) => additionalProperties)).toEqual(objects.map(() => false));
  expect(schema.not).toEqual({ required: ["agent", "agents"] });
  expect(schema.properties?.notify?.items?.oneOf).toEqual([{ required: ["command"] }, { required: ["webhook"] }]);
  expect(schema).not.toHaveProperty("$id");
});

test("the JSON Schema's defaults are the real ones", async () => {
  const defaults = (settings: [string, Schema][]) =>
    Object.fromEntries(settings.flatMap(([key, { default: value }]) => (value === undefined ? [] : [[key, value]])));
  const inner = ({ properties = {} }: Schema = {}) => defaults(Object.entries(properties));
  const { agent, guardrails, scm } = schema.properties ?? {};
  const spec = (settings: object) => async () => {
    const parsed = await parseSettings(JSON.stringify(settings), "s.json");
    const agents = parsed.agent ? [parsed.agent] : [];
    const proof = await settingsProof(parsed);
    return harnessSpec({
      settings: parsed,
      tracked: false,
      cwd: "/",
      prompt: { text: "x" },
      promptText: "x",
      agents,
      proof,
    });
  };
  const bare = { agent: { command: "a" }, guardrails: [{ command: "b" }], scm: { tasks: ["commit"] } };
  const full = {
    ...inner(schema),
    agent: { ...inner(agent), command: "a" },
    guardrails: [{ ...inner(guardrails?.items), command: "b" }],
    scm: { ...inner(scm), tasks: ["commit"] },
  };
  expect(Object.keys(inner(schema)).length).toBeGreaterThan(10);
  expect(await spec(full)()).toEqual(await spec(bare)());
});

test.each(
  keys.filter(([path]) => !/^agents\[\]|judge\.agent\.|^ralph\.(reviewer|tester|qa)\./.test(path)),
)("the guide lists %s", (path, key, required) => {
  const [, type = "", otherwise = "", meaning = ""] =
    guide
      .split("\n")
      .map((line) => line.split("|").map((cell) => cell.trim()))
      .find(([, name]) => name === `\`${path}\``)
      ?.slice(1) ?? [];
  expect(meaning).not.toBe("");
  for (const word of key.enum ?? []) expect(type).toContain(`\`${word}\``);
  if (key.default !== undefined) expect(otherwise).toBe(`\`${JSON.stringify(key.default)}\``);
  expect(otherwise === "required").toBe(required);
});

test.each([
  "docs/run.md",
  "docs/settings.md",
  "docs/verification.md",
  "docs/criteria.md",
  "docs/judge.md",
  "docs/plugins.md",
])("the examples of %s are valid settings of a loop", async (file) => {
  const examples = [...readFileSync(file, "utf8").matchAll(/```json\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) await settingsProof(await parseSettings(example, file));
});

test("mistakes are reported with their location, in files named relative to the current folder", async () => {
  const box = inProcess();
  box.program("yes-agent", 'echo "<promise>DONE</promise>"');
  box.write(".ralph/settings.json", '{\n  "verfy": ["npm test"],\n  "timeout": "1h"\n}\n');
  expectRefusal(
    await box.ralph("run", "--prompt", "x"),
    'error: .ralph/settings.json:2:3: verfy: unknown key "verfy", did you mean "verify"?\n' +
      '.ralph/settings.json:3:14: timeout: expected seconds, got "1h"\n',
  );
  box.write(".ralph/settings.json", "{}");
  box.write(".ralph/settings.local.json", '{\n  "agent": {"command": "yes-agent",}\n}');
  expectRefusal(
    await box.ralph("run", "--prompt", "x"),
    "error: .ralph/settings.local.json:2:35: a comma before } is not allowed: the file is strict JSON\n" +
      '  2 |   "agent": {"command": "yes-agent",}\n' +
      "    |                                   ^\n",
  );
  const elsewhere = box.write("../ci.json", '{"timeout": 1, "timeout": 2}');
  expectRefusal(
    await box.ralph("run", "--prompt", "x", "--settings", "../ci.json"),
    `error: ${elsewhere}:1:16: timeout: given twice, first at 1:2\n`,
  );
});
