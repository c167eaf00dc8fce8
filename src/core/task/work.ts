/** The branch and worktree of a task. */
export interface TaskWork {
  branch: string;
  /** The branch it is merged into. */
  target: string;
  /** The commit at which its branch started. */
  base: string;
  /** Its own checkout, in the state folder. */
  worktree: string;
}

/** How often a task may fail and be sent back. */
export interface TaskLimits {
  maxAttempts: number;
  maxRounds: number;
}

export const DEFAULT_TASK_LIMITS: TaskLimits = { maxAttempts: 3, maxRounds: 3 };
