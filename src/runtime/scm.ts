import { agentAt, isKnown } from "../adapters/agents/agent.ts";
import { askOne } from "../adapters/agents/ask.ts";
import { commitOnce, effectTrailer, type StagedChanges } from "../adapters/git/commit.ts";
import { push } from "../adapters/git/push.ts";
import { headOf } from "../adapters/git/repository.ts";
import { treeState } from "../adapters/git/tree-state.ts";
import { untrackRalphFiles } from "../adapters/git/untrack.ts";
import { runProgram } from "../adapters/io/program.ts";
import { commitQuestion, commitSubject } from "../core/commit-message.ts";
import { EXIT, RalphError } from "../core/errors.ts";
import { cut, shorten } from "../core/excerpt.ts";
import type { Settled } from "../core/loop/events.ts";
import type { Effect, LoopSpec } from "../core/loop/spec.ts";
import { NO_USAGE, type Usage } from "../core/usage.ts";
import { loopBlobs, type Workspace } from "../core/workspace.ts";
import type { EffectRequest } from "../engine/ports.ts";
import type { StopControl } from "../engine/stop-control.ts";
import type { DriverProcess } from "./driver.ts";
import { earlierRecord } from "./earlier-changes.ts";

interface EffectSetting extends DriverProcess {
  workspace: Workspace;
  loop: string;
  spec: LoopSpec;
  stops: StopControl;
}

const ANSWER_MS = 2 * 60_000;
const SUBJECT_CHARS = 200;
const TASK_MS = 5 * 60_000;
const NOTHING_CHANGED = /nothing changed|nothing to commit|no changes/i;

const isGit = ({ program }: Effect): boolean => program === "git";

export const effectBefore = async ({ spec }: EffectSetting, effect: Effect): Promise<string> =>
  isGit(effect) ? headOf(spec.cwd) : "";

/** Performs a version control task unless it was already done. A failure is reported and the loop continues. */
export async function performEffect(
  request: EffectSetting,
  effect: EffectRequest,
): Promise<Settled & { usage: Usage }> {
  let answer: ReturnType<typeof writeSubject> | undefined;
  const subject: Subject = async (changes) => {
    // Asked once, however many attempts the commit takes.
    answer ??= writeSubject(request, effect, changes);
    return (await answer).subject;
  };
  const settled = await unlessKilled(request.stops.hard, settle(request, effect, subject));
  const { subject: said = "", usage = NO_USAGE } = (await answer) ?? {};
  const named = settled.is === "done" && said !== "" ? { subject: shorten(said, SUBJECT_CHARS) } : {};
  return { ...settled, ...named, ...(await treeSince(request, effect, settled)), usage };
}

/** The state of the tree after Ralph's own commit, to compare it with the tree that an agent leaves later. */
async function treeSince(
  { spec, stops }: EffectSetting,
  { effect }: EffectRequest,
  { is }: Settled,
): Promise<Pick<Settled, "tree">> {
  if (effect.kind !== "commit" || is !== "done" || !spec.tracked || !spec.proof.zeroWorkGuard) return {};
  return { tree: await treeState(spec.cwd, stops.soft) };
}

type Subject = (changes: () => Promise<StagedChanges>) => Promise<string>;

async function settle(at: EffectSetting, request: EffectRequest, subject: Subject): Promise<Settled> {
  const { spec, loop, workspace } = at;
  const { effect, probe, before } = request;
  const { cwd } = spec;
  const key = `${loop}/${request.key}`;
  if (isGit(effect) && effect.kind === "commit") {
    // Includes Ralph's own files that an agent has committed itself.
    if (spec.part?.base) await untrackRalphFiles(cwd, spec.part.base);
    const earlier = request.earlier && (await earlierRecord(loopBlobs(workspace, loop), request.earlier));
    if (earlier === "lost") return { is: "failed", detail: LOST };
    return commitOnce({ cwd, subject, key, before, earlier });
  }
  if (isGit(effect) && effect.kind === "push") return push(cwd, effect.args.slice(1));
  if (probe) {
    return { is: "failed", detail: "its process ended while it was running: check whether it happened" };
  }
  const message =
    effect.kind === "commit" ? ["-m", `${await subject(async () => NOT_KNOWN)}\n\n${effectTrailer(key)}`] : [];
  return runTask(cwd, effect.program, [...effect.args, ...message]);
}

const LOST =
  "the record of what was uncommitted before the loop began is gone or was changed, so Ralph cannot tell your changes from the agent's: commit yourself, or start a new loop";

async function runTask(cwd: string, file: string, args: readonly string[]): Promise<Settled> {
  const { code, stdout, stderr } = await runProgram({ file, args, cwd, timeoutMs: TASK_MS });
  const said = cut((stderr.trim() || stdout.trim()).trim(), 500);
  if (code === 0) return { is: "done", detail: cut(stdout.trim().split("\n")[0] ?? "", 200) };
  if (code !== null && NOTHING_CHANGED.test(said)) return { is: "skipped", detail: "nothing changed" };
  return { is: "failed", detail: said || (code === null ? "it did not finish in time" : `exit code ${code}`) };
}

async function writeSubject(
  request: EffectSetting,
  { key, agent }: EffectRequest,
  changes: () => Promise<StagedChanges>,
): Promise<{ subject: string; usage: Usage }> {
  const { title } = request.spec;
  const iteration = Number(key.split("/")[0]);
  const plain = `${title} (iteration ${iteration})`;
  if (!asksForMessage(request.spec, agent)) return { subject: plain, usage: NO_USAGE };
  const question = commitQuestion({ title, ...(await changes()) });
  const { text, usage, fault } = await ask(request, agent, iteration, question);
  // The question forbids tools: an answer counts even if a tool was refused.
  const answered = fault === null || fault.kind === "permission-denied";
  return { subject: (answered ? commitSubject(text) : null) ?? plain, usage };
}

/** Whether one of the loop's agents is asked for commit messages. */
export const asksForMessage = (spec: LoopSpec, agent: number): boolean =>
  spec.commitMessage === "agent" || (spec.commitMessage === "known" && isKnown(agentAt(spec, agent)));

const NOT_KNOWN: StagedChanges = { stat: "(not known)", patch: "" };

async function ask(request: EffectSetting, agent: number, iteration: number, text: string) {
  const { spec, loop, workspace, processToken } = request;
  const log = loopBlobs(workspace, loop).write(`commit-message-${iteration}.log`);
  try {
    return await askOne(request, {
      agent: agentAt(spec, agent),
      cwd: spec.cwd,
      token: `${loop}/${processToken}/ask`,
      timeoutMs: ANSWER_MS,
      log,
      text,
      iteration,
    });
  } finally {
    log.close();
  }
}

/** A second Ctrl-C leaves a hanging git (in a hook, say) running; `ralph resume` checks the result. */
function unlessKilled<T>(hard: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () =>
      reject(
        new RalphError("left-alone", "stopped while git was running; git continues by itself", {
          hint: "`ralph resume` checks whether the commit was made",
          exitCode: EXIT.interrupted,
        }),
      );
    if (hard.aborted) return leave();
    hard.addEventListener("abort", leave, { once: true });
    work.then(resolve, reject).finally(() => hard.removeEventListener("abort", leave));
  });
}
