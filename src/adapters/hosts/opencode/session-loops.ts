import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "../../../core/errors.ts";
import type { HostAnswer, HostCommand } from "../../../core/host.ts";
import { answerText, relay } from "../hook-answers.ts";
import { type Ask, hasLoop } from "./ask.ts";
import type { Opencode } from "./client.ts";
import { idleQueue } from "./idle-queue.ts";
import { type EndedTurn, isWhole, readTurn } from "./turn.ts";

/** The loops in OpenCode's sessions. Nothing here throws: errors are shown to the user. */
export interface SessionLoops {
  /**
   * What replaces a command that the user typed: `told`, for the agent, and `aside`, for the user only, which may be
   * empty.
   */
  command(session: string, command: HostCommand, text: string): Promise<{ told: string; aside: string }>;
  idle(session: string): Promise<void>;
  aborted(session: string): Promise<void>;
  deleted(session: string): Promise<void>;
}

export function sessionLoops(opencode: Opencode, ask: Ask): SessionLoops {
  const turns = openTurns(opencode, ask);

  async function attempt(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      await opencode.complain(messageOf(error));
    }
  }

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

/** Lets the host become idle before it gets the next prompt. */
const DELAY_MS = 500;

/** Most turns are shorter; for a longer one, all messages are read. */
const MOST_MESSAGES = 200;

function openTurns(opencode: Opencode, ask: Ask) {
  /** The last message of the last reported turn, by session, so that no turn is reported twice. */
  const told = new Map<string, string>();

  async function look(session: string) {
    const some = await opencode.messages(session, MOST_MESSAGES);
    const messages = isWhole(some) ? some : await opencode.messages(session);
    return readTurn(messages, told.get(session) ?? null, Date.now());
  }

  async function tell(session: string, turn: EndedTurn, arrivedMs: number): Promise<void> {
    if (told.get(session) === turn.last) return;
    const answer = await ask(session, { type: "session.idle", events: turn.events, tellsTools: true }, arrivedMs);
    told.set(session, turn.last);
    await opencode.toast(answer.toasts);
    if (answer.prompt) await goOn(session, turn, answer.prompt);
    if (!hasLoop(session)) told.delete(session);
  }

  async function goOn(
    session: string,
    { asked }: EndedTurn,
    { text, fresh }: NonNullable<HostAnswer["prompt"]>,
  ): Promise<void> {
    await sleep(DELAY_MS);
    // The user may have cancelled it meanwhile.
    if (!hasLoop(session)) return;
    // The current session keeps its model and everything chosen for it.
    const { model: _, ...sameModel } = asked;
    if (!fresh) return opencode.prompt(session, text, sameModel);
    const to = await opencode.openLike(session);
    await ask(session, { type: "session.moved", to }, Date.now());
    if (!hasLoop(to)) return;
    await opencode.prompt(to, text, asked);
    await opencode.show(to);
  }

  return {
    /** Reports the ended turn and makes the session follow the answer. `aborted`: the user stopped it. */
    async end(session: string, arrivedMs: number): Promise<"told" | "aborted"> {
      const reading = await look(session);
      if (reading.is === "aborted") return "aborted";
      if (reading.is === "ended") await tell(session, reading.turn, arrivedMs);
      return "told";
    },
    forget: (session: string) => void told.delete(session),
  };
}
