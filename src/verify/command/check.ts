import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { type CommandRequest, type CommandRun, runShellCommand } from "../../adapters/io/command.ts";
import { processEndWords } from "../../adapters/io/ending.ts";
import { environment } from "../../adapters/io/environment.ts";
import { isInside } from "../../adapters/io/inside.ts";
import type { Blobs, BlobWriter } from "../../core/blobs.ts";
import { isNotRun, TELLING } from "../../core/command-line/missing-messages.ts";
import { type Ran, testCounter } from "../../core/counting/counter.ts";
import { codeOf } from "../../core/errors.ts";
import type { CheckResult, TestCounts } from "../../core/loop/events.ts";
import { plainResult } from "../../core/loop/results.ts";
import type { External } from "../../core/proof/proof.ts";
import { keepNames } from "../counting/kept-names.ts";
import { openReports } from "../counting/run-reports.ts";
import { subsetOf } from "../counting/subset-of.ts";
import { absentIn } from "../missing/absent.ts";
import type { RunCache } from "./run-cache.ts";

export interface CheckSetting extends Omit<CommandRequest, "command" | "timeoutMs" | "log" | "lookFor" | "listen"> {
  runs?: RunCache;
  /** Whether something that the command names may be missing: the work creates it, and until then the check fails. */
  missingOk?: boolean;
  /** In a room: a text with the paths of the checkout replaced by those of the room. */
  inRoom?(text: string): string;
  /** Where the names of the tests are kept; if omitted, the tests are only counted. */
  names?: Blobs;
}

type Check = External & { name: string; cache?: boolean };

/** Runs a check. Null if the stop signal interrupted it. */
export async function runCheck(check: Check, log: BlobWriter, setting: CheckSetting): Promise<CheckResult | null> {
  const { inRoom } = setting;
  if (!inRoom) return runThere(check, log, setting);
  const env = Object.fromEntries(Object.entries(check.env).map(([name, value]) => [name, inRoom(value)]));
  const result = await runThere({ ...check, command: inRoom(check.command), env }, log, setting);
  return result && { ...result, command: check.command };
}

async function runThere(check: Check, log: BlobWriter, setting: CheckSetting): Promise<CheckResult | null> {
  const { name, command, timeoutMs } = check;
  const folder = workingFolder(setting.cwd, check.workingDir);
  if ("reason" in folder) return plainResult(check, folder);
  const runs = check.cache === false ? undefined : setting.runs;
  const work = async () => {
    const counter = testCounter();
    const env = { ...setting.env, ...check.env };
    const reports = setting.names && openReports({ command, cwd: folder.path, env });
    const run = await runShellCommand({
      ...setting,
      cwd: folder.path,
      env: { ...env, ...reports?.env },
      command,
      timeoutMs,
      log,
      linesLike: TELLING,
      lookFor: runs?.lookFor(check) ?? [...check.outputContains, ...check.outputNotContains],
      listen: counter.source,
    });
    const ran = counter.ran();
    return { log: log.path, run, tests: await keptCounts(reports?.read(ran) ?? ran, setting.names) };
  };
  const kept = runs ? await runs.run(check, setting.cwd, work) : { ...(await work()), cached: false };
  const { run } = kept;
  if (run.ended.by === "stop") return null;
  const { excerpt, sha256, ms } = run;
  const subset = setting.names ? subsetOf(command, folder.path) : null;
  const more = {
    ...(kept.cached ? { cached: true as const } : {}),
    ...(kept.tests ? { tests: kept.tests } : {}),
    ...(subset === null ? {} : { subset }),
    ...(run.left ? { left: run.left } : {}),
  };
  const answer = runAnswer(run, check, { cwd: folder.path, setting });
  return { name, command, log: kept.log, excerpt, sha256, ms, ...more, ...answer };
}

async function keptCounts({ counts, names }: Ran, blobs: Blobs | undefined): Promise<TestCounts | null> {
  const digest = counts && blobs ? await keepNames(blobs, names) : undefined;
  return counts && { ...counts, ...(digest === undefined ? {} : { names: digest }) };
}

type Answer = Pick<CheckResult, "is" | "code" | "reason" | "absent">;

/** A command that names something missing has not been run, whatever its exit code is. */
function runAnswer(run: CommandRun, check: External, { cwd, setting }: { cwd: string; setting: CheckSetting }): Answer {
  const answer = answerOf(run, check);
  const { ended, lines } = run;
  if (ended.by !== "exit") return answer;
  const { code } = ended;
  // The check may expect exactly the shell's answer for a missing command.
  if (answer.is === "pass" && isNotRun(code)) return answer;
  const path = check.env.PATH ?? setting.env.PATH ?? environment().PATH ?? "";
  const absent = absentIn({ command: check.command, cwd, path, code, passed: answer.is === "pass", lines });
  return absent === null ? answer : { is: setting.missingOk ? "fail" : "unknown", code, reason: absent, absent: true };
}

function answerOf(run: CommandRun, check: External): Answer {
  const { ended } = run;
  if (ended.by === "exit") return exitAnswer(ended.code, run, check);
  const is = ended.by === "signal" || ended.by === "timeout" ? "fail" : "unknown";
  return { is, code: null, reason: processEndWords(ended, check.timeoutMs) };
}

function exitAnswer(code: number, { found }: CommandRun, check: External): Answer {
  const wanted = check.successExitCode;
  if (code !== wanted) {
    return { is: "fail", code, reason: wanted === 0 ? `exit code ${code}` : `exit code ${code}, expected ${wanted}` };
  }
  const faults = [
    ...check.outputContains.filter((text) => !found.has(text)).map((text) => `output does not contain ${quote(text)}`),
    ...check.outputNotContains.filter((text) => found.has(text)).map((text) => `output contains ${quote(text)}`),
  ];
  return faults.length > 0
    ? { is: "fail", code, reason: faults.join(", ") }
    : { is: "pass", code, reason: `exit code ${code}` };
}

const quote = (text: string): string => JSON.stringify(text);

type WorkingFolder = { path: string } | { is: "fail" | "unknown"; reason: string };

/**
 * The working folder of a check, with symlinks resolved: it must be inside `root`. A missing folder may be what the
 * work has to create; a folder elsewhere would check something else.
 */
export function workingFolder(root: string, folder: string): WorkingFolder {
  if (folder === ".") return { path: root };
  try {
    const [real, home] = [realpathSync(resolve(root, folder)), realpathSync(root)];
    if (!isInside(real, home)) {
      return { is: "unknown", reason: `the folder ${folder} leads out of the loop's folder` };
    }
    if (!statSync(real).isDirectory()) return { is: "fail", reason: `${folder} is not a folder` };
    return { path: real };
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" || code === "ENOTDIR") return { is: "fail", reason: `the folder ${folder} does not exist` };
    return { is: "unknown", reason: `the folder ${folder} cannot be used (${code})` };
  }
}
