import { messageOf } from "../../../core/errors.ts";
import type { HostCommand } from "../../../core/host.ts";
import { answerText, relay } from "../hook-answers.ts";
import { type Ask, hasLoop } from "./ask.ts";
import type { Opencode } from "./client.ts";
import { idleQueue } from "./idle-queue.ts";
import { openTurns } from "./turns.ts";

/** The loops in OpenCode's sessions. Nothing here throws: what goes wrong is told to the person. */
export interface SessionLoops {
  /** What takes the place of a command that a person typed. */
  command(session: string, command: HostCommand, text: string): Promise<Shown>;
  idle(session: string): Promise<void>;
  aborted(session: string): Promise<void>;
  deleted(session: string): Promise<void>;
}

/** Milliseconds before a continuation is injected. */
const DELAY_MS = 500;

/** What the agent is told, and what only the person sees; empty: nothing. */
interface Shown {
  told: string;
  aside: string;
}

export function sessionLoops(opencode: Opencode, ask: Ask): SessionLoops {
  const turns = openTurns({ opencode, ask, delayMs: DELAY_MS });

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await opencode.complain(messageOf(error));
    }
  }

  /** Tells of an end of the loop, about which nobody has to do anything. */
  const stop = (type: "session.aborted" | "session.deleted") => (session: string) =>
    attempt(async () => {
      turns.forget(session);
      if (hasLoop(session)) await opencode.toast((await ask(session, { type }, Date.now())).toasts);
    });
  const aborted = stop("session.aborted");

  const idles = idleQueue((session, arrivedMs) =>
    attempt(async () => {
      if (hasLoop(session) && (await turns.end(session, arrivedMs)) === "aborted") await aborted(session);
    }),
  );

  return {
    async command(session, command, text) {
      try {
        const answer = await ask(session, { type: "command.typed", command, arguments: text }, Date.now());
        await opencode.toast(answer.toasts);
        if (!answer.prompt) return { told: relay(answerText(answer)), aside: "" };
        return { told: answer.prompt.text, aside: answer.says };
      } catch (error) {
        await opencode.complain(messageOf(error));
        return { told: relay(`Ralph could not do that: ${messageOf(error)}`), aside: "" };
      }
    },
    async idle(session) {
      if (hasLoop(session)) await idles.add(session, Date.now());
    },
    aborted,
    deleted: stop("session.deleted"),
  };
}
