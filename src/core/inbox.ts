import type { StopRequest } from "./loop/events.ts";
import type { Subject } from "./subject.ts";

/** A request of another process, which the driver of the subject journals. */
export interface InboxRequest {
  /** `interrupt`: the loop's session is gone or cannot continue; the user did not cancel the loop. */
  command: "cancel" | "interrupt";
  by: string;
}

/** Converts a stop by another process to a request. */
export const requestOf = ({ as, by }: StopRequest): InboxRequest => ({
  command: as === "cancelled" ? "cancel" : "interrupt",
  by,
});

/** Converts a request to a stop. */
export const stopOf = ({ command, by }: InboxRequest): StopRequest => ({
  as: command === "cancel" ? "cancelled" : "interrupted",
  by,
});

/** Requests to the drivers of loops, tasks and runs. */
export interface Inbox {
  request(subject: Subject, request: InboxRequest, atMs: number): Promise<void>;
  /** Requests that the subject has not answered yet; journalling a stop answers all of them. */
  requests(subject: Subject): Promise<InboxRequest[]>;
}
