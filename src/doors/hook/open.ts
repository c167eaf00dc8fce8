import { hostNamed } from "../../adapters/hosts/hosts.ts";
import { forgetSession, noteSession, type SessionEntry, sessionEntry } from "../../adapters/hosts/session-index.ts";
import { inWorkspace } from "../../adapters/store/workspace.ts";
import { RalphError } from "../../core/errors.ts";
import { type HostAnswer, type HostEvent, type HostSession, NO_ANSWER, type Toast } from "../../core/host.ts";
import type { StopRequest } from "../../core/loop/events.ts";
import { nextStepText } from "./hook-messages.ts";
import { attendHostLoop, type HostPlace, type HostStep, isHeld, moveHostLoop, stopHostLoop } from "./host-loop.ts";
import { iterationToast, lastTimeToast, stoppedToast } from "./toasts.ts";

/** Handles an event that a host's session reported at `arrivedMs`. */
export async function answerHost(session: HostSession, event: HostEvent, arrivedMs: number): Promise<HostAnswer> {
  if (event.type === "command.typed") {
    const { answerCommand } = await import("./command/command.ts");
    return answerCommand(session, event);
  }
  const entry = sessionEntry(session);
  if (!entry) return NO_ANSWER;
  try {
    return await inWorkspace({ cwd: entry.cwd }, (workspace) =>
      answerWithLoop({ workspace, session, entry }, event, arrivedMs),
    );
  } catch (error) {
    // The journal was removed: there is nothing to continue.
    if (!(error instanceof RalphError) || error.code !== "loop-unknown") throw error;
    forgetSession(session);
    return NO_ANSWER;
  }
}

type Known = HostPlace & { entry: SessionEntry };

type SessionEvent = Exclude<HostEvent, { type: "command.typed" }>;

async function answerWithLoop(known: Known, event: SessionEvent, arrivedMs: number): Promise<HostAnswer> {
  const { session, entry } = known;
  const stopped = async (request: StopRequest) => answerOf(session, await stopHostLoop(known, entry.loop, request));
  switch (event.type) {
    case "session.idle":
      return answerIdle(known, event, arrivedMs);
    case "session.aborted":
      return stopped({ as: "cancelled", by: `a person, in ${session.host}` });
    case "session.deleted":
      return stopped({ as: "interrupted", by: `${session.host}: its session is gone` });
    case "session.moved":
      noteSession({ ...session, id: event.to }, entry);
      forgetSession((await moveHostLoop(known, entry.loop, event.to)) ? session : { ...session, id: event.to });
      return NO_ANSWER;
  }
}

/** A loop that needs a turn that its host does not allow stops with a reason. */
async function answerIdle(known: Known, event: HostEvent & { type: "session.idle" }, arrivedMs: number) {
  const { session, entry } = known;
  const { patience } = event;
  const step = (await attendHostLoop(known, entry.loop, { turn: event, arrivedMs })) ?? (await gone(known));
  if (!patience || !step?.prompt) return answerOf(session, step);
  const times = timesLeft(event, patience, entry);
  if (times < 1) return answerOf(session, await stopHostLoop(known, step.id, { as: "interrupted", by: patience.why }));
  noteSession(session, { ...entry, left: times - 1 });
  const answer = answerOf(session, step);
  return times === 1 ? withToast(answer, lastTimeToast(patience.why)) : answer;
}

type Idle = HostEvent & { type: "session.idle" };

/** The host's record may lack its last lines, so what was left before counts, too, unless a tool was used since. */
function timesLeft({ events }: Idle, patience: NonNullable<Idle["patience"]>, { left }: SessionEntry): number {
  const isInRow = patience.wasSentBack && !events.some(({ type }) => type === "tool.called");
  return isInRow && left !== undefined ? Math.min(left, patience.times) : patience.times;
}

const withToast = (answer: HostAnswer, toast: Toast): HostAnswer =>
  answer.prompt ? { ...answer, toasts: [...answer.toasts, toast] } : answer;

/** What happened to a loop that is no longer active in this session: a stop by another process is reported. */
async function gone({ workspace: { store }, session, entry }: Known): Promise<HostStep | null> {
  const loop = await store.find(entry.loop);
  if (isHeld(loop, session)) return null;
  forgetSession(session);
  const isNews = loop.status === "stopped" && loop.driver === "engine";
  return isNews ? { id: loop.id, state: (await store.glance(loop.id)).state, prompt: null } : null;
}

/** What the host has to do after a step of its loop. */
export function answerOf(session: HostSession, step: HostStep | null): HostAnswer {
  if (!step) return NO_ANSWER;
  const { id, state, prompt } = step;
  if (state.stopped) {
    forgetSession(session);
    return { ...NO_ANSWER, toasts: [stoppedToast(state, id)], says: nextStepText(id, state) };
  }
  if (prompt === null) return NO_ANSWER;
  return {
    ...NO_ANSWER,
    prompt: {
      text: prompt,
      fresh: state.spec?.context === "fresh" && hostNamed(session.host)?.opensSessions !== false,
    },
    toasts: [iterationToast(state)],
  };
}
