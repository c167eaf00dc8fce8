import { expect, test } from "vitest";
import { openMutex } from "./mutex.ts";

test("one at a time, in order of arrival, and none waits forever", async () => {
  const turn = openMutex();
  const { signal } = new AbortController();
  const gone = new AbortController();
  const said: string[] = [];
  const work = async (name: string, quit: AbortSignal) => {
    const leave = await turn.take(quit);
    said.push(`${name} ${leave ? "begins" : "leaves"}`);
    if (!leave) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
    said.push(`${name} ends`);
    leave();
  };
  const all = [work("a", signal), work("b", gone.signal), work("c", signal), work("d", signal)];
  gone.abort();
  await Promise.all(all);
  expect(said).toEqual(["a begins", "b leaves", "a ends", "c begins", "c ends", "d begins", "d ends"]);
  expect(await turn.take(gone.signal)).toBeNull();
  expect(await turn.take(signal)).not.toBeNull();
});
