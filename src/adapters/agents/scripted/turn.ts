import type { Scenario, Step } from "../../../core/schema/scenario.ts";

export interface ScriptedTurn {
  prompt: string;
  iteration: number;
  attempt: number;
  session: string;
}

/** The steps of this turn; null if the scenario has ended and further turns should fail. */
export function stepsFor({ iterations, afterLast }: Scenario, { iteration, attempt }: ScriptedTurn): Step[] | null {
  const index = iteration - 1;
  const beyond = { repeat: iterations.at(-1), loop: iterations[index % iterations.length], fail: undefined };
  const entry = iterations[index] ?? beyond[afterLast];
  if (entry === undefined) return null;
  return attempt > 1 ? entry.retry : entry.steps;
}

/** Replaces placeholders such as `{{prompt}}` with the turn's values; other words in braces stay. */
export function fillIn(text: string, turn: ScriptedTurn): string {
  const values = new Map([
    ["{{prompt}}", turn.prompt],
    ["{{iteration}}", String(turn.iteration)],
    ["{{attempt}}", String(turn.attempt)],
    ["{{session}}", turn.session],
  ]);
  // One pass with a function, so that neither `$&` nor a placeholder inside the prompt is expanded.
  return text.replace(/\{\{\w+\}\}/g, (found) => values.get(found) ?? found);
}
