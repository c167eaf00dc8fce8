import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Stops } from "../../adapters/io/ending.ts";
import { environment, temporaryFolder } from "../../adapters/io/environment.ts";
import { fileBlobs } from "../../adapters/io/file-blobs.ts";
import { startWatchdog } from "../../adapters/io/watchdog.ts";
import type { BlobWriter } from "../../core/blobs.ts";
import type { CheckResult } from "../../core/loop/events.ts";
import { plainResult } from "../../core/loop/results.ts";
import { DEFAULT_TURN_TIMEOUTS } from "../../core/loop/spec.ts";
import { type RecordedCommand, recordedCommands } from "../../core/receipt/commands.ts";
import type { Receipt } from "../../core/schema/receipt.ts";
import { type CheckSetting, runCheck } from "../command/check.ts";
import type { CheckView } from "../verification-context.ts";

export interface Rerun {
  kind: RecordedCommand["kind"];
  name: string;
  command: string;
  required: boolean;
  was: RecordedCommand["was"];
  now: Pick<CheckResult, "is" | "code" | "reason" | "excerpt" | "ms">;
}

export interface RerunRequest {
  cwd: string;
  stops: Stops;
  view: Pick<CheckView, "check">;
}

const EXCERPT_CHARS = 2_000;

/** Runs the commands of a receipt again, one after the other. Null if the stop signal interrupted it. */
export async function rerunCommands(receipt: Receipt, { cwd, stops, view }: RerunRequest): Promise<Rerun[] | null> {
  const processToken = randomBytes(6).toString("hex");
  const watchdog = startWatchdog(processToken);
  const logs = mkdtempSync(join(temporaryFolder(), "ralph-receipt-"));
  const setting = {
    cwd,
    env: { RALPH_LOOP: receipt.loop },
    graceMs: DEFAULT_TURN_TIMEOUTS.graceMs,
    stops,
    watchdog,
    excerptChars: EXCERPT_CHARS,
  };
  const reruns: Rerun[] = [];
  try {
    for (const [i, recorded] of recordedCommands(receipt).entries()) {
      const { kind, name, command, required, was } = recorded;
      view.check(kind, command, null);
      const token = `${receipt.loop}-receipt/${processToken}/${i}/`;
      const now = await runAgain(recorded, fileBlobs(logs).write(`${i}.log`), { ...setting, token });
      if (!now) return null;
      view.check(kind, command, now);
      const { is, code, reason, excerpt, ms } = now;
      reruns.push({ kind, name, command, required, was, now: { is, code, reason, excerpt, ms } });
    }
    return reruns;
  } finally {
    rmSync(logs, { recursive: true, force: true });
    watchdog.close();
  }
}

async function runAgain(
  recorded: RecordedCommand,
  log: BlobWriter,
  setting: CheckSetting,
): Promise<CheckResult | null> {
  const hidden = Object.keys(recorded.env).filter((variable) => recorded.env[variable] === null);
  const missing = hidden.filter((variable) => environment()[variable] === undefined);
  const why = recorded.masked
    ? "it cannot be run again: a secret in it was hidden"
    : missing.length > 0
      ? `it cannot be run again without ${missing.join(", ")} in the environment`
      : null;
  if (why !== null) return plainResult(recorded, { is: "unknown", reason: why });
  // Hidden values come from the environment of the verifying process.
  const env = Object.fromEntries(
    Object.entries(recorded.env).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  return runCheck({ ...recorded, env }, log, setting);
}
