import { test } from "vitest";
import { leasesIn } from "../src/adapters/store/lease.ts";
import { openSqliteStore, type SqliteStore } from "../src/adapters/store/sqlite-store.ts";
import type { LoopEvent } from "../src/core/loop/events.ts";
import type { Subject } from "../src/core/subject.ts";
import type { RunEvent } from "../src/core/workflow/events.ts";
import { full, runs } from "./support/effort.ts";
import { expectNothingLeft } from "./support/leftovers.ts";
import { LONG } from "./support/patience.ts";
import type { Finished, Sandbox } from "./support/sandbox.ts";
import { aBash, aLoop, aStep, aWorkflow, type WorkflowSandbox, workflowSandbox } from "./support/workflow-runs.ts";

/** Fails the first plan; repeats its prompt. */
const AGENT = `prompt=$(cat)
echo '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
end() { printf '{"type":"result","subtype":"%s","is_error":%s,"result":"","session_id":"s","total_cost_usd":1}\\n' "$1" "$2"; }
case "$prompt" in Plan*) if mkdir ../failed 2>/dev/null; then end error_during_execution true; exit 1; fi ;; esac
printf '{"type":"assistant","message":{"id":"m","model":"m","content":[{"type":"text","text":"did %s"}]},"session_id":"s"}\\n' "$prompt"
end success false`;

const WORKFLOW = aWorkflow([
  aStep("plan", "Plan", { retry: { attempts: 1, delayMs: 0 } }),
  aBash("mark", "echo marked >> ../marks"),
  { kind: "parallel", name: "both", steps: [aStep("a", "A"), aStep("b", "B")] },
  aLoop("loop", "Go", { until: null, untilBash: "test $ITERATION -ge 2", maxIterations: 4 }),
]);

/** The number of boundaries at which the driver dies, spread over all of them. */
const SAMPLES = runs(3);

const sampled = (boundaries: number): number[][] =>
  Array.from({ length: SAMPLES }, (_, i) => [Math.floor(((i + 0.5) * boundaries) / SAMPLES), 5 + ((i * 7) % 20)]);

test(
  "a run whose driver is killed at any write continues there: nothing twice, nothing lost, nothing left",
  LONG,
  async ({ expect, onTestFinished }) => {
    const boundaries = await killed([]);
    for (const dies of sampled(boundaries)) await killed(dies);

    /** Kills the driver at these boundaries, one life after the other, then lets it continue to the end. */
    async function killed(dies: readonly number[]): Promise<number> {
      const box = boxWith(onTestFinished);
      const told: string[] = [];
      for (let life = 0; ; life++) {
        // A run that its driver did not live to name is still found.
        const id = await withStore(box, async ({ runs }) => (await runs.list())[0]?.id);
        const env = deathAt(dies[life]);
        const running = await (id === undefined ? box.begin(WORKFLOW, "do it", env) : box.again("resume", id, env));
        const ended = await running.ended;
        told.push(...ended.told.map(({ text }) => text));
        if (life < dies.length) continue;
        expect(ended.error).toBeNull();
        expect(ended.state, `killed at ${dies}`).toMatchObject({ status: "completed", part: 4 });
        expect(told).toEqual(expect.arrayContaining(["**Iteration 1/4**", "**Iteration 2/4**"]));
        await check(box, ended.id, dies.length);
        return boundariesOf(running);
      }
    }

    async function check(box: WorkflowSandbox, run: string, deaths: number): Promise<void> {
      await expectNothingLeft(box);
      const { events, loops, turns, driven, summary } = await journalsOf(box, run);
      const ends = events.flatMap((e) => (e.type === "part.ended" ? [`${e.part}.${e.lane}#${e.attempt} ${e.is}`] : []));
      expect(driven).not.toContain(true);
      expect(summary).toMatchObject({ status: "completed", currentStep: 4, metadata: { iteration_count: 2 } });
      expect(new Set(ends).size, ends.join()).toBe(ends.length);
      expect(new Set(turns).size, turns.join()).toBe(turns.length);
      expect(ends.filter((end) => end.endsWith("done"))).toHaveLength(5);
      expect(events.filter(({ type }) => type === "run.ended")).toHaveLength(1);
      // One loop for each attempt except the command's, and none is abandoned.
      expect(loops.map(({ status }) => status)).not.toContain("running");
      expect(loops).toHaveLength(ends.length - 1);
      expect(summary.costUsd).toBeGreaterThanOrEqual(5);
      // Only a command whose end was not recorded runs again.
      expect(box.read("../marks").split("\n").length - 1).toBeLessThanOrEqual(1 + deaths);
    }
  },
);

full(
  "a server that is killed at any write: each message is received once and in order, each run driven to its end",
  LONG,
  async ({ expect, onTestFinished }) => {
    const said = ["one", "two", "three"].flatMap((word) =>
      ["a", "b"].map((conversation) => ({
        platform: "x",
        conversation,
        text: `go: ${word}`,
        externalId: `${word} ${conversation}`,
      })),
    );
    const boundaries = await killed([]);
    for (const dies of sampled(boundaries)) await killed(dies);

    async function killed(dies: readonly number[]): Promise<number> {
      const box = boxWith(onTestFinished);
      box.write(
        ".ralph/workflows/go.yaml",
        "name: go\ndescription: Goes.\nprovider: claude\nsteps:\n  - { name: only, prompt: $USER_MESSAGE }\n",
      );
      for (let life = 0; ; life++) {
        const talking = await box.again("talk", JSON.stringify(said), deathAt(dies[life]));
        await talking.ended;
        if (life < dies.length) continue;
        await withStore(box, async ({ runs }) => {
          for (const id of ["a", "b"]) {
            const conversation = { platform: "x", id };
            const all = await runs.list({ conversation, oldestFirst: true });
            expect(
              all.map(({ message, status }) => `${message} ${status}`),
              `killed at ${dies}`,
            ).toEqual(["one completed", "two completed", "three completed"]);
            const messages = await runs.messages(conversation);
            const heard = messages.filter(({ role }) => role === "user").map(({ content }) => content);
            expect(heard).toEqual(["go: one", "go: two", "go: three"]);
            // Each started after the earlier one had ended.
            const first = all.map((run) =>
              messages.findIndex((message) => message.run === run.id && message.role === "assistant"),
            );
            expect(first).toEqual(first.toSorted((x, y) => x - y));
          }
        });
        await expectNothingLeft(box);
        return boundariesOf(talking);
      }
    }
  },
);

function boxWith(finished: Finished): WorkflowSandbox {
  const box = workflowSandbox(finished);
  box.program("claude", AGENT);
  return box;
}

const deathAt = (boundary: number | undefined): Record<string, string> =>
  boundary === undefined ? {} : { TEST_DIES_AT: String(boundary) };

const boundariesOf = (started: { lines(): Record<string, unknown>[] }): number =>
  Number(started.lines().findLast((line) => "boundaries" in line)?.boundaries ?? 0);

async function withStore<T>({ state }: Sandbox, look: (store: SqliteStore) => Promise<T>): Promise<T> {
  const store = await openSqliteStore(`${state}/ralph.db`);
  try {
    return await look(store);
  } finally {
    store.close();
  }
}

/** The journals' view of a run, and the drivers of its parts. */
const journalsOf = (box: Sandbox, run: string) =>
  withStore(box, async (store) => {
    const events: RunEvent[] = [];
    for await (const { event } of store.runs.entries(run)) events.push(event);
    const loops = await store.summaries({ run });
    const turns: string[] = [];
    for (const { id } of loops)
      for await (const { event } of store.entries(id)) if (isTurn(event)) turns.push(`${id} ${event.n}`);
    const subjects: Subject[] = [{ kind: "run", id: run }, ...loops.map(({ id }) => ({ kind: "loop", id }) as const)];
    const driven = await Promise.all(subjects.map(leasesIn(`${box.state}/leases`).isTaken));
    return { events, loops, turns, driven, summary: await store.runs.find(run) };
  });

const isTurn = (event: LoopEvent): event is LoopEvent & { type: "turn.ended" } => event.type === "turn.ended";
