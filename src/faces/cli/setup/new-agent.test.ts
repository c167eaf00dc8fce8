import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { someAgent } from "../../../../test/support/spec.ts";
import { adapterFor, agentsOnPath, defaultAgent, KINDS } from "../../../adapters/agents/agent.ts";
import { claude } from "../../../adapters/agents/claude.ts";
import type { AgentKind } from "../../../adapters/agents/kind.ts";
import { agentFindings } from "./doctor/agents.ts";
import { chosenAgent } from "./project.ts";

/** Everything that a new agent CLI needs: this definition, and its name in the table. */
const robot: AgentKind = {
  ...claude,
  name: "robot",
  words: () => ["work"],
  login: "run `robot login`, or set ROBOT_KEY",
  loginFile: ({ home }) => join(home, ".robot", "login.json"),
  loginVariables: ["ROBOT_KEY"],
  npmPackage: "robot-cli",
  permissions: {
    work: () => ({ flags: ["--edit"], means: "it may edit" }),
    everything: { flags: ["--all"], means: "everything" },
    modes: [],
  },
};
const kinds = new Map([...KINDS, ["robot", async () => robot]]);

/** A folder with the robot, which is the only program on PATH. */
function machine(): string {
  const folder = mkdtempSync(join(tmpdir(), "ralph-agent-"));
  writeFileSync(join(folder, "robot"), "#!/bin/sh\necho robot 1.2.3\n");
  chmodSync(join(folder, "robot"), 0o755);
  vi.stubEnv("PATH", folder);
  vi.stubEnv("HOME", folder);
  vi.stubEnv("ROBOT_KEY", "");
  return folder;
}

test("a loop runs it, by name or path", async () => {
  const adapter = await adapterFor(someAgent("/opt/robot"), kinds);
  const run = { prompt: "Go.", flags: [], sessionId: null, iteration: 1, attempt: 1 };
  expect(adapter.reportsCost).toBe(true);
  expect(adapter.command({ ...run, purpose: "work" }).args[0]).toBe("work");
});

test("it is found on PATH, and is the default if it is the only one", () => {
  const cwd = machine();
  expect(agentsOnPath(cwd, kinds)).toEqual(["robot"]);
  expect(defaultAgent(cwd, kinds)).toEqual({ command: "robot" });
});

test("doctor shows its version and login", async () => {
  const cwd = machine();
  const [finding] = await agentFindings(cwd, kinds);
  expect(finding).toMatchObject({ name: "robot", is: "warning", agent: { version: "robot 1.2.3" } });
  expect(finding?.hint).toContain("no login found: run `robot login`, or set ROBOT_KEY");
  vi.stubEnv("ROBOT_KEY", "k");
  expect(await agentFindings(cwd, kinds)).toMatchObject([{ is: "ok", agent: { login: "found" } }]);
});

test.each<[string, string | undefined]>([
  ["robot", "--edit"],
  ["claude", "--permission-mode acceptEdits"],
  ["/opt/bin/claude", "--permission-mode acceptEdits"],
  ["codex", "-s workspace-write"],
  ["amp", undefined],
  ["gemini", "--approval-mode auto_edit"],
  ["qwen", "--approval-mode auto-edit"],
  ["opencode", undefined],
  ["./my-agent.sh", undefined],
  ["scripted", undefined],
])("init offers %s its mildest flag", async (command, flag) => {
  expect((await chosenAgent(command, kinds)).permissions?.edit([])?.flags[0]).toBe(flag);
});
