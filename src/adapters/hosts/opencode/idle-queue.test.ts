import { expect, test } from "vitest";
import { idleQueue } from "./idle-queue.ts";

test("of events that arrive during an answer only the last waits; sessions do not wait for each other", async () => {
  const seen: string[] = [];
  const gates = new Map<string, () => void>();
  const queue = idleQueue(async (session, at) => {
    seen.push(`${session} ${at}`);
    await new Promise<void>((open) => gates.set(session, open));
  });
  const turn = () => new Promise((done) => setImmediate(done));
  const a = queue.add("a", 1);
  await Promise.all([queue.add("a", 2), queue.add("a", 3)]);
  const b = queue.add("b", 4);
  expect(seen).toEqual(["a 1", "b 4"]);
  gates.get("a")?.();
  gates.get("b")?.();
  await b;
  await turn();
  expect(seen).toEqual(["a 1", "b 4", "a 3"]);
  gates.get("a")?.();
  await a;
  const again = queue.add("a", 5);
  expect(seen.at(-1)).toBe("a 5");
  gates.get("a")?.();
  await again;
});
