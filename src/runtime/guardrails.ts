import { fileBlobs } from "../adapters/io/file-blobs.ts";
import { runFolder } from "../adapters/io/run-folder.ts";
import type { Blobs, BlobWriter } from "../core/blobs.ts";
import { eachOf, groupsOf } from "../core/concurrency.ts";
import type { CheckResult } from "../core/loop/events.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import { uniqueSlugs } from "../core/slug.ts";
import { type CheckSetting, runCheck } from "../verify/check.ts";
import { guardrailCheck } from "./check-runs.ts";

interface GuardrailRun {
  loop: string;
  n: number;
  spec: LoopSpec;
  setting: CheckSetting;
  /** Where the logs are kept; null: in `.ralph` of the loop's folder. */
  logs: Blobs | null;
  /** Told before each command and after it. */
  progress(command: string, result: CheckResult | null): void;
}

/** Parallel guardrails that run at the same time: they are builds and test runs, which keep several cores busy each. */
const MOST_TOGETHER = 4;

/** Runs the guardrails, all of them: the next prompt is told of every failure. Null when stopped on the way. */
export async function runGuardrails(run: GuardrailRun): Promise<CheckResult[] | null> {
  const logs = run.logs ?? fileBlobs(runFolder(run.spec.cwd));
  const { guardrails } = run.spec;
  const slugs = uniqueSlugs(guardrails.map((guardrail) => guardrail.command));
  const results: CheckResult[] = [];
  for (const group of groupsOf(guardrails)) {
    const groupResults = await eachOf(group, MOST_TOGETHER, async ({ item: guardrail, place }) => {
      run.progress(guardrail.command, null);
      const log = await freshLog(logs, `guardrail_${run.n}_${slugs[place]}`, run.loop);
      // A token each: one that has to be ended must not take the others with it.
      const check = guardrailCheck(guardrail, run.spec.proof);
      const result = await runCheck(check, log, { ...run.setting, token: `${run.setting.token}/${place}/` });
      if (result) run.progress(guardrail.command, result);
      return result;
    });
    if (!groupResults) return null;
    results.push(...groupResults);
  }
  return results;
}

/** A log that is already there belongs to another loop, or to an attempt that was cut short: it stays. */
async function freshLog(logs: Blobs, name: string, loop: string): Promise<BlobWriter> {
  const isTaken = (await logs.size(`${name}.log`)) !== null;
  return logs.write(isTaken ? `${name}_${loop}.log` : `${name}.log`);
}
