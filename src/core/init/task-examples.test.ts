import { expect, test } from "vitest";
import { parse } from "yaml";
import { METHODS } from "../schema/methods.ts";
import { readCriteria } from "../schema/read-criteria.ts";
import { readTask } from "../schema/task.ts";
import { AGENT_ROLES } from "../task/role.ts";
import { SLASH_COMMAND } from "./slash-command.ts";
import { METHOD_EXAMPLES } from "./task-examples.ts";
import { TASK_GUIDE } from "./task-guide.ts";

const examplesIn = (text: string): unknown[] =>
  [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, yaml = ""]) => parse(yaml));

test("every example in the texts is accepted by the schema", () => {
  const examples = [SLASH_COMMAND, TASK_GUIDE].flatMap(examplesIn);
  expect(examples).toHaveLength(6);
  for (const example of examples) {
    if (Array.isArray(example))
      for (const task of example) expect(readTask(task, { spec: "s" }).faults).toBeUndefined();
    else expect(readCriteria(example).error).toBeUndefined();
  }
});

test("the texts show every agent and every method", () => {
  expect(Object.keys(METHOD_EXAMPLES).sort()).toEqual([...METHODS].sort());
  for (const word of [...AGENT_ROLES, ...METHODS]) expect(SLASH_COMMAND).toContain(word);
  for (const method of METHODS) expect(TASK_GUIDE).toContain(`verification_method: ${method}`);
});

test("the slash command begins with the front matter that Claude Code reads", () => {
  const [, head = ""] = /^---\n([\s\S]*?)\n---\n/.exec(SLASH_COMMAND) ?? [];
  expect(parse(head)).toMatchObject({ description: expect.any(String), "allowed-tools": expect.any(String) });
});
