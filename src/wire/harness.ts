import { statSync } from "node:fs";
import { isAbsolute, join, relative, resolve } from "node:path";
import { RalphError } from "../core/errors.ts";
import type { Limits, LoopSpec } from "../core/loop/spec.ts";
import type { Settings } from "../core/schema/settings.ts";
import { isRepository } from "../git/repository.ts";
import { mergeSettings } from "../harness/settings.ts";
import { harnessSpec, limitsOf } from "../harness/spec.ts";
import { findOnPath } from "../io/find-on-path.ts";
import { defaultAgent, SCRIPTED } from "./agent.ts";
import { readPrompt } from "./engine-ports.ts";
import { readSettings } from "./settings-files.ts";

/** What `ralph run` was asked for, beside the settings that its flags stand for. */
export interface HarnessRequest {
  cwd: string;
  prompt?: string;
  promptFile?: string;
  settingsPath?: string;
  agent?: string;
  scenario?: string;
  /** Flags, as settings: they win over the files. */
  flags: Settings;
}

export interface HarnessLoop {
  spec: LoopSpec;
  /** Files whose change during the loop is tampering. */
  protect: string[];
  streamAgentOutput: boolean;
}

/** Turns flags and settings files into a loop. */
export async function harnessLoop(request: HarnessRequest): Promise<HarnessLoop> {
  const { cwd } = request;
  const files = await readSettings(cwd, request.settingsPath);
  const settings = mergeSettings(...files.layers, request.flags);
  const prompt = promptSource(request);
  const promptText = checkedPrompt({ prompt, cwd });
  const spec = harnessSpec({ settings, cwd, prompt, promptText, agent: agentOf(request, settings) });
  if (spec.effects.length > 0) await checkGit(cwd);
  return {
    spec,
    protect: [...files.paths, ...(settings.protect ?? [])],
    streamAgentOutput: settings.streamAgentOutput ?? true,
  };
}

async function checkGit(cwd: string): Promise<void> {
  if (!findOnPath("git", cwd)) {
    throw new RalphError("no-git", "scm tasks need git, and it is not on PATH", {
      hint: "install git, or remove scm from the settings",
    });
  }
  if (await isRepository(cwd)) return;
  throw new RalphError("no-git", `scm tasks need a git repository, and ${cwd} is none`, {
    hint: "run `git init`, or remove scm from the settings",
  });
}

/** The limits a resume asks for, over those the loop had. */
export const resumedLimits =
  (flags: Settings) =>
  (before: Limits): Limits =>
    limitsOf(flags, before);

function agentOf({ cwd, agent, scenario }: HarnessRequest, settings: Settings): LoopSpec["agent"] {
  const command = agent ?? (scenario === undefined ? undefined : SCRIPTED);
  const chosen = command === undefined || command === settings.agent?.command ? settings.agent : { command };
  if (!chosen) return defaultAgent(cwd);
  if (chosen.command !== SCRIPTED && scenario !== undefined) {
    throw new RalphError("scenario-unused", `--scenario is for the scripted agent, and --agent is ${chosen.command}`, {
      hint: "leave out one of them",
    });
  }
  if (chosen.command !== SCRIPTED) return { command: chosen.command, flags: chosen.flags ?? [] };
  const flags = scenario === undefined ? (chosen.flags ?? []) : [resolve(cwd, scenario)];
  if (flags.length === 0) {
    throw new RalphError("scenario-missing", "the scripted agent needs a scenario to play", {
      hint: "give --scenario <file>; docs/scripted-agent.md shows one",
    });
  }
  return { command: SCRIPTED, flags };
}

const PROMPT_HINT = 'ralph run --prompt "what to do", or --prompt-file task.md';

function promptSource({ cwd, prompt, promptFile }: HarnessRequest): LoopSpec["prompt"] {
  if (prompt !== undefined && promptFile !== undefined) {
    throw new RalphError("prompt-twice", "give --prompt or --prompt-file, not both", { hint: PROMPT_HINT });
  }
  if (prompt !== undefined) return { text: prompt };
  if (promptFile === undefined) throw new RalphError("prompt-missing", "no prompt was given", { hint: PROMPT_HINT });
  const path = isAbsolute(promptFile) ? promptFile : join(cwd, promptFile);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) {
    throw new RalphError("prompt-unreadable", `the prompt file ${promptFile} is a folder`, {
      hint: "name a file in it",
    });
  }
  return { file: relative(cwd, path) };
}

function checkedPrompt(source: Pick<LoopSpec, "prompt" | "cwd">): string {
  const text = readPrompt(source);
  const what = "file" in source.prompt ? `the prompt file ${source.prompt.file}` : "the prompt";
  if (text.trim() === "") throw new RalphError("prompt-empty", `${what} is empty`, { hint: PROMPT_HINT });
  if (text.includes("\0")) {
    throw new RalphError("prompt-binary", `${what} holds NUL bytes, so it is not a text`, {
      hint: "a prompt is plain text or Markdown, in UTF-8",
    });
  }
  return text;
}
