import { inWorkspace } from "../../../adapters/store/workspace.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import { resumeHarness } from "../../../doors/harness/open.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import type { OutputOptions } from "../live/console.ts";
import { followLoop } from "../live/follow.ts";
import { sessionWords } from "../output/phrases.ts";
import { type AgentOptions, askedFlags } from "../program/agent-options.ts";
import type { LimitOptions } from "../program/arguments.ts";

interface ResumeOptions extends LimitOptions, OutputOptions, AgentOptions {
  acceptChanges?: boolean;
  force?: boolean;
}

export async function resumeCommand(cli: Cli, wanted: string, options: ResumeOptions): Promise<number> {
  const { acceptChanges = false } = options;
  const request = {
    wanted,
    flags: limitSettings(options),
    acceptChanges,
    asked: askedFlags(options),
    found,
  };
  return inWorkspace({ cwd: cli.cwd() }, (workspace) =>
    followLoop(cli, workspace, options, (driving, follower) => resumeHarness(driving, request, follower)),
  );

  function found(loop: LoopSummary): void {
    const session = sessionWords(loop);
    if (!session || options.quiet || options.json) return;
    const back = `/ralph --resume ${loop.id} moves it back`;
    cli.report(paint("yellow", `! moved out of ${session}, which no longer continues it (${back})`));
  }
}

/** The limits among the flags. */
export function limitSettings({
  maxIterations,
  maximumIterations,
  maxCost,
  maxTokens,
  timeout,
  stuckAfter,
}: LimitOptions): Settings {
  return withoutAbsent({
    maximumIterations: maxIterations ?? maximumIterations,
    maxCostUsd: maxCost,
    maxTokens,
    timeout,
    stuckAfter,
  });
}

/** An absent flag must not hide a setting. */
export function withoutAbsent(settings: { [K in keyof Settings]: Settings[K] | undefined }): Settings {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined)) as Settings;
}
