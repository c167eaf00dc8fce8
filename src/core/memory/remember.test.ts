import { expect, test } from "vitest";
import { someSpec } from "../../../test/support/spec.ts";
import { claimJudged, turnBegan, turnEnded } from "../../../test/support/turns.ts";
import type { CheckResult, Entry, LoopEvent } from "../loop/events.ts";
import { fold } from "../loop/reduce.ts";
import type { LoopSpec } from "../loop/spec.ts";
import type { LoopState } from "../loop/state.ts";
import { changedFiles, type Memory, MOST } from "./memory.ts";
import { memoryText } from "./section.ts";

const check = (name: string, is: CheckResult["is"]): CheckResult => ({
  name,
  command: name,
  is,
  code: 0,
  reason: is,
  excerpt: "",
  log: null,
  ms: 1,
});

const after = (events: LoopEvent[], spec: Partial<LoopSpec> = {}, driver: "engine" | "host" = "engine"): LoopState =>
  fold(
    [
      { type: "loop.started", spec: someSpec({ memory: true, tracked: true, ...spec }), fingerprints: {} } as LoopEvent,
      { type: "loop.adopted", driver } as LoopEvent,
      ...events,
    ].map((event, i): Entry => ({ loop: "l", seq: i + 1, epoch: 1, atMs: i, event })),
  );

const one = [turnBegan(1), turnEnded(1, { said: "first" })];
const changed = changedFiles([{ path: "a", change: "added", added: 1, removed: 0 }]);
const seen = (n: number, snapshot: string | null, more = {}): LoopEvent => ({
  type: "tree.seen",
  n,
  tree: "t",
  snapshot,
  ...more,
});

test.each<[string, LoopEvent[], Partial<Memory>]>([
  ["the last message", one, { said: { n: 1, text: "first" } }],
  [
    "an earlier message if there is no later one",
    [...one, turnBegan(2), turnEnded(2)],
    { said: { n: 1, text: "first" } },
  ],
  ["no message of a closed turn", [...one, turnEnded(1, { said: "again" })], { said: { n: 1, text: "first" } }],
  ["what has changed", [...one, seen(1, "s", { changed })], { changed: { ...changed, n: 1 }, snapshot: "s" }],
  [
    "the same if the next snapshot is equal",
    [...one, seen(1, "s", { changed }), turnBegan(2), turnEnded(2), seen(2, "s")],
    { changed: { ...changed, n: 1 } },
  ],
  [
    "nothing about changes that are unknown",
    [...one, seen(1, "s", { changed }), turnBegan(2), turnEnded(2), seen(2, null)],
    { changed: null, snapshot: null },
  ],
  [
    "notes, each once",
    [turnBegan(1), turnEnded(1, { notes: ["a", "b"] }), turnBegan(2), turnEnded(2, { notes: ["b", "c"] })],
    {
      notes: [
        { id: 1, n: 1, text: "a" },
        { id: 2, n: 1, text: "b" },
        { id: 3, n: 2, text: "c" },
      ],
      lastNote: 3,
    },
  ],
  [
    "the commits when the turn began",
    [...one, { ...turnBegan(2), commits: { last: [], count: 3 } } as LoopEvent],
    { commits: { last: [], count: 3 } },
  ],
  [
    "the last result of each check",
    [
      { type: "baseline.taken", results: [check("a", "fail"), check("b", "pass")], head: "", tree: null },
      ...one,
      seen(1, null),
      claimJudged(1, { checks: [check("a", "pass")] }),
    ],
    { checks: { b: { n: 0, is: "pass", reason: "" }, a: { n: 1, is: "pass", reason: "" } } },
  ],
])("remembers %s", (_name, events, memory) => expect(after(events).memory).toMatchObject(memory));

test("only so many notes, the newest ones, and no number twice", () => {
  const events = Array.from({ length: 9 }, (_, i) => [
    turnBegan(i + 1),
    turnEnded(i + 1, { notes: Array.from({ length: 5 }, (_, j) => `${i}.${j}`) }),
  ]).flat();
  const { memory } = after(events);
  expect(memory?.notes.map(({ id }) => id)).toEqual(Array.from({ length: MOST.notes }, (_, i) => i + 26));
});

test("only so many checks", () => {
  const results = Array.from({ length: 99 }, (_, i) => check(`check ${i}`, "fail"));
  const { memory } = after([{ type: "baseline.taken", results, head: "", tree: null }]);
  expect(Object.keys(memory?.checks ?? {})).toHaveLength(MOST.checks);
});

test.each<[string, Partial<LoopSpec>, "engine" | "host"]>([
  ["if it is off", { memory: false }, "engine"],
  ["in a continued session", { context: "continue" }, "engine"],
  ["in a host's session", {}, "host"],
])("nothing is remembered %s", (_name, spec, driver) => {
  const state = after([...one, turnBegan(2)], spec, driver);
  expect(state.memory).toBeUndefined();
  expect(memoryText(state)).toBeNull();
});

test("the first iteration is told nothing", () => {
  expect(memoryText(after([turnBegan(1)]))).toBeNull();
  expect(memoryText(after([...one, turnBegan(2)]))).toContain("This is iteration 2 of 10.");
});

test("a prompt with the last message in it does not get it twice", () => {
  const prompt = { template: "Go on after: $LOOP_PREV_OUTPUT", values: {} };
  expect(memoryText(after([...one, turnBegan(2)], { prompt }))).not.toContain("first");
});
