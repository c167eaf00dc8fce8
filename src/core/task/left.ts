import type { StopRequest } from "../loop/events.ts";

/** Why an execution stopped at a request, for the user who reads it later. */
export function stopWords({ as, by }: StopRequest): string {
  if (as === "budget") return `the budget was used up: ${by}`;
  return by.startsWith("ralph cancel") ? "you cancelled it" : `interrupted by ${by}`;
}
