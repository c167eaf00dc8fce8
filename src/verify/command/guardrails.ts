import { fileBlobs } from "../../adapters/io/file-blobs.ts";
import { ralphFolder } from "../../adapters/io/ralph-folder.ts";
import type { Blobs, BlobWriter } from "../../core/blobs.ts";
import { eachOf, groupsOf } from "../../core/concurrency.ts";
import type { CheckResult } from "../../core/loop/events.ts";
import type { Guardrail, LoopSpec } from "../../core/loop/spec.ts";
import { commandsOf, plainCommand } from "../../core/proof/methods/external.ts";
import type { External, Proof } from "../../core/proof/proof.ts";
import { uniqueSlugs } from "../../core/slug.ts";
import type { CheckView } from "../verification-context.ts";
import { type CheckSetting, runCheck } from "./check.ts";

interface GuardrailRun {
  loop: string;
  n: number;
  spec: LoopSpec;
  setting: CheckSetting;
  /** Where logs are kept; null for `.ralph` in the loop's folder. */
  logs: Blobs | null;
  view: Pick<CheckView, "check">;
}

/** The maximum number of parallel guardrails: builds and test runs use several cores each. */
const MOST_TOGETHER = 4;

/** Runs all guardrails, because the next prompt names every failure. Null if stopped. */
export async function runGuardrails(run: GuardrailRun): Promise<CheckResult[] | null> {
  const logs = run.logs ?? fileBlobs(ralphFolder(run.spec.cwd));
  const { guardrails } = run.spec;
  const slugs = uniqueSlugs(guardrails.map((guardrail) => guardrail.command));
  const results: CheckResult[] = [];
  for (const group of groupsOf(guardrails)) {
    const groupResults = await eachOf(group, MOST_TOGETHER, async ({ item: guardrail, place }) => {
      run.view.check("guardrail", guardrail.command, null);
      const log = await freshLog(logs, `guardrail_${run.n}_${slugs[place]}`, run.loop);
      // Each has its own token, so that ending one does not end the others.
      const check = guardrailCheck(guardrail, run.spec.proof);
      const result = await runCheck(check, log, { ...run.setting, token: `${run.setting.token}/${place}/` });
      if (result) run.view.check("guardrail", guardrail.command, result);
      return result;
    });
    if (!groupResults) return null;
    results.push(...groupResults);
  }
  return results;
}

/** Keeps an existing log, which belongs to another loop or to an interrupted attempt. */
async function freshLog(logs: Blobs, name: string, loop: string): Promise<BlobWriter> {
  const isTaken = (await logs.size(`${name}.log`)) !== null;
  return logs.write(isTaken ? `${name}_${loop}.log` : `${name}.log`);
}

/** A guardrail as a check. It gets the same task variables as checks, so that one run can serve both. */
export const guardrailCheck = (guardrail: Guardrail, proof: Proof): External & { name: string } => ({
  ...plainCommand(guardrail.command),
  ...guardrail,
  env: taskVariables(proof),
});

function taskVariables(proof: Proof): Record<string, string> {
  const [first, ...others] = commandsOf(proof.stages).map(({ env }) => env);
  return Object.fromEntries(
    Object.entries(first ?? {}).filter(
      ([name, value]) => name.startsWith("RALPH_") && others.every((env) => env[name] === value),
    ),
  );
}
