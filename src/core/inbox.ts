import type { StopRequest } from "./loop/events.ts";
import type { Addressee, Subject } from "./subject.ts";

/** Requests of other processes to the drivers of loops, tasks and runs, which journal them, and to executions. */
export interface Inbox {
  request(subject: Addressee, request: StopRequest, atMs: number): Promise<void>;
  /** Requests that the subject has not answered yet; journalling a stop answers all of them. */
  requests(subject: Addressee): Promise<StopRequest[]>;
  /** Asks the driver of a loop to drop these notes from its memory. */
  requestDrop(subject: Subject, notes: readonly number[], drop: { by: string; atMs: number }): Promise<void>;
  /** The notes to drop, also those already dropped; none once the loop has stopped. */
  notesToDrop(subject: Subject): Promise<number[]>;
}
