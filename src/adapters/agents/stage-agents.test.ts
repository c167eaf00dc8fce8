import { expect, test } from "vitest";
import type { Settings } from "../../core/schema/settings.ts";
import type { LoopRole } from "../../core/task/role.ts";
import { stageAgents } from "./stage-agents.ts";

const linesOf = async (place: LoopRole, settings: Settings): Promise<string[]> =>
  (await stageAgents("/", place, settings)).map(({ command, flags }) => [command, ...flags].join(" "));

const AGENTS: Settings = {
  agents: [
    { command: "claude", flags: ["--model opus", "--add-dir /x"] },
    { command: "codex", flags: ["--full-auto"] },
  ],
};

test.each<[string, LoopRole, Settings, string[]]>([
  ["those in the settings", "coder", AGENTS, ["claude --model opus --add-dir /x", "codex --full-auto"]],
  [
    "its own, with their configured flags",
    "qa",
    { ...AGENTS, ralph: { qa: { agent: "codex" } } },
    ["codex --full-auto"],
  ],
  ["one without configured flags", "qa", { ...AGENTS, ralph: { qa: { agent: "/bin/my-agent" } } }, ["/bin/my-agent"]],
  [
    "one with another model",
    "reviewer",
    { ...AGENTS, ralph: { reviewer: { agent: "claude", model: "haiku" } } },
    ["claude --add-dir /x --model haiku"],
  ],
  [
    "the only one with a model",
    "coder",
    { agent: { command: "codex" }, ralph: { coder: { model: "gpt-5" } } },
    ["codex -m gpt-5"],
  ],
  [
    "the coder's for conflicts",
    "conflict",
    { ...AGENTS, ralph: { coder: { agent: "codex", model: "m" } } },
    ["codex --full-auto -m m"],
  ],
  [
    "the coder's with a model for conflicts",
    "conflict",
    { ...AGENTS, ralph: { coder: { agent: "codex" }, conflict: { model: "m" } } },
    ["codex --full-auto -m m"],
  ],
  [
    "another one for conflicts",
    "conflict",
    { ...AGENTS, ralph: { coder: { agent: "claude", model: "m" }, conflict: { agent: "codex" } } },
    ["codex --full-auto"],
  ],
])("a stage's agents are %s", async (_name, place, settings, lines) => {
  expect(await linesOf(place, settings)).toEqual(lines);
});

test.each<[string, LoopRole, Settings, string]>([
  [
    "an agent without a model flag",
    "coder",
    { agent: { command: "amp" }, ralph: { coder: { model: "x" } } },
    "ralph.coder.model: ralph does not know the model flag of amp",
  ],
  [
    "an unknown agent",
    "conflict",
    { agent: { command: "./a.sh" }, ralph: { conflict: { model: "x" } } },
    "ralph.conflict.model: ralph does not know the model flag of a.sh",
  ],
  [
    "several agents",
    "tester",
    { ...AGENTS, ralph: { tester: { model: "x" } } },
    "ralph.tester.model is for one agent, but the settings have several",
  ],
])("a model is refused for %s", async (_name, place, settings, told) => {
  await expect(linesOf(place, settings)).rejects.toThrow(told);
});
