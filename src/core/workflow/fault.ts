import type { Position } from "../complaints.ts";

/** What is wrong at one place of a workflow's file, and how to fix it. */
export interface WorkflowFault extends Position {
  /** The key that it is about, such as `loop.max_iterations`; empty: the file as a whole. */
  key: string;
  /** What was expected, with the key. */
  text: string;
  hint: string;
}

/** A file that is no workflow. */
export interface FaultyFile {
  /** Seen from the working directory. */
  file: string;
  /** The workflow that it is meant to be, where it says so. */
  name: string | null;
  /** In the order of the file; never empty. */
  faults: readonly WorkflowFault[];
}
