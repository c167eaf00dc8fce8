import { expect, test } from "vitest";
import type { AgentEvent } from "../../../core/agent.ts";
import type { ProgressReport } from "../../../core/platform.ts";
import { laneReporter } from "./lane-report.ts";

const EVENTS: AgentEvent[] = [
  { type: "text.said", text: "I run the tests." },
  { type: "tool.called", name: "Bash", summary: "npm test" },
  { type: "tool.failed", name: "Bash", detail: "exit code 1" },
  { type: "tool.called", name: "Write", summary: "a.js" },
  { type: "tool.denied", name: "Write", detail: "a.js" },
];

test.each([
  [null, ["I run the tests.", "Bash: npm test", "✗ Bash failed: exit code 1", "Write: a.js", "✗ refused: Write a.js"]],
  ["one", ["[one] I run the tests.", "[one] Bash: npm test", "[one] ✗ Bash failed: exit code 1"]],
])("a tool call that failed does not look like one that worked, in lane %j", (name, first) => {
  const told: ProgressReport[] = [];
  const lane = laneReporter(
    { mode: "stream", report: (report) => void told.push(report), close: async () => ({ dropped: 0 }) },
    name,
  );
  for (const event of EVENTS) lane.hear(event);
  expect(told.slice(0, first.length).map(({ text }) => text)).toEqual(first);
});
