import { expect, test } from "vitest";
import { began, ended, prepared, taken } from "../../../test/support/task.ts";
import type { TaskEvent } from "./events.ts";
import { type StoryStep, storyOf } from "./story.ts";

async function told(...events: TaskEvent[]): Promise<string[]> {
  async function* entries() {
    yield* events.map((event, i) => ({ event, atMs: i }));
  }
  const steps: StoryStep[] = [];
  for await (const step of storyOf(entries())) steps.push(step);
  return steps.map(wordsOf);
}

function wordsOf(step: StoryStep): string {
  if (step.is === "round") return `attempt ${step.attempt} round ${step.round} from ${step.sentBackBy}`;
  if (step.is === "stage") return `${step.place} ${step.reason} ${step.effect}${step.findings.map((f) => `: ${f}`)}`;
  return step.effect ? `${step.event.type} ${step.effect}` : step.event.type;
}

const done = (place: "coder" | "reviewer" | "tester" | "qa"): TaskEvent[] => [
  began(place, place),
  ended(place, place, "verified"),
];
const faults = (place: "reviewer" | "tester", loop = place): TaskEvent[] => [
  began(place, loop),
  { ...ended(place, loop, "faults-found"), findings: ["rename it"] } as TaskEvent,
];
const merge: TaskEvent[] = [
  { type: "work.updated", onto: "t", head: "h", conflicts: [], fingerprints: {} },
  { type: "merge.proven", commit: "c", onto: "t" },
  { type: "task.merged", commit: "c" },
];

test.each<[string, TaskEvent[], string[]]>([
  [
    "a task that passes every stage",
    [taken, prepared, ...done("coder"), ...done("reviewer"), ...merge],
    [
      "task.taken",
      "work.prepared",
      "attempt 1 round 1 from null",
      ...["coder verified passed", "reviewer verified passed", "work.updated", "merge.proven", "task.merged"],
    ],
  ],
  [
    "who sent it back, and why",
    [taken, prepared, ...done("coder"), ...faults("reviewer"), ...done("coder")],
    [
      "task.taken",
      "work.prepared",
      "attempt 1 round 1 from null",
      "coder verified passed",
      "reviewer faults-found sent-back: rename it",
      "attempt 1 round 2 from reviewer",
      "coder verified passed",
    ],
  ],
  [
    "a merge that is refused",
    [taken, prepared, ...done("coder"), { type: "merge.refused", findings: ["npm test"] }, began("coder", "again")],
    [
      "task.taken",
      "work.prepared",
      "attempt 1 round 1 from null",
      "coder verified passed",
      "merge.refused sent-back",
      "attempt 1 round 2 from merge",
      "coder null open",
    ],
  ],
  [
    "attempts of one execution, the last of which blocks the task, and a retry by the user",
    [
      ...[taken, prepared, began("coder", "a"), ended("coder", "a", "iteration-limit")],
      ...[taken, began("coder", "b"), ended("coder", "b", "stuck")],
      ...[taken, began("coder", "c"), ended("coder", "c", "stuck")],
      { type: "task.retried", by: "me" },
      ...[taken, began("coder", "d")],
    ],
    [
      ...["task.taken", "work.prepared", "attempt 1 round 1 from null", "coder iteration-limit failed"],
      ...["attempt 2 round 1 from null", "coder stuck failed", "attempt 3 round 1 from null", "coder stuck blocked"],
      ...["task.retried", "attempt 1 round 1 from null", "coder null open"],
    ],
  ],
  [
    "a stage that never ended, of a task that the user cancelled",
    [taken, prepared, began("coder", "a"), { type: "task.cancelled", by: "me" }, ended("coder", "a", "verified")],
    ["task.taken", "work.prepared", "attempt 1 round 1 from null", "coder null open", "task.cancelled"],
  ],
  [
    "a task that is blocked without a loop",
    [taken, { type: "task.blocked", why: "no plugin" }],
    ["task.taken", "task.blocked blocked"],
  ],
])("%s", async (_name, events, steps) => expect(await told(...events)).toEqual(steps));
