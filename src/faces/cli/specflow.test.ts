import { expect, test } from "vitest";
import { buildProgram } from "./program/program.ts";
import { fromSpecflow } from "./specflow.ts";

test.each<[string, string]>([
  ['task-create TASK-001 my-spec "Title" --outcome x', 'task create TASK-001 my-spec "Title" --outcome x'],
  ["task-followup B A Title", "task followup B A Title"],
  ["list-tasks --json", "task list --json"],
  ["task-list", "task list"],
  ["list-specs", "spec list"],
  ["spec-create auth", "spec create auth"],
  ["ralph-status", "status"],
  ["ralph-cancel TASK-001", "cancel TASK-001"],
  ["execute --max-parallel 2", "execute --max-parallel 2"],
  ["task show A", "task show A"],
  ["", "--help"],
])("specflow %s", (specflow, ralph) => {
  expect(fromSpecflow(specflow.split(" ").filter(Boolean)).join(" ")).toBe(ralph);
});

test.each([
  "create",
  "followup",
  "list",
  "show",
  "update",
  "export",
  "delete",
])("task-%s is one of our commands", (name) => {
  const [group, command] = fromSpecflow([`task-${name}`]);
  const found = buildProgram(() => async () => undefined).commands.find((one) => one.name() === group);
  expect(found?.commands.map((one) => one.name())).toContain(command);
});
