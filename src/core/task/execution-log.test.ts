import { expect, test } from "vitest";
import { someSpec } from "../../../test/support/spec.ts";
import { claimJudged, turnBegan, turnEnded } from "../../../test/support/turns.ts";
import type { LoopEvent } from "../loop/events.ts";
import { reduce } from "../loop/reduce.ts";
import { START } from "../loop/state.ts";
import { iterationLog } from "./execution-log.ts";

const started: LoopEvent = {
  type: "loop.started",
  fingerprints: {},
  spec: someSpec({ part: { task: "T-1", place: "coder", execution: "e", description: "", method: "" } }),
};
const stopped = (reason: "verified" | "interrupted" | "budget"): LoopEvent => ({
  type: "loop.stopped",
  reason,
  detail: "",
});

/** The lines of a loop whose entries are a second apart. */
function linesOf(...events: LoopEvent[]) {
  const read = iterationLog();
  let state = START;
  return [started, ...events].flatMap((event, i) => {
    const entry = { loop: "l", seq: i + 1, epoch: 1, atMs: i * 1_000, event };
    const before = state;
    state = reduce(before, entry);
    const line = read({ entry, before, after: state });
    return line ? [line] : [];
  });
}

test("a line for each iteration, in the document's format, with the journal's additions", () => {
  const fail = claimJudged(1, { is: "fail", reason: "npm test: exit code 1" });
  const pass = claimJudged(2, { is: "pass", reason: "1 of 1 checks pass" });
  const lines = linesOf(turnBegan(1), turnEnded(1), fail, turnBegan(2), turnEnded(2), pass, stopped("verified"));
  expect(lines).toEqual([
    {
      task_id: "T-1",
      stage: "coder",
      ralph_iteration: 1,
      ralph_max: 10,
      promise_found: true,
      continuing: true,
      duration_ms: 1_000,
      at: "1970-01-01T00:00:04.000Z",
      loop: "l",
      verified: false,
      reason: "npm test: exit code 1",
      timed_out: false,
      cost_usd: 0.5,
      tokens: 100,
      promises: [{ text: "<promise>DONE</promise>", refused: null }],
    },
    expect.objectContaining({ ralph_iteration: 2, continuing: false, verified: true, cost_usd: 0.5 }),
  ]);
});

test("a timeout and a refused promise are shown, and a pause leaves its iteration open", () => {
  const failed = { kind: "timed-out", detail: "it did not finish within 60m" } as const;
  const echo = { is: "guarded", rule: "echo", start: 0, end: 1, quote: "<promise>DONE</promise>" } as const;
  const [late, echoed, ...more] = linesOf(
    turnBegan(1),
    turnEnded(1, { claim: null, failed }),
    turnBegan(2),
    turnEnded(2, { claim: null, doubts: [echo] }),
    turnBegan(3),
    turnEnded(3),
    stopped("budget"),
  );
  expect(late).toMatchObject({
    timed_out: true,
    promise_found: false,
    reason: "timed-out: it did not finish within 60m",
  });
  expect(echoed).toMatchObject({ verified: null, promises: [{ text: echo.quote, refused: "echo" }] });
  expect(more).toEqual([]);
});
