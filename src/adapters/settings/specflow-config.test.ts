import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { mergeSettings } from "./settings.ts";
import { readTaskSettings } from "./settings-files.ts";

function folder(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), "ralph-specflow-"));
  mkdirSync(join(root, ".git"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, path, ".."), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

const CONFIG = `# of another program
database: [x
  , y]
ralph:
  enabled: true
  default_max_iterations: 10
  verify_promises: true
  coder:
    maxIterations: 15
    completion_promise: "IMPLEMENTATION_COMPLETE"
  qa: { verification_method: external, verification_config: { command: a } }
`;

test("the documents' configuration counts, below the settings", async () => {
  const settings = '{"ralph": {"coder": {"max_iterations": 3}, "qa": {"verification_method": "string_match"}}}';
  const cwd = folder({ ".specflow/config.yaml": CONFIG, ".ralph/settings.json": settings });
  const { layers, paths } = await readTaskSettings(cwd, undefined);
  expect(paths).toEqual([".specflow/config.yaml", ".ralph/settings.json"]);
  expect(mergeSettings(...layers)).toEqual({
    ralph: {
      enabled: true,
      default_max_iterations: 10,
      verify_promises: true,
      coder: { max_iterations: 3, completion_promise: "IMPLEMENTATION_COMPLETE" },
      qa: { verification_method: "string_match" },
    },
  });
});

test.each([
  ["nothing", ""],
  ["nothing about tasks", "project: x\n"],
  ["an empty block", "ralph:\n"],
  ["a list", "- a\n"],
])("a file that says %s has no effect", async (_name, text) => {
  expect(await readTaskSettings(folder({ ".specflow/config.yaml": text }), undefined)).toEqual({
    layers: [],
    paths: [],
  });
});

test.each([
  [
    "ralph:\n  coder:\n    max_iteration: 3\n  max_rounds: 0\n",
    '.specflow/config.yaml:3:5: ralph.coder.max_iteration: unknown key "max_iteration", did you mean "max_iterations"?\n' +
      ".specflow/config.yaml:4:15: ralph.max_rounds: expected a whole number from 1, got the number 0",
  ],
  ["ralph: yes\n", /^\.specflow\/config\.yaml:1:8: ralph: expected \{ .+ \}, got "yes"$/],
  ["ralph: [\n", /^\.specflow\/config\.yaml:\d+:\d+: /],
])("mistakes are reported with their location: %j", async (text, told) => {
  await expect(readTaskSettings(folder({ ".specflow/config.yaml": text }), undefined)).rejects.toThrow(told);
});
