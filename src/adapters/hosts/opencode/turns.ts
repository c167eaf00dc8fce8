import { setTimeout as sleep } from "node:timers/promises";
import type { HostAnswer } from "../../../core/host.ts";
import { type Ask, hasLoop } from "./ask.ts";
import type { Opencode } from "./client.ts";
import { type EndedTurn, isWhole, readTurn } from "./turn.ts";

interface Parts {
  opencode: Opencode;
  ask: Ask;
  /** Time for the host to come to rest before it is given something to do again. */
  delayMs: number;
}

/** The turns of the sessions that have loops. */
interface Turns {
  /** Tells the turn that has ended, and has the session do what is answered. `aborted`: a person has cut it short. */
  end(session: string, arrivedMs: number): Promise<"told" | "aborted">;
  forget(session: string): void;
}

/** Most turns are shorter; of one that is not, all messages are read. */
const MOST_MESSAGES = 200;

export function openTurns({ opencode, ask, delayMs }: Parts): Turns {
  /** The message that the turn last told of ended with, by session: the same turn is never told twice. */
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

  async function goOn(session: string, { asked }: EndedTurn, { text, fresh }: Prompt): Promise<void> {
    await sleep(delayMs);
    // A person may have cancelled it meanwhile.
    if (!hasLoop(session)) return;
    // In the session at hand the model stays what it is, with all that was chosen about it.
    const { model: _, ...sameModel } = asked;
    if (!fresh) return opencode.prompt(session, text, sameModel);
    const to = await opencode.openLike(session);
    await ask(session, { type: "session.moved", to }, Date.now());
    if (!hasLoop(to)) return;
    await opencode.prompt(to, text, asked);
    await opencode.show(to);
  }

  return {
    async end(session, arrivedMs) {
      const reading = await look(session);
      if (reading.is === "aborted") return "aborted";
      if (reading.is === "ended") await tell(session, reading.turn, arrivedMs);
      return "told";
    },
    forget(session) {
      told.delete(session);
    },
  };
}

type Prompt = NonNullable<HostAnswer["prompt"]>;
