import { afterAll } from "vitest";
import type { Finished } from "./sandbox.ts";

/** For the tests of one file that run at the same time: what they leave is removed after the last of them. */
export function atEnd(): Finished {
  const left: (() => void)[] = [];
  afterAll(() => {
    for (const cleanUp of left) cleanUp();
  });
  return (cleanUp) => left.push(cleanUp);
}
