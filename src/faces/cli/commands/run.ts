import { loopToResume } from "../../../adapters/store/named.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { RalphError } from "../../../core/errors.ts";
import { resumedLimits } from "../../../core/loop/from-settings.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import { harnessLoop } from "../../../doors/harness/open.ts";
import { refuseAgents } from "../../../runtime/person.ts";
import { resumeLoop, startLoop } from "../../../runtime/run-loop.ts";
import type { Cli } from "../context.ts";
import type { OutputOptions } from "../live/console.ts";
import { followLoop, warnOfNeighbours } from "../live/follow.ts";
import { paint } from "../output/paint.ts";
import { sessionWords } from "../output/phrases.ts";
import type { LimitOptions } from "../program/arguments.ts";

interface RunOptions extends LimitOptions, OutputOptions {
  prompt?: string;
  promptFile?: string;
  agent?: string[];
  scenario?: string;
  verify?: string[];
  strict?: boolean;
  missingOk?: boolean;
  completionResponse?: string;
  context?: "fresh" | "continue";
  iterationTimeout?: number;
  idleTimeout?: number;
  settings?: string;
  resume?: string;
  dryRun?: boolean;
}

export async function runLoopCommand(cli: Cli, options: RunOptions): Promise<number> {
  if (options.resume !== undefined) {
    refuseWithResume(options);
    return resumeCommand(cli, options.resume, options);
  }
  const cwd = cli.cwd();
  const { settings: settingsPath, ...wanted } = options;
  const loop = await harnessLoop({
    cwd,
    ...wanted,
    ...(settingsPath ? { settingsPath } : {}),
    flags: flagSettings(options),
  });
  if (!options.quiet && !options.json) for (const warning of loop.warnings) warn(cli, warning);
  if (options.dryRun) return (await import("./dry-run.ts")).dryRunCommand(cli, loop, options);
  const stream = options.streamAgentOutput ?? loop.streamAgentOutput;
  const output = { ...options, streamAgentOutput: stream };
  return inWorkspace({ cwd: cli.cwd(), create: true }, async (workspace) => {
    if (!options.quiet && !options.json) await warnOfNeighbours(cli, workspace, cwd);
    return followLoop(cli, workspace, output, (driving) => startLoop(driving, loop.spec, loop.protect));
  });
}

const warn = (cli: Cli, warning: string): void => cli.report(`${paint("yellow", "warning:")} ${printable(warning)}`);

/** A resumed loop keeps its settings; only its limits can be changed. */
function refuseWithResume(options: RunOptions): void {
  if (options.dryRun) {
    throw new RalphError("dry-run-resume", "--dry-run describes a new loop, and --resume resumes an existing one", {
      hint: "leave out one of them; `ralph why <loop>` shows what a loop has done",
    });
  }
  const fixed = [
    "prompt",
    "promptFile",
    "agent",
    "scenario",
    "verify",
    "strict",
    "missingOk",
    "completionResponse",
    "context",
    "settings",
  ] as const;
  const given = fixed.filter((name) => options[name] !== undefined);
  if (given.length === 0) return;
  const flags = given.map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
  throw new RalphError("resume-fixed", `a resumed loop keeps its settings: ${flags.join(", ")} cannot be changed`, {
    hint: "leave that out, or start a new loop without --resume",
  });
}

export async function resumeCommand(
  cli: Cli,
  wanted: string,
  options: LimitOptions & OutputOptions & { acceptChanges?: boolean },
) {
  const limits = resumedLimits(limitSettings(options));
  return inWorkspace({ cwd: cli.cwd() }, (workspace) =>
    followLoop(cli, workspace, options, async (driving) => {
      refuseAgents(workspace, "ralph resume");
      const loop = await loopToResume(workspace, wanted);
      const { id } = loop;
      const session = sessionWords(loop);
      if (session && !options.quiet && !options.json)
        cli.report(
          paint(
            "yellow",
            `! moved out of ${session}, which no longer continues it (/ralph --resume ${id} moves it back)`,
          ),
        );
      return resumeLoop(driving, id, { limits, acceptChanges: options.acceptChanges ?? false });
    }),
  );
}

function flagSettings(options: RunOptions): Settings {
  const { verify, completionResponse, context, iterationTimeout, idleTimeout, strict } = options;
  const proof = strict ? ("strict" as const) : undefined;
  const completion = options.missingOk ? { missing_ok: true } : undefined;
  const flags = { verify, completion, completionResponse, context, iterationTimeout, idleTimeout, proof };
  return defined({ ...flags, ...limitSettings(options) });
}

function limitSettings({
  maxIterations,
  maximumIterations,
  maxCost,
  maxTokens,
  timeout,
  stuckAfter,
}: LimitOptions): Settings {
  return defined({
    maximumIterations: maxIterations ?? maximumIterations,
    maxCostUsd: maxCost,
    maxTokens,
    timeout,
    stuckAfter,
  });
}

/** Without undefined keys: an absent flag must not hide a setting. */
function defined(settings: { [K in keyof Settings]: Settings[K] | undefined }): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Settings;
}
