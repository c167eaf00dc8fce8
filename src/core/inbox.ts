import type { StopRequest } from "./loop/events.ts";
import type { Addressee } from "./subject.ts";

/** Requests of other processes to the drivers of loops, tasks and runs, which journal them, and to executions. */
export interface Inbox {
  request(subject: Addressee, request: StopRequest, atMs: number): Promise<void>;
  /** Requests that the subject has not answered yet; journalling a stop answers all of them. */
  requests(subject: Addressee): Promise<StopRequest[]>;
}
