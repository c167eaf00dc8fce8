import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { inProcess } from "./support/in-process.ts";
import { expectRefusal } from "./support/refusal.ts";

const LOOP = `name: ralph
description: |
  Implements stories one by one.
  Triggers: "run ralph", "all stories".
loop: { until: COMPLETE, max_iterations: 3, verify: [npm test] }
prompt: |
  Do $USER_MESSAGE
`;
const STEPS = "name: feature\ndescription: Plans and builds.\nsteps: [{ command: plan }, { prompt: Build it. }]\n";
const BAD = "name: bad\ndescription: x\nloop:\n  until: X\n  max_iterations: 0\nprompt: y\n";

test.concurrent("workflows are listed, shown and validated, and a bad one is reported", async ({ onTestFinished }) => {
  const box = inProcess(onTestFinished);
  box.write(".ralph/workflows/ralph.yaml", LOOP);
  box.write(".archon/workflows/feature.yml", STEPS);
  box.write(".ralph/commands/plan.md", "Plan $USER_MESSAGE\n");
  const bad = box.write(".ralph/workflows/bad.yaml", BAD);

  const [listed, listedJson, shown, shownJson, validated, validatedJson, one] = await Promise.all([
    box.ralphProcess("workflow", "list"),
    box.json("workflow", "list"),
    box.ralph("workflow", "show", "ralph"),
    box.json("workflow", "show", "feature"),
    box.ralphProcess("workflow", "validate"),
    box.ralph("workflow", "validate", "--json"),
    box.ralph("workflow", "validate", box.path(".ralph/workflows/ralph.yaml")),
  ]);
  expect(listed).toMatchObject({
    code: 0,
    stderr: "",
    stdout: `WORKFLOW  FORM   DESCRIPTION                     TRIGGERS
feature   steps  Plans and builds.
ralph     loop   Implements stories one by one.  "run ralph", "all stories"
faulty: .ralph/workflows/bad.yaml (1 fault)
\`ralph workflow validate\` shows what is wrong, and how to fix it.
`,
  });
  expect(listedJson).toMatchObject({
    workflows: [
      { name: "feature", form: "steps", file: ".archon/workflows/feature.yml" },
      { name: "ralph", form: "loop", triggers: ["run ralph", "all stories"], parts: [{ name: "loop", kind: "loop" }] },
    ],
    faulty: [{ file: ".ralph/workflows/bad.yaml", name: "bad" }],
  });
  expect(shown.stdout).toMatch(
    /until: <promise>COMPLETE<\/promise>\n.*at most 3 iterations.*\n.*verified by: npm test/,
  );
  expect(shownJson).toMatchObject({ parts: [{ prompt: { text: "Plan $USER_MESSAGE\n", command: "plan" } }, {}] });
  const told = "loop.max_iterations: expected a whole number from 1: at least one iteration, got the number 0";
  expect(validated).toMatchObject({
    code: 1,
    stdout: `.archon/workflows/feature.yml: valid, workflow feature
.ralph/workflows/bad.yaml:5:19: ${told}
  hint: write it like \`max_iterations: 20\`
.ralph/workflows/ralph.yaml: valid, workflow ralph
3 files, 1 with faults.
`,
  });
  expect(validatedJson.code).toBe(1);
  expect(JSON.parse(validatedJson.stdout)).toMatchObject({
    valid: false,
    files: [
      { valid: true },
      {
        file: ".ralph/workflows/bad.yaml",
        valid: false,
        faults: [{ line: 5, column: 19, key: "loop.max_iterations" }],
      },
      { valid: true },
    ],
  });
  expect(one.code).toBe(0);

  expectRefusal(await box.ralph("workflow", "show", "bad"), `${bad.slice(box.cwd.length + 1)}:5:19: ${told}`);
  expectRefusal(await box.ralph("workflow", "validate", "none.yaml"), "there is no file none.yaml");
});

interface Schema {
  description?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  additionalProperties?: unknown;
}

const schema = JSON.parse(readFileSync("schema/workflow.schema.json", "utf8")) as Schema;

/** Every map of the schema, with its path. */
function mapsOf(one: Schema, path = ""): [string, Schema][] {
  const inner = [
    ...Object.entries(one.properties ?? {}).map(([name, key]) => [`${path}.${name}`, key] as const),
    ...(one.items ? [[`${path}[]`, one.items] as const] : []),
    ...(one.anyOf ?? []).map((form) => [path, form] as const),
  ];
  return [
    ...(one.properties ? [[path, one] as [string, Schema]] : []),
    ...inner.flatMap(([at, key]) => mapsOf(key, at)),
  ];
}

test.each(mapsOf(schema))("the JSON Schema of workflows explains the keys of %s, and refuses others", (_path, map) => {
  expect(map.additionalProperties).toBe(false);
  for (const key of Object.values(map.properties ?? {})) expect(key.description).toMatch(/^[A-Za-z{<].*\.$/);
});
