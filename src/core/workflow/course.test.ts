import fc from "fast-check";
import { expect, test } from "vitest";
import {
  aCommand,
  aLoop,
  aStep,
  partBegan,
  partEnded,
  runEnded,
  runStarted,
  together,
} from "../../../test/support/workflow.ts";
import { decideRun, type LaneWork } from "./decide.ts";
import type { RunEvent } from "./events.ts";
import { foldRun, reduceRun } from "./reduce.ts";
import { hasEnded, type RunState } from "./state.ts";
import type { Part } from "./workflow.ts";

const retry = fc.record({ attempts: fc.nat(2), delayMs: fc.constant(0) });
const step = retry.map((tries) => aStep("step", { retry: tries }));
const workflows = fc.array(
  fc.oneof(
    step,
    retry.map((tries) => aCommand("command", { retry: tries })),
    fc.constant(aLoop("loop")),
    fc.array(step, { minLength: 1, maxLength: 4 }).map((steps) => together("together", ...steps)),
  ),
  { minLength: 1, maxLength: 5 },
);

/** `died`: before it recorded the start of a lane; `left`: after that; `late`: an event arrives twice. */
const move = fc.record({ of: fc.nat(), what: fc.constantFrom("died", "left", "late", "done", "failed") });

/** A driver that performs the decisions, and knows only the journal after each move. */
function course(parts: readonly Part[]) {
  const journal: RunEvent[] = [runStarted(parts)];
  const begun: string[] = [];
  let state = refold(journal);
  const write = (event: RunEvent) => {
    journal.push(event);
    state = reduceRun(state, event);
  };
  const begin = (part: number, { lane, attempt, loop }: LaneWork) => {
    if (loop !== null) return;
    const isCommand = parts[part]?.kind === "bash";
    // A command without a recorded end runs again; a started loop is resumed.
    if (!isCommand) begun.push(`${part}/${lane}/${attempt}`);
    write(partBegan(part, lane, attempt, isCommand ? null : begun.at(-1)));
  };
  return {
    journal,
    begun,
    state: () => state,
    move(what: string, of: number) {
      const next = decideRun(state);
      if (next.do === "end") write(runEnded(next.status, next.detail));
      if (next.do !== "work" || what === "died") return;
      const work = next.lanes[of % next.lanes.length] ?? expect.fail("nothing to work on");
      begin(next.part, work);
      if (what === "late") write(journal[of % journal.length] ?? expect.fail("nothing was written"));
      const { lane, attempt } = work;
      if (what === "done" || what === "failed") write(partEnded(next.part, { lane, attempt, is: what }));
      expect(refold(journal)).toEqual(state);
      state = refold(journal);
    },
  };
}

const refold = (events: readonly RunEvent[]): RunState => foldRun(events.map((event) => ({ event })));

test("for any events, no attempt starts twice, every run ends, and an ended run stays ended", () => {
  fc.assert(
    fc.property(workflows, fc.array(move, { maxLength: 60 }), (parts, moves) => {
      const run = course(parts);
      for (const { what, of } of moves) run.move(what, of);
      // Five parts of four lanes, three attempts each, and the end.
      for (let i = 0; i < 61; i++) run.move("done", i);
      expect(new Set(run.begun).size).toBe(run.begun.length);
      const ended = run.state();
      expect(hasEnded(ended.status)).toBe(true);
      for (const event of run.journal) expect(reduceRun(ended, event)).toBe(ended);
      expect(decideRun(ended)).toEqual({ do: "rest" });
    }),
    { numRuns: 200 },
  );
});
