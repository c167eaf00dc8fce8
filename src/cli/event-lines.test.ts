import { expect, test } from "vitest";
import { gitEffect, someAgent, someSpec } from "../../test/support/spec.ts";
import type { LoopEvent } from "../core/loop/events.ts";
import { reduce } from "../core/loop/reduce.ts";
import { type LoopState, START } from "../core/loop/state.ts";
import { NO_USAGE } from "../core/usage.ts";
import { linesOf } from "./event-lines.ts";

const NOW = Date.now();
const TIME = "(?:\\w+ )?\\d\\d:\\d\\d";

/** What is told of the events of a loop with these agents. */
function told(agents: string[], events: LoopEvent[]): string[] {
  let state: LoopState = { ...START, spec: someSpec({ agents: agents.map((name) => someAgent(name)) }) };
  return events.flatMap((event, seq) => {
    const before = state;
    state = reduce(before, { loop: "one", seq, epoch: 1, atMs: NOW, event });
    return linesOf({ event, before, after: state });
  });
}

const began = (attempt: number, agent: number): LoopEvent => {
  return { type: "turn.began", n: 1, attempt, agent, runToken: "", log: null };
};
const limited = (attempt: number, minutes: number): LoopEvent => {
  const retryAtMs = NOW + minutes * 60_000;
  return {
    type: "turn.voided",
    n: 1,
    attempt,
    why: "rate-limited",
    detail: "5-hour limit",
    retryAtMs,
    usage: NO_USAGE,
  };
};

test("one agent is not named, and its limit is a wait", () => {
  const [turn, wait] = told(["claude"], [began(1, 0), limited(1, 12)]);
  expect(turn).toBe("── iteration 1/10 ──");
  expect(wait).toMatch(
    new RegExp(`^ {2}waiting until ${TIME} \\(12m left\\): rate-limited: 5-hour limit \\(uses no iteration\\)$`),
  );
});

test("of several agents the next takes over, and the wait is for the first that is free", () => {
  const lines = told(["/bin/claude", "codex"], [began(1, 0), limited(1, 30), began(2, 1), limited(2, 12)]);
  expect(lines[0]).toBe("── iteration 1/10, claude ──");
  expect(lines[1]).toMatch(new RegExp(`^ {2}claude is limited until ${TIME}, codex takes over \\(rate-limited: 5-h`));
  expect(lines[2]).toBe("── iteration 1/10, attempt 2, codex ──");
  expect(lines[3]).toMatch(new RegExp(`^ {2}waiting until ${TIME} \\(12m left\\)`));
});

test.each<[string, string]>([
  ["commit", "  ✗ commit failed: no"],
  ["push", "  ✗ push failed: no"],
])("an effect is told by its own name: %s", (kind, line) => {
  const effect = gitEffect(kind === "push" ? "push" : "commit", "guarded");
  const lines = told(
    ["claude"],
    [
      began(1, 0),
      { type: "effect.intended", key: "1/0", effect, before: "" },
      { type: "effect.settled", key: "1/0", is: "failed", detail: "no", usage: NO_USAGE },
    ],
  );
  expect(lines.at(-1)).toBe(line);
});
