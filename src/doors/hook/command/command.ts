import { hostNamed } from "../../../adapters/hosts/hosts.ts";
import { forgetSession, noteSession } from "../../../adapters/hosts/session-index.ts";
import { newId } from "../../../adapters/io/new-id.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { RalphError } from "../../../core/errors.ts";
import { type HostAnswer, type HostEvent, type HostSession, NO_ANSWER } from "../../../core/host.ts";
import { resumedLimits } from "../../../core/loop/from-settings.ts";
import type { Limits, LoopSpec } from "../../../core/loop/spec.ts";
import { NO_USAGE, type Usage } from "../../../core/usage.ts";
import { loopToResume } from "../../../engine/named.ts";
import { uncosted } from "../../../runtime/spec-check.ts";
import { endedText, loopStatusText, occupiedText, startedText } from "../hook-messages.ts";
import { adoptIntoHost, beginHostLoop, type HostPlace, type HostStep, stopHostLoop } from "../host-loop.ts";
import { hookLoop } from "../prepare.ts";
import { type SessionLoop, withSessionLoop } from "../session-loop.ts";
import { NO_LOOP_TOAST, startedToast, stoppedToast, takenToast } from "../toasts.ts";
import { parseRalphArguments, type RalphRequest, ralphHelp } from "./arguments.ts";

/** Answers a command that a user typed in a host's session. Errors are reported, never thrown. */
export async function answerCommand(
  session: HostSession,
  { command, arguments: typed, usage }: HostEvent & { type: "command.typed" },
): Promise<HostAnswer> {
  try {
    if (command === "cancel-ralph") return await withSessionLoop(session, (found) => cancel(session, found));
    if (command === "ralph-status") return await withSessionLoop(session, status);
    return await ralph(session, typed, usage);
  } catch (error) {
    if (error instanceof RalphError) return refusal(error.text());
    throw error;
  }
}

const refusal = (says: string): HostAnswer => ({ ...NO_ANSWER, says, refused: true });

async function ralph(session: HostSession, typed: string, usage: Usage | undefined): Promise<HostAnswer> {
  const parsed = parseRalphArguments(typed);
  if ("complaint" in parsed) return refusal(parsed.complaint);
  const { request } = parsed;
  if (request.do === "help") return { ...NO_ANSWER, says: ralphHelp() };
  const taken = await withSessionLoop(session, async (found) => (found?.isHere ? found.loop : null));
  if (taken) return { ...refusal(occupiedText(taken)), toasts: [takenToast(taken)] };
  return await inWorkspace({ cwd: session.cwd, create: request.do === "start" }, async (workspace) => {
    const warnings: string[] = [];
    const warn = (words: string) => void warnings.push(`Warning: ${words}`);
    const place = { workspace, session, warn, ...(usage ? { usage } : {}) };
    const answer = await (request.do === "start" ? start(place, request) : resume(place, request));
    return warnings.length > 0 ? { ...answer, says: [answer.says, ...warnings].join("\n") } : answer;
  });
}

async function start(place: HostPlace, request: RalphRequest & { do: "start" }): Promise<HostAnswer> {
  const { session, usage = NO_USAGE } = place;
  const { prompt, description, context, flags } = request;
  if (context === "reset" && hostNamed(session.host)?.opensSessions === false) return refusal(noReset(session));
  const loop = await hookLoop({
    cwd: session.cwd,
    prompt,
    ...(description === null ? {} : { description }),
    agent: session.host,
    context: context === "reset" ? "fresh" : "continue",
    session: { id: session.id, usage },
    flags,
  });
  if (isUncosted(session, loop.spec, loop.spec.limits)) throw uncosted(`a session of ${session.host}`, session.host);
  const id = newId();
  const step = await noted(session, id, () => beginHostLoop(place, { id, ...loop }));
  return begun(session, step);
}

/** Whether a cost limit could not be enforced, because the cost of the session is unknown. */
const isUncosted = ({ host }: HostSession, spec: LoopSpec | null, { maxCostUsd }: Limits): boolean =>
  maxCostUsd !== null && hostNamed(host)?.reportsCost === false && !spec?.agents.some(({ price }) => price);

const noReset = ({ host }: HostSession): string =>
  `--context reset gives every iteration a new session, which cannot be opened from inside ${host}.\nNothing was started. Leave it out, and the loop continues in this session; or start it from a terminal, with a new session per iteration: ralph run --agent ${host} --prompt "…"`;

async function resume(place: HostPlace, { loop: wanted, flags }: RalphRequest & { do: "resume" }): Promise<HostAnswer> {
  const { session, workspace } = place;
  const { id, cwd } = await loopToResume(workspace, wanted);
  const limits = resumedLimits(flags);
  const step = await noted(session, id, () => adoptIntoHost(place, id, { limits, acceptChanges: false }));
  const answer = begun(session, step);
  const { spec, limits: kept } = step.state;
  const notes = [
    ...(cwd === workspace.cwd ? [] : [`Its checks run in ${cwd}.`]),
    ...(isUncosted(session, spec, kept)
      ? [`${session.host} does not report costs, so they are not counted: --max-tokens can limit the loop.`]
      : []),
    ...(step.changed.length > 0
      ? [
          `Changed since it started, so claims will be refused: ${step.changed.join(", ")}. If you made the changes, in a terminal: ralph resume ${id} --accept-changes`,
        ]
      : []),
  ];
  return { ...answer, says: [answer.says, ...notes].join("\n") };
}

/** Writes the index before the loop starts, and removes the entry if it does not. */
async function noted<T extends HostStep>(session: HostSession, loop: string, begin: () => Promise<T>): Promise<T> {
  noteSession(session, { loop, cwd: session.cwd });
  try {
    return await begin();
  } catch (error) {
    forgetSession(session);
    throw error;
  }
}

function begun(session: HostSession, { id, state, prompt }: HostStep): HostAnswer {
  if (state.stopped || prompt === null) {
    forgetSession(session);
    return { ...refusal(endedText(id, state)), toasts: [stoppedToast(state, id)] };
  }
  // The current turn belongs to this session, even if the next ones do not.
  return {
    ...NO_ANSWER,
    prompt: { text: prompt, fresh: false },
    toasts: [startedToast(state)],
    says: startedText(id, state),
  };
}

async function cancel(session: HostSession, found: SessionLoop | null): Promise<HostAnswer> {
  if (!found?.isHere) return nothingHere(found);
  const { workspace, loop } = found;
  const by = `/cancel-ralph in ${session.host}`;
  const step = await stopHostLoop({ workspace, session }, loop.id, { as: "cancelled", by });
  const { state } = step ?? (await workspace.store.glance(loop.id));
  if (!state.stopped)
    return { ...NO_ANSWER, says: `Loop ${loop.id} was asked to stop: it stops when its current command has ended.` };
  forgetSession(session);
  return { ...NO_ANSWER, toasts: [stoppedToast(state, loop.id)], says: endedText(loop.id, state) };
}

function nothingHere(found: SessionLoop | null): HostAnswer {
  const { title, message } = NO_LOOP_TOAST;
  const elsewhere =
    found && found.loop.status !== "stopped"
      ? `\nLoop ${found.loop.id} runs elsewhere: ralph cancel ${found.loop.id}`
      : "";
  return { ...refusal(`${title}: ${message}${elsewhere}`), toasts: [NO_LOOP_TOAST] };
}

async function status(found: SessionLoop | null): Promise<HostAnswer> {
  if (!found) return { ...nothingHere(null), refused: false };
  const { workspace, loop, isHere } = found;
  const { state } = await workspace.store.glance(loop.id);
  return { ...NO_ANSWER, says: loopStatusText(loop, state, { isHere, nowMs: Date.now() }) };
}
