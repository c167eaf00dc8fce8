import { EXIT, RalphError } from "../../core/errors.ts";
import type { TaskContext } from "./context.ts";

/** Leaves a task to a person. */
export async function blocked({ ledger }: TaskContext, why: string): Promise<null> {
  await ledger.write({ type: "task.blocked", why });
  return null;
}

/** What is wrong with one task's branch or criteria is told with the task: the others go on. Null: it is blocked. */
export async function orBlocked<T>(context: TaskContext, work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RalphError) || error.exitCode !== EXIT.usage) throw error;
    return blockedBy(context, error);
  }
}

/** Leaves a task to a person, who is told what is wrong and how to mend it. */
export const blockedBy = (context: TaskContext, { message, hint }: RalphError): Promise<null> =>
  blocked(context, [message, hint].filter(Boolean).join(" — "));
