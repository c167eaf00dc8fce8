import { uncommittedFiles } from "../../../adapters/git/tracked.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { RalphError } from "../../../core/errors.ts";
import { flagCompletion } from "../../../core/proof/from-settings.ts";
import type { CleanRoom } from "../../../core/proof/proof.ts";
import type { Settings } from "../../../core/schema/settings.ts";
import { harnessLoop, startHarness } from "../../../doors/harness/open.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import type { OutputOptions } from "../live/console.ts";
import { followLoop } from "../live/follow.ts";
import { type AgentOptions, askedFlags } from "../program/agent-options.ts";
import type { LimitOptions } from "../program/arguments.ts";
import { uncommittedWords } from "../views/worktree-lines.ts";
import { givenPrompt } from "./given-prompt.ts";
import { limitSettings, resumeCommand, withoutAbsent } from "./resume.ts";

interface RunOptions extends LimitOptions, OutputOptions, AgentOptions {
  prompt?: string;
  promptFile?: string;
  agent?: string[];
  scenario?: string;
  verify?: string[];
  strict?: boolean;
  missingOk?: boolean;
  allowDirty?: boolean;
  scope?: string[];
  cleanRoom?: CleanRoom["mode"];
  completionResponse?: string;
  context?: "fresh" | "continue";
  memory?: boolean;
  iterationTimeout?: number;
  idleTimeout?: number;
  settings?: string;
  resume?: string;
  dryRun?: boolean;
  force?: boolean;
  worktree?: string | boolean;
  merge?: boolean;
}

export async function runLoopCommand(cli: Cli, words: readonly string[], options: RunOptions): Promise<number> {
  if (options.resume !== undefined) {
    refuseWithResume(words, options);
    return resumeCommand(cli, options.resume, options);
  }
  const cwd = cli.cwd();
  const { settings: settingsPath, prompt: _prompt, promptFile: _promptFile, ...wanted } = options;
  const loop = await harnessLoop({
    cwd,
    ...wanted,
    ...askedFlags(options),
    ...(await givenPrompt(cli, words, options)),
    ...(settingsPath ? { settingsPath } : {}),
    flags: flagSettings(options),
  });
  if (!options.quiet && !options.json) for (const warning of loop.warnings) warn(cli, warning);
  if (options.dryRun) return (await import("./dry-run.ts")).dryRunCommand(cli, loop, options);
  const stream = options.streamAgentOutput ?? loop.streamAgentOutput;
  const output = { ...options, streamAgentOutput: stream };
  return inWorkspace({ cwd: cli.cwd(), create: true }, async (workspace) => {
    if (loop.worktree && !options.quiet && !options.json) await warnOfUncommitted(cli, cwd);
    return followLoop(cli, workspace, output, (driving, follower) => startHarness(driving, loop, follower));
  });
}

async function warnOfUncommitted(cli: Cli, cwd: string): Promise<void> {
  const files = await uncommittedFiles(cwd);
  if (files.length > 0) warn(cli, uncommittedWords(files));
}

const warn = (cli: Cli, warning: string): void => cli.report(`${paint("yellow", "warning:")} ${printable(warning)}`);

/** A resumed loop keeps its settings; only its limits can be changed. */
function refuseWithResume(words: readonly string[], options: RunOptions): void {
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
    "scope",
    "cleanRoom",
    "allowDirty",
    "completionResponse",
    "context",
    "memory",
    "settings",
    "worktree",
    "merge",
  ] as const;
  const given = fixed.filter((name) => options[name] !== undefined);
  if (given.length === 0 && words.length === 0) return;
  const flags = given.map((name) => `--${options[name] === false ? "no-" : ""}${dashed(name)}`);
  const fixedParts = [...(words.length > 0 ? ["the prompt"] : []), ...flags].join(", ");
  throw new RalphError("resume-fixed", `a resumed loop keeps its settings: ${fixedParts} cannot be changed`, {
    hint: "leave that out, or start a new loop without --resume",
  });
}

const dashed = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

function flagSettings(options: RunOptions): Settings {
  const { verify, completionResponse, context, memory, iterationTimeout, idleTimeout, strict } = options;
  const proof = strict ? ("strict" as const) : undefined;
  const flags = {
    verify,
    ...flagCompletion(options),
    completionResponse,
    context,
    memory,
    iterationTimeout,
    idleTimeout,
    proof,
  };
  return withoutAbsent({ ...flags, ...limitSettings(options) });
}
