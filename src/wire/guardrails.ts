import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CheckResult } from "../core/loop/events.ts";
import type { Guardrail, LoopSpec } from "../core/loop/spec.ts";
import { uniqueSlugs } from "../core/slug.ts";
import { type CheckSetting, runCheck } from "../verify/check.ts";
import { runFolder } from "./run-folder.ts";

interface GuardrailRun {
  loop: string;
  n: number;
  spec: LoopSpec;
  setting: CheckSetting;
  /** Told before each command and after it. */
  progress(command: string, result: CheckResult | null): void;
}

/** Parallel guardrails that run at the same time: they are builds and test runs, which keep several cores busy each. */
const MOST_TOGETHER = 4;

/** Runs the guardrails, all of them: the next prompt is told of every failure. Null when stopped on the way. */
export async function runGuardrails(run: GuardrailRun): Promise<CheckResult[] | null> {
  const folder = runFolder(run.spec.cwd);
  const { guardrails } = run.spec;
  const slugs = uniqueSlugs(guardrails.map((guardrail) => guardrail.command));
  const results: CheckResult[] = [];
  for (const group of groupsOf(guardrails)) {
    const groupResults = await eachOf(group, MOST_TOGETHER, async ({ guardrail, place }) => {
      run.progress(guardrail.command, null);
      const log = logPath(folder, `guardrail_${run.n}_${slugs[place]}`, run.loop);
      // A token each: one that has to be ended must not take the others with it.
      const result = await runCheck(guardrail, log, { ...run.setting, token: `${run.setting.token}/${place}/` });
      if (result) run.progress(guardrail.command, result);
      return result;
    });
    if (!groupResults) return null;
    results.push(...groupResults);
  }
  return results;
}

interface Placed {
  guardrail: Guardrail;
  place: number;
}

/** Parallel ones that stand beside each other make a group, each of the others one of its own. */
function groupsOf(guardrails: readonly Guardrail[]): Placed[][] {
  const groups: Placed[][] = [];
  for (const [place, guardrail] of guardrails.entries()) {
    const beside = guardrail.parallel && guardrails[place - 1]?.parallel ? groups.at(-1) : undefined;
    if (beside) beside.push({ guardrail, place });
    else groups.push([{ guardrail, place }]);
  }
  return groups;
}

/**
 * The results in the order of the items, however many run at once. Null as soon as one has none: the rest is not
 * begun. Returns, or throws, only when nothing of it runs any more.
 */
async function eachOf<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item) => Promise<Result | null>,
): Promise<Result[] | null> {
  const results: Result[] = [];
  const left = [...items.entries()];
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) {
      const [i, item] = next;
      const result = await work(item).catch((error: unknown) => {
        left.length = 0;
        throw error;
      });
      if (result === null) left.length = 0;
      else results[i] = result;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: most }, worker));
  const failed = ends.find((end) => end.status === "rejected");
  if (failed) throw failed.reason;
  return Object.keys(results).length === items.length ? results : null;
}

/** A log that is already there belongs to another loop, or to an attempt that was cut short: it stays. */
function logPath(folder: string, name: string, loop: string): string {
  const plain = join(folder, `${name}.log`);
  return existsSync(plain) ? join(folder, `${name}_${loop}.log`) : plain;
}
