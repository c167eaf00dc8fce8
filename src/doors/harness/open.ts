import type { AskedFlags } from "../../adapters/agents/agent-flags.ts";
import { type AgentChoice, flaggedAgents } from "../../adapters/agents/chosen-agents.ts";
import { isRepository } from "../../adapters/git/repository.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { findOnPath } from "../../adapters/io/find-on-path.ts";
import { newId } from "../../adapters/io/new-id.ts";
import { mergeSettings } from "../../adapters/settings/settings.ts";
import { namingFiles, readSettings } from "../../adapters/settings/settings-files.ts";
import { RalphError } from "../../core/errors.ts";
import { resumedLimits } from "../../core/loop/from-settings.ts";
import type { LoopChange } from "../../core/loop/kind.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import type { LoopState } from "../../core/loop/state.ts";
import type { LoopSummary } from "../../core/loop/store.ts";
import { worktreeName } from "../../core/loop/worktree-name.ts";
import { settingsProof } from "../../core/proof/from-settings.ts";
import { setUpFrom } from "../../core/proof/proof.ts";
import type { Settings } from "../../core/schema/settings.ts";
import { loopToResume } from "../../engine/named.ts";
import { type Driving, followChanges, type LoopRun } from "../../runtime/drive-loop.ts";
import { requireIncomplete } from "../../runtime/loop-refusals.ts";
import type { Neighbours } from "../../runtime/neighbours.ts";
import { agentBehind, refuseAgents } from "../../runtime/person.ts";
import { promptSource, readPrompt } from "../../runtime/prompt.ts";
import { resumeLoop, startLoop } from "../../runtime/run-loop.ts";
import { checkSpec } from "../../runtime/spec-check.ts";
import { idlePatterns } from "../../verify/tamper/globs.ts";
import { finishWorktree, type WorktreeEnd } from "./finish.ts";
import { harnessSpec } from "./spec.ts";
import { dropWorktree, hasWorktree, openWorktree, restoreWorktree, type WorktreeRequest } from "./worktree.ts";

/** A request from `ralph run`. */
export interface HarnessRequest extends AgentChoice {
  prompt?: string;
  promptFile?: string;
  settingsPath?: string;
  /** Commit also what was uncommitted before the loop began. */
  allowDirty?: boolean;
  /** Flags, as settings; they override the files. */
  flags: Settings;
  /** Works in a worktree of its own: its name, or true. */
  worktree?: string | boolean;
  /** Merges a completed loop into the branch that its worktree started from. */
  merge?: boolean;
}

export interface HarnessLoop {
  spec: LoopSpec;
  /** Files whose change during the loop is tampering. */
  protect: string[];
  streamAgentOutput: boolean;
  /** Null: it works in the user's checkout. */
  worktree: WorktreeRequest | null;
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
    worktree: worktreeRequest(request, settings),
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

function worktreeRequest({ worktree, merge = false }: HarnessRequest, { ralph }: Settings): WorktreeRequest | null {
  if (worktree === undefined || worktree === false) {
    if (!merge) return null;
    throw new RalphError("merge-alone", "--merge merges a worktree of the loop's own, and there is none", {
      hint: "add --worktree, or leave out --merge: without a worktree the loop changes your checkout",
    });
  }
  const name = worktree === true ? null : worktree;
  if (name !== null) worktreeName(name, { title: "", id: "" });
  return { name, merge, setUp: setUpFrom(ralph?.worktree ?? {}) };
}

/** Sees a loop while it is driven. */
export interface LoopFollower {
  neighbours: Neighbours;
  begin(run: LoopRun): void;
  /** Something about the loop's own worktree, in one sentence. */
  say(words: string): void;
  /** An entry that is durable. */
  entry(change: LoopChange): void;
}

/** A loop that the harness drove until it stopped. */
export interface HarnessEnd {
  run: LoopRun;
  state: LoopState;
  /** Null if it has no worktree of its own. */
  worktree: WorktreeEnd | null;
}

/** Only a scope that the user gave accounts for changes that another loop in the checkout finds. */
const startedBy = ({ workspace }: Driving, spec: LoopSpec): LoopSpec =>
  spec.proof.scope.length > 0 && agentBehind(workspace) !== null ? { ...spec, byAgent: true } : spec;

/** Starts a loop and drives it until it stops. */
export async function startHarness(
  driving: Driving,
  { worktree, ...loop }: HarnessLoop,
  follower: LoopFollower,
): Promise<HarnessEnd> {
  const { neighbours, say } = follower;
  if (!worktree)
    return driveToEnd(
      driving,
      await startLoop(driving, startedBy(driving, loop.spec), loop.protect, { neighbours }),
      follower,
    );
  const { id, spec, protect } = await openWorktree({ ...driving, say }, { ...loop, id: newId() }, worktree);
  const run = await startLoop(driving, spec, protect, { id, neighbours }).catch(async (error: unknown) => {
    await dropWorktree(driving.workspace, spec);
    throw error;
  });
  return driveToEnd(driving, run, follower);
}

export interface ResumeRequest {
  /** An id, its beginning, or `last`. */
  wanted: string;
  /** Limits that replace those of the loop. */
  flags: Settings;
  acceptChanges: boolean;
  /** Added to its agent's flags. */
  asked: AskedFlags;
  /** Gets the loop before it is resumed. */
  found(loop: LoopSummary): void;
}

/** Resumes a loop of this door or of a host's session, and drives it until it stops. */
export async function resumeHarness(
  driving: Driving,
  { wanted, flags, acceptChanges, asked, found }: ResumeRequest,
  follower: LoopFollower,
): Promise<HarnessEnd> {
  refuseAgents(driving.workspace, "ralph resume");
  const loop = await loopToResume(driving.workspace, wanted);
  const { spec } = (await driving.workspace.store.glance(loop.id)).state;
  // What is left of a completed loop is only its merge.
  if (!spec?.worktree?.merge || !(await hasWorktree(spec.worktree))) await requireIncomplete(driving.workspace, loop);
  found(loop);
  const { neighbours, say } = follower;
  if (spec?.worktree) await restoreWorktree({ ...driving, say }, { id: loop.id, spec });
  const limits = resumedLimits(flags);
  const run = await resumeLoop(driving, loop.id, { limits, acceptChanges, neighbours, ...asked });
  return driveToEnd(driving, run, follower);
}

async function driveToEnd(driving: Driving, run: LoopRun, follower: LoopFollower): Promise<HarnessEnd> {
  follower.begin(run);
  const state = await followChanges(run, follower.entry);
  return { run, state, worktree: await finishWorktree({ ...driving, say: follower.say }, { ...run, state }) };
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
