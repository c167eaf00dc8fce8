import { expect, test } from "vitest";
import { OUTPUT_LIMIT } from "../../../core/output-limit.ts";
import { roomIn } from "./limited.ts";

test("a limited process says once that the rest is left out, and passes the limit to nothing that it starts", () => {
  const env: NodeJS.ProcessEnv = { [OUTPUT_LIMIT]: "10" };
  let full = 0;
  const room = roomIn(env, () => full++);
  expect([room(4), room(5), room(3), room(1)]).toEqual([true, true, false, false]);
  expect([full, env]).toEqual([1, {}]);
});

test("others have no limit", () => {
  expect(roomIn({}, () => undefined)(1e9)).toBe(true);
});
