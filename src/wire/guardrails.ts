import { existsSync } from "node:fs";
import { join } from "node:path";
import type { CheckResult } from "../core/loop/events.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
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

/** Runs the guardrails in order, all of them: the next prompt is told of every failure. Null when stopped on the way. */
export async function runGuardrails(run: GuardrailRun): Promise<CheckResult[] | null> {
  const folder = runFolder(run.spec.cwd);
  const slugs = uniqueSlugs(run.spec.guardrails.map((guardrail) => guardrail.command));
  const results: CheckResult[] = [];
  for (const [i, guardrail] of run.spec.guardrails.entries()) {
    run.progress(guardrail.command, null);
    const result = await runCheck(guardrail, logPath(folder, `guardrail_${run.n}_${slugs[i]}`, run.loop), run.setting);
    if (!result) return null;
    run.progress(guardrail.command, result);
    results.push(result);
  }
  return results;
}

/** A log that is already there belongs to another loop, or to an attempt that was cut short: it stays. */
function logPath(folder: string, name: string, loop: string): string {
  const plain = join(folder, `${name}.log`);
  return existsSync(plain) ? join(folder, `${name}_${loop}.log`) : plain;
}
