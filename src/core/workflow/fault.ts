import type { Position } from "../complaints.ts";

/** An error at one position of a workflow file, and how to fix it. */
export interface WorkflowFault extends Position {
  /** The key, such as `loop.max_iterations`; empty: the file as a whole. */
  key: string;
  /** What was expected, with the key. */
  text: string;
  hint: string;
}

/** A file that is not a valid workflow. */
export interface FaultyFile {
  /** Relative to the working directory. */
  file: string;
  /** The name of the workflow, if the file has one. */
  name: string | null;
  /** In the order of the file; never empty. */
  faults: readonly WorkflowFault[];
}
