import type { AskedFlags } from "../../adapters/agents/agent-flags.ts";
import { type AgentChoice, flaggedAgents } from "../../adapters/agents/chosen-agents.ts";
import { isRepository } from "../../adapters/git/repository.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { findOnPath } from "../../adapters/io/find-on-path.ts";
import { mergeSettings } from "../../adapters/settings/settings.ts";
import { namingFiles, readSettings } from "../../adapters/settings/settings-files.ts";
import { RalphError } from "../../core/errors.ts";
import { resumedLimits } from "../../core/loop/from-settings.ts";
import type { LoopChange } from "../../core/loop/kind.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import type { LoopState } from "../../core/loop/state.ts";
import type { LoopSummary } from "../../core/loop/store.ts";
import { settingsProof } from "../../core/proof/from-settings.ts";
import type { Settings } from "../../core/schema/settings.ts";
import { loopToResume } from "../../engine/named.ts";
import { type Driving, followChanges, type LoopRun } from "../../runtime/drive-loop.ts";
import type { Neighbours } from "../../runtime/neighbours.ts";
import { refuseAgents } from "../../runtime/person.ts";
import { promptSource, readPrompt } from "../../runtime/prompt.ts";
import { resumeLoop, startLoop } from "../../runtime/run-loop.ts";
import { checkSpec } from "../../runtime/spec-check.ts";
import { idlePatterns } from "../../verify/tamper/globs.ts";
import { harnessSpec } from "./spec.ts";

/** A request from `ralph run`. */
export interface HarnessRequest extends AgentChoice {
  prompt?: string;
  promptFile?: string;
  settingsPath?: string;
  /** Commit also what was uncommitted before the loop began. */
  allowDirty?: boolean;
  /** Flags, as settings; they override the files. */
  flags: Settings;
}

export interface HarnessLoop {
  spec: LoopSpec;
  /** Files whose change during the loop is tampering. */
  protect: string[];
  streamAgentOutput: boolean;
  settingsFiles: string[];
  /** Allowed, but probably a mistake. */
  warnings: string[];
}

/** Turns flags and settings files into a loop. */
export async function harnessLoop(request: HarnessRequest): Promise<HarnessLoop> {
  const { cwd } = request;
  const files = await readSettings(cwd, request.settingsPath);
  const settings = mergeSettings(...files.layers, request.flags);
  const prompt = promptSource(request);
  const promptText = readPrompt({ prompt, cwd });
  const { allowDirty = settings.scm?.allowDirty ?? false } = request;
  const spec = harnessSpec({
    settings: allowDirty ? { ...settings, scm: { tasks: [], ...settings.scm, allowDirty } } : settings,
    cwd,
    tracked: checkoutRoot(cwd) !== null,
    prompt,
    promptText,
    agents: await flaggedAgents(request, settings),
    proof: await namingFiles(files.paths, () => settingsProof(settings)),
  });
  if (spec.effects.some(({ program }) => program === "git")) await checkGit(cwd);
  await checkSpec(spec);
  return {
    spec,
    protect: [...files.paths, ...(settings.protect ?? [])],
    streamAgentOutput: settings.streamAgentOutput ?? true,
    settingsFiles: files.paths,
    warnings: [
      ...(request.allowDirty && spec.effects.length === 0 ? [NO_COMMITS] : []),
      ...idlePatterns(cwd, [...(settings.protect ?? []), ...spec.proof.protect]).map(
        (pattern) => `protect: ${pattern} matches no file, so it protects nothing`,
      ),
    ],
  };
}

const NO_COMMITS =
  'allow-dirty is about commits by Ralph, and this loop makes none: add {"scm": {"tasks": ["commit"]}} to the settings';

/** Sees a loop while it is driven. */
export interface LoopFollower {
  begin(run: LoopRun): void;
  /** An entry that is durable. */
  entry(change: LoopChange): void;
}

/** A loop that the harness drove until it stopped. */
export interface HarnessEnd {
  run: LoopRun;
  state: LoopState;
}

/** Starts a loop and drives it until it stops. */
export const startHarness = async (
  driving: Driving,
  { spec, protect }: HarnessLoop,
  { neighbours, ...follower }: LoopFollower & { neighbours: Neighbours },
): Promise<HarnessEnd> => driveToEnd(await startLoop(driving, spec, protect, { neighbours }), follower);

export interface ResumeRequest {
  /** An id, its beginning, or `last`. */
  wanted: string;
  /** Limits that replace those of the loop. */
  flags: Settings;
  acceptChanges: boolean;
  neighbours: Neighbours;
  /** Added to its agent's flags. */
  asked: AskedFlags;
  /** Gets the loop before it is resumed. */
  found(loop: LoopSummary): void;
}

/** Resumes a loop of this door or of a host's session, and drives it until it stops. */
export async function resumeHarness(
  driving: Driving,
  { wanted, flags, acceptChanges, asked, neighbours, found }: ResumeRequest,
  follower: LoopFollower,
): Promise<HarnessEnd> {
  refuseAgents(driving.workspace, "ralph resume");
  const loop = await loopToResume(driving.workspace, wanted);
  found(loop);
  const run = await resumeLoop(driving, loop.id, { limits: resumedLimits(flags), acceptChanges, neighbours, ...asked });
  return driveToEnd(run, follower);
}

async function driveToEnd(run: LoopRun, follower: LoopFollower): Promise<HarnessEnd> {
  follower.begin(run);
  return { run, state: await followChanges(run, follower.entry) };
}

async function checkGit(cwd: string): Promise<void> {
  if (!findOnPath("git", cwd)) {
    throw new RalphError("no-git", "scm tasks need git, which is not on PATH", {
      hint: "install git, or remove scm from the settings",
    });
  }
  if (await isRepository(cwd)) return;
  throw new RalphError("no-git", `scm tasks need a git repository, and ${cwd} is not one`, {
    hint: "run `git init`, or remove scm from the settings",
  });
}
