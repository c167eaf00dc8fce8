import { EXIT, RalphError } from "../../core/errors.ts";
import type { TaskContext } from "./context.ts";

/** Blocks a task until the user fixes it. */
export async function blocked({ ledger }: TaskContext, why: string): Promise<null> {
  await ledger.write({ type: "task.blocked", why });
  return null;
}

/** Blocks the task for an error in its branch or criteria, so that other tasks continue. Null if it is blocked. */
export async function orBlocked<T>(context: TaskContext, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RalphError) || error.exitCode !== EXIT.usage) throw error;
    return blockedBy(context, error);
  }
}

/** Blocks a task with an error's message and hint. */
export const blockedBy = (context: TaskContext, { message, hint }: RalphError): Promise<null> =>
  blocked(context, [message, hint].filter(Boolean).join(" — "));
