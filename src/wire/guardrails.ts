import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CheckResult } from "../core/loop/events.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import { uniqueSlugs } from "../core/slug.ts";
import { fileError, makeFolder, requireFolder } from "../io/folder.ts";
import { type CheckSetting, runCheck } from "../verify/check.ts";

/** What the .gitignore in `.ralph/` keeps out of commits. */
export const RUN_FILES = "guardrail_*.log\nsettings.local.json\n";

/** The folder for run files in the user's repository, with a .gitignore that keeps them out of commits. */
export function runFolder(cwd: string): string {
  requireFolder(cwd);
  const folder = join(cwd, ".ralph");
  makeFolder(folder);
  const ignore = join(folder, ".gitignore");
  try {
    if (!existsSync(ignore)) writeFileSync(ignore, RUN_FILES);
  } catch (error) {
    throw fileError(error, ignore);
  }
  return folder;
}

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
