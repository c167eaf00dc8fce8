import type { Scenario, Step } from "../../../core/schema/scenario.ts";

/** Which turn of a loop is played, and with what. */
export interface ScriptedTurn {
  prompt: string;
  iteration: number;
  attempt: number;
  session: string;
}

/** The steps of this turn; null when the scenario has ended and says that more is a failure. */
export function stepsFor({ iterations, afterLast }: Scenario, { iteration, attempt }: ScriptedTurn): Step[] | null {
  const index = iteration - 1;
  const beyond = { repeat: iterations.at(-1), loop: iterations[index % iterations.length], fail: undefined };
  const entry = iterations[index] ?? beyond[afterLast];
  if (entry === undefined) return null;
  return attempt > 1 ? entry.retry : entry.steps;
}

/** Puts the turn's values in for `{{prompt}}` and its like; other words in braces stay as they are. */
export function fillIn(text: string, turn: ScriptedTurn): string {
  const values = new Map([
    ["{{prompt}}", turn.prompt],
    ["{{iteration}}", String(turn.iteration)],
    ["{{attempt}}", String(turn.attempt)],
    ["{{session}}", turn.session],
  ]);
  // One pass with a function: neither `$&` nor a placeholder inside the prompt is looked at again.
  return text.replace(/\{\{\w+\}\}/g, (found) => values.get(found) ?? found);
}
