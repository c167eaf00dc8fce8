import { existsSync } from "node:fs";
import { isAbsolute, normalize, resolve } from "node:path";
import { RalphError } from "../core/errors.ts";
import { limitsOf } from "../core/loop/from-settings.ts";
import type { Limits, LoopSpec } from "../core/loop/spec.ts";
import type { CleanRoom } from "../core/proof/proof.ts";
import type { AgentSettings, Settings } from "../core/schema/settings.ts";
import { headOf, isRepository } from "../git/repository.ts";
import { mergeSettings } from "../harness/settings.ts";
import { harnessProof, harnessSpec } from "../harness/spec.ts";
import { checkoutRoot } from "../io/checkout.ts";
import { findOnPath } from "../io/find-on-path.ts";
import { idlePatterns } from "../verify/tamper/globs.ts";
import { adapterFor, defaultAgent, SCRIPTED } from "./agent.ts";
import { checkJudges } from "./judge-check.ts";
import { promptSource, readPrompt } from "./prompt.ts";
import { readSettings } from "./settings-files.ts";

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
    proof: await namingFiles(files.paths, () => harnessProof(settings)),
  });
  if (spec.effects.some(({ program }) => program === "git")) await checkGit(cwd);
  if (spec.proof.cleanRoom) await checkCleanRoom(cwd, spec.proof.cleanRoom);
  await checkMeasures(spec);
  await checkJudges(spec);
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
async function namingFiles<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
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

/** Refuses what nobody could keep: a limit on what the agent does not tell. */
async function checkMeasures({ agents, limits, context }: LoopSpec): Promise<void> {
  for (const agent of agents) {
    const adapter = await adapterFor(agent);
    if (!adapter.open) checkPlain(agent.command, limits, context);
    else if (adapter.reportsCost === false && !agent.price && limits.maxCostUsd !== null) {
      throw new RalphError(
        "unmeasured",
        `the agent ${agent.command} tells its tokens, but not their cost (--max-cost)`,
        {
          hint: `give its price in dollars per million tokens: {"agent": {"command": "${agent.command}", "price": {"input": 1.25, "output": 10}}}, or limit tokens (--max-tokens) instead`,
        },
      );
    }
  }
}

/** An agent that prints plain text tells neither what it costs nor its session. */
function checkPlain(command: string, limits: Limits, context: LoopSpec["context"]): void {
  const unmeasured = [
    ...(limits.maxCostUsd === null ? [] : ["its cost (--max-cost)"]),
    ...(limits.maxTokens === null ? [] : ["its tokens (--max-tokens)"]),
    ...(context === "fresh" ? [] : ["its session (--context continue)"]),
  ];
  if (unmeasured.length === 0) return;
  throw new RalphError(
    "unmeasured",
    `the agent ${command} prints plain text and does not tell ${unmeasured.join(" and ")}`,
    {
      hint: "leave that out, and limit iterations (-m) or time (--timeout) instead",
    },
  );
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

const NO_CLEAN_ROOM = "or remove clean_room from the criteria";

/** A clean room is a checkout of a commit. */
async function checkCleanRoom(cwd: string, { cached }: CleanRoom): Promise<void> {
  if (!findOnPath("git", cwd) || !(await isRepository(cwd))) {
    throw new RalphError("no-git", `clean_room needs a git repository, and ${cwd} is none`, {
      hint: `run \`git init\` and commit what is there, ${NO_CLEAN_ROOM}`,
    });
  }
  if (!(await headOf(cwd))) {
    throw new RalphError("no-commit", "clean_room needs a commit to check, and this repository has none", {
      hint: `commit what is there, ${NO_CLEAN_ROOM}`,
    });
  }
  const outside = cached.find((folder) => isAbsolute(folder) || /^\.\.?(\/|$)/.test(normalize(folder)));
  if (outside === undefined) return;
  throw new RalphError("outside", `clean_room.cached: ${JSON.stringify(outside)} leads out of the loop's folder`, {
    hint: "name folders inside it, such as node_modules",
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
