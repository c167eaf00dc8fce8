import { afterAll } from "vitest";
import type { Finished } from "./sandbox.ts";

/** For concurrent tests of one file: their leftovers are removed after the last of them. */
export function atEnd(): Finished {
  const left: (() => void)[] = [];
  afterAll(() => {
    for (const cleanUp of left) cleanUp();
  });
  return (cleanUp) => left.push(cleanUp);
}
