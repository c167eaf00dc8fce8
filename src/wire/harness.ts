import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { RalphError } from "../core/errors.ts";
import { limitsOf } from "../core/loop/from-settings.ts";
import type { Limits, LoopSpec } from "../core/loop/spec.ts";
import { settingsProof } from "../core/proof/from-settings.ts";
import type { AgentSettings, Settings } from "../core/schema/settings.ts";
import { isRepository } from "../git/repository.ts";
import { mergeSettings } from "../harness/settings.ts";
import { harnessSpec } from "../harness/spec.ts";
import { checkoutRoot } from "../io/checkout.ts";
import { findOnPath } from "../io/find-on-path.ts";
import { idlePatterns } from "../verify/tamper/globs.ts";
import { defaultAgent, SCRIPTED } from "./agent.ts";
import { promptSource, readPrompt } from "./prompt.ts";
import { readSettings } from "./settings-files.ts";
import { checkSpec } from "./spec-check.ts";

/** What `ralph run` was asked for, beside the settings that its flags stand for. */
export interface RunRequest {
  cwd: string;
  prompt?: string;
  promptFile?: string;
  settingsPath?: string;
  /** In order of preference. */
  agent?: readonly string[];
  scenario?: string;
  /** Flags, as settings: they win over the files. */
  flags: Settings;
}

export interface HarnessLoop {
  spec: LoopSpec;
  /** Files whose change during the loop is tampering. */
  protect: string[];
  streamAgentOutput: boolean;
  /** The settings files that were read. */
  settingsFiles: string[];
  /** What is allowed, and hardly meant. */
  warnings: string[];
}

/** Turns flags and settings files into a loop. */
export async function harnessLoop(request: RunRequest): Promise<HarnessLoop> {
  const { cwd } = request;
  const files = await readSettings(cwd, request.settingsPath);
  const settings = mergeSettings(...files.layers, request.flags);
  const prompt = promptSource(request);
  const promptText = readPrompt({ prompt, cwd });
  const spec = harnessSpec({
    settings,
    cwd,
    tracked: checkoutRoot(cwd) !== null,
    prompt,
    promptText,
    agents: agentsOf(request, settings),
    proof: await namingFiles(files.paths, () => settingsProof(settings)),
  });
  if (spec.effects.some(({ program }) => program === "git")) await checkGit(cwd);
  await checkSpec(spec);
  return {
    spec,
    protect: [...files.paths, ...(settings.protect ?? [])],
    streamAgentOutput: settings.streamAgentOutput ?? true,
    settingsFiles: files.paths,
    warnings: idlePatterns(cwd, [...(settings.protect ?? []), ...spec.proof.protect]).map(
      (pattern) => `protect: ${pattern} names no file that is there, so it protects nothing`,
    ),
  };
}

/** What is wrong with criteria is told with the files they are from: only settings have any. */
export async function namingFiles<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const { code, message, hint, exitCode } = error;
    const key = message.startsWith("completion") ? "" : "completion: ";
    const named = `${paths.join(" and ")}: ${key}${message}`;
    throw new RalphError(code, named, { exitCode, cause: error, ...(hint === undefined ? {} : { hint }) });
  }
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

/** Flags win over settings; an agent that is named alone keeps the settings written for it. */
export function agentsOf({ cwd, agent: named, scenario }: RunRequest, settings: Settings): AgentSettings[] {
  const written = settings.agents ?? (settings.agent ? [settings.agent] : []);
  const wanted = named ?? (scenario === undefined ? undefined : [SCRIPTED]);
  const chosen = wanted?.map((command) => written.find((agent) => agent.command === command) ?? { command }) ?? written;
  if (scenario !== undefined && !chosen.some(isScripted)) {
    const commands = chosen.map(({ command }) => command).join(", ");
    throw new RalphError("scenario-unused", `--scenario is for the scripted agent, and --agent is ${commands}`, {
      hint: "leave out one of them",
    });
  }
  if (chosen.length === 0) return [defaultAgent(cwd)];
  return chosen.map((agent) => (isScripted(agent) ? withScenario(agent, cwd, scenario) : agent));
}

const isScripted = ({ command }: AgentSettings): boolean => command === SCRIPTED;

function withScenario(agent: AgentSettings, cwd: string, scenario: string | undefined): AgentSettings {
  const flags = scenario === undefined ? (agent.flags ?? []) : [resolve(cwd, scenario)];
  if (scenario !== undefined && !existsSync(resolve(cwd, scenario))) {
    throw new RalphError("scenario-missing", `there is no scenario ${scenario}`, {
      hint: `check the path given with --scenario (seen from ${cwd})`,
    });
  }
  if (flags.length > 0) return { ...agent, flags };
  throw new RalphError("scenario-missing", "the scripted agent needs a scenario to play", {
    hint: "give --scenario <file>; docs/scripted-agent.md shows one",
  });
}
