import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openMemories, postpone, recover } from "./session-memory.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("sessions without a loop are forgotten when another one appears", () => {
  const active = new Set(["a", "b"]);
  const memories = openMemories((id) => active.has(id));
  const a = memories.of("a");
  expect(memories.of("a")).toBe(a);
  active.delete("a");
  memories.of("b");
  expect([memories.find("a"), memories.find("b") !== undefined]).toEqual([undefined, true]);
});

test("an idle during the recovery is handled when it ends; a second error restarts it", () => {
  const memory = openMemories(() => true).of("a");
  const look = vi.fn();
  recover(memory, look);
  vi.advanceTimersByTime(5_000);
  expect([memory.recovery, look.mock.calls.length]).toEqual([null, 0]);
  recover(memory, look);
  vi.advanceTimersByTime(3_000);
  if (memory.recovery) postpone(memory.recovery);
  recover(memory, look);
  vi.advanceTimersByTime(4_999);
  expect(look).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(look).toHaveBeenCalledOnce();
});

test("a forgotten session has no timers", () => {
  const memories = openMemories(() => true);
  const memory = memories.of("a");
  memory.delay = setTimeout(() => undefined, 1_000);
  recover(memory, () => undefined);
  memories.clear();
  expect(vi.getTimerCount()).toBe(0);
});
