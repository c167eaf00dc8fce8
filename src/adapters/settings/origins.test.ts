import { expect, test } from "vitest";
import { settingValues } from "./origins.ts";

const shared = ".ralph/settings.json";
const local = ".ralph/settings.local.json";

test("reports each effective value, and the file it came from", () => {
  const values = settingValues(
    [
      {
        $schema: "x",
        maximumIterations: 10,
        timeout: 60,
        agent: { command: "claude", flags: ["--model opus"] },
        guardrails: [{ command: "a" }, { command: "b", timeout: 5 }],
        verify: ["npm test"],
      },
      { maximumIterations: 20, agent: { command: "claude", output: "text" }, guardrails: [{ command: "c" }] },
    ],
    [shared, local],
  );
  expect(values).toEqual([
    { key: "maximumIterations", value: 20, from: local },
    { key: "timeout", value: 60, from: shared },
    { key: "agent.command", value: "claude", from: local },
    { key: "agent.flags", value: ["--model opus"], from: shared },
    { key: "agent.output", value: "text", from: local },
    { key: "guardrails[0].command", value: "c", from: local },
    { key: "verify", value: ["npm test"], from: shared },
  ]);
});

test("agents in one file hide the agent of the other", () => {
  const values = settingValues(
    [{ agent: { command: "a" } }, { agents: [{ command: "b" }, { command: "c" }] }],
    [shared, local],
  );
  expect(values).toEqual([
    { key: "agents[0].command", value: "b", from: local },
    { key: "agents[1].command", value: "c", from: local },
  ]);
});

test("hides secrets in single values and in lists", () => {
  const values = settingValues(
    [
      {
        agent: { command: "a", flags: ["--api-key", "abc", "--auth-token def", "-v"] },
        notify: [{ on: "failed", webhook: "https://hooks.example.com/T0/abc" }],
      },
    ],
    [shared],
  );
  expect(values.map(({ value }) => value)).toEqual([
    "a",
    ["--api-key", "***", "--auth-token ***", "-v"],
    "failed",
    "https://hooks.example.com/***",
  ]);
});

test("without files there are no values", () => {
  expect(settingValues([], [])).toEqual([]);
});
