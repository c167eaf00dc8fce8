import type { HostAnswer, HostEvent, HostSession } from "../../core/host.ts";
import { NO_ANSWER } from "../../core/host.ts";
import { NO_USAGE } from "../../core/usage.ts";
import { startedToast, stoppedToast } from "../../hook/toasts.ts";
import { noteSession } from "../../io/host-sessions.ts";
import { newLoopId } from "../run-loop.ts";
import { openWorkspace } from "../workspace.ts";
import { beginHostLoop } from "./host-loop.ts";
import { hookLoop } from "./prepare.ts";

/** Answers a command that a person typed in a host's session. */
export async function answerCommand(
  session: HostSession,
  { arguments: text, usage }: HostEvent & { type: "command.typed" },
): Promise<HostAnswer> {
  const { cwd } = session;
  const workspace = await openWorkspace(cwd, { create: true });
  try {
    const loop = await hookLoop({
      cwd,
      prompt: text,
      agent: session.host,
      context: "continue",
      session: { id: session.id, usage: usage ?? NO_USAGE },
      flags: {},
    });
    const id = newLoopId();
    noteSession(session, { loop: id, cwd });
    const { state, prompt } = await beginHostLoop({ workspace, session }, { id, ...loop });
    if (state.stopped || prompt === null) return { ...NO_ANSWER, toasts: [stoppedToast(state, id)], refused: true };
    return { ...NO_ANSWER, prompt: { text: prompt, fresh: false }, toasts: [startedToast(state)] };
  } finally {
    workspace.store.close();
  }
}
