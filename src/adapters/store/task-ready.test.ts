import fc from "fast-check";
import { expect, test } from "vitest";
import { finished, idsOf, someTask, tell } from "../../../test/support/task.ts";
import { RalphError } from "../../core/errors.ts";
import { circleFrom } from "../../core/task/circle.ts";
import type { TaskStore } from "../../core/task/store.ts";
import { openSqliteStore } from "./sqlite-store.ts";

/** A task in a naive list. */
interface Known {
  id: string;
  priority: number;
  needs: string[];
  status: "todo" | "held" | "done" | "cancelled";
}

function naiveReady(known: readonly Known[]): string[] {
  const isDone = (id: string) => known.find((task) => task.id === id)?.status === "done";
  const dependants = (task: Known) => known.filter(({ needs }) => needs.includes(task.id)).length;
  return idsOf(
    known
      .filter((task) => task.status === "todo" && task.needs.every(isDone))
      .sort((a, b) => a.priority - b.priority || dependants(b) - dependants(a)),
  );
}

type Step =
  | { do: "create"; ids: readonly string[]; priority: number; needs: string[] }
  | { do: "change"; id: string; needs: string[] }
  | { do: "finish" | "cancel" | "drop" | "retry" | "remove"; id: string };

const withoutCircle = (known: Known[]): Known[] | null =>
  circleFrom(idsOf(known), (id) => known.find((task) => task.id === id)?.needs ?? []) ? null : known;

/** The result of one change to a task; null if it must be refused. */
const CHANGES: Record<"finish" | "cancel" | "drop" | "retry", (status: Known["status"]) => Known["status"] | null> = {
  // A task held by the user stays unchanged by any update.
  finish: (status) => (status === "todo" ? "done" : status === "held" ? "held" : null),
  cancel: (status) => (status === "done" ? null : "held"),
  drop: (status) => (status === "done" ? null : "cancelled"),
  retry: (status) => (status === "done" ? null : "todo"),
};

/** The result in a list without any counts; null if it must be refused. */
function naively(known: readonly Known[], step: Step): Known[] | null {
  const there = idsOf(known);
  if (step.do === "create") {
    const { ids, priority, needs } = step;
    const all = [...known, ...ids.map((id): Known => ({ id, priority, needs, status: "todo" }))];
    if (ids.some((id) => there.includes(id)) || needs.some((id) => !idsOf(all).includes(id))) return null;
    return withoutCircle(all);
  }
  const task = known.find(({ id }) => id === step.id);
  if (!task) return null;
  const becoming = (change: Partial<Known>) => known.map((one) => (one === task ? { ...task, ...change } : one));
  if (step.do === "remove")
    return known.some(({ needs }) => needs.includes(task.id)) ? null : known.filter((one) => one !== task);
  if (step.do === "change")
    return step.needs.some((id) => !there.includes(id)) ? null : withoutCircle(becoming({ needs: step.needs }));
  const status = CHANGES[step.do](task.status);
  return status && becoming({ status });
}

async function really(store: TaskStore, step: Step): Promise<unknown> {
  if (step.do === "create") {
    return store.create(
      step.ids.map((id) => someTask(id, { priority: step.priority, dependencies: step.needs })),
      1,
    );
  }
  if (step.do === "change") return store.update(step.id, { dependencies: step.needs }, 2);
  if (step.do === "remove") return store.remove(step.id);
  if (step.do === "finish") return tell(store, step.id, finished);
  const type = ({ cancel: "task.cancelled", drop: "task.dropped", retry: "task.retried" } as const)[step.do];
  return tell(store, step.id, [{ type, by: "me" }]);
}

const IDS = ["a", "b", "c", "d", "e", "f"];
const id = fc.constantFrom(...IDS);
const ids = fc.uniqueArray(id, { minLength: 1, maxLength: 2 });
const priority = fc.constantFrom(1, 1, 2);
/** Mostly tasks earlier in the alphabet, so that few of them form a circle. */
const needsOf = (task: string) => {
  const before = IDS.slice(0, IDS.indexOf(task));
  const earlier = fc.subarray(before, { maxLength: Math.min(2, before.length) });
  return fc.oneof({ weight: 6, arbitrary: earlier }, { weight: 1, arbitrary: fc.uniqueArray(id, { maxLength: 2 }) });
};
const steps: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 1,
    arbitrary: ids.chain((made) =>
      fc.record({
        do: fc.constant("create" as const),
        ids: fc.constant(made),
        priority,
        needs: needsOf([...made].sort()[0] ?? ""),
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: id.chain((of) =>
      fc.record({ do: fc.constant("change" as const), id: fc.constant(of), needs: needsOf(of) }),
    ),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("finish" as const), id }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), id }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("cancel" as const, "drop" as const, "retry" as const), id }),
  },
);
const first = fc.tuple(
  ...IDS.map((one) =>
    fc.record({ do: fc.constant("create" as const), ids: fc.constant([one]), priority, needs: needsOf(one) }),
  ),
);

test("after any changes, the ready tasks are those of a naive list, in its order", async () => {
  await fc.assert(
    fc.asyncProperty(first, fc.array(steps, { maxLength: 20, size: "max" }), async (made, later) => {
      const store = await openSqliteStore(":memory:");
      let known: Known[] = [];
      for (const step of [...made, ...later]) {
        const expected = naively(known, step);
        const refused = await really(store.tasks, step).then(
          () => false,
          (error: unknown) => error instanceof RalphError || Promise.reject(error),
        );
        expect(refused, JSON.stringify(step)).toBe(expected === null);
        known = expected ?? known;
        expect(idsOf(await store.tasks.next({ begun: false, limit: 100 }))).toEqual(naiveReady(known));
      }
      store.close();
    }),
  );
});
