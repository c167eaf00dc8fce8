import { readdirSync, readFileSync } from "node:fs";
import { expect, vi } from "vitest";
import { PATIENT } from "./patience.ts";
import type { Sandbox } from "./sandbox.ts";

/** Fails if a process that a loop of this sandbox started outlives it: those of the tests would for much longer. */
export async function expectNothingLeft(box: Sandbox): Promise<void> {
  await vi.waitFor(() => expect(leftoversOf(box)).toEqual([]), PATIENT);
}

/** Command lines of the living processes that carry a run token and belong to this sandbox. */
export function leftoversOf({ state }: Sandbox): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      const environment = `\0${read(`/proc/${pid}/environ`)}`;
      return environment.includes(`\0RALPH_STATE_DIR=${state}\0`) && environment.includes("\0RALPH_RUN=");
    })
    .map((pid) => `${pid} ${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ")}`);
}

function read(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // it ended between two looks
  }
}
