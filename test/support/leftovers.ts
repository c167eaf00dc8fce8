import { expect, vi } from "vitest";
import { PATIENT } from "./patience.ts";
import { commandOf, processesWith, procFile } from "./processes.ts";
import type { Sandbox } from "./sandbox.ts";

/** Fails if a process of this sandbox's loops outlives it: test processes live much longer. */
export async function expectNothingLeft(box: Sandbox): Promise<void> {
  await vi.waitFor(() => expect(leftoversOf(box)).toEqual([]), PATIENT);
}

/** Command lines of the living processes that carry a run token and belong to this sandbox. */
export function leftoversOf({ state }: Sandbox): string[] {
  return processesWith(`RALPH_STATE_DIR=${state}\0`)
    .filter((pid) => `\0${procFile(pid, "environ")}`.includes("\0RALPH_RUN="))
    .map((pid) => `${pid} ${commandOf(pid)}`);
}
