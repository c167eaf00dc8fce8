import { expect } from "vitest";
import type { Ended } from "./sandbox.ts";

/** The contract for bad input: exit code 2, what is wrong, how to fix it, and no stack trace. */
export function expectRefusal({ code, stdout, stderr }: Ended, says: RegExp | string): void {
  expect(stderr).toMatch(says);
  expect(stderr).toMatch(/^error: .+\n(.*\n)* {2}help: .+\n$/);
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
}
