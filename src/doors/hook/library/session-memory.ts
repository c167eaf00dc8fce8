import type { TurnFault } from "../../../core/agent.ts";
import { RECOVERY_MS } from "./constants.ts";
import type { SeenMessages } from "./new-messages.ts";

/** A prompt for an agent; `fresh`: in a new session. */
export interface Saying {
  loop: string;
  text: string;
  fresh: boolean;
}

/** What this process knows about a session with a loop, besides the journal. It can be lost. */
export interface SessionMemory {
  /** An event is being handled, or a prompt is about to be injected: another idle event is ignored. */
  busy: boolean;
  seen: SeenMessages | null;
  /** The prompt that was injected last; the injection may not be complete. */
  said: Saying | null;
  isSaying: boolean;
  /** A prompt that could not be injected: the next idle event tries again. */
  unsaid: Saying | null;
  trouble: TurnFault | null;
  delay: NodeJS.Timeout | null;
  recovery: { timer: NodeJS.Timeout; idle: boolean } | null;
}

/** Whether this is a session id: values from a host are not validated. */
export const isSession = (id: unknown): id is string => typeof id === "string" && id !== "";

export interface Memories {
  find(sessionId: string): SessionMemory | undefined;
  of(sessionId: string): SessionMemory;
  move(from: string, to: string): void;
  forget(sessionId: string): void;
  clear(): void;
}

/** `isNeeded`: whether a session still has a loop; other sessions are forgotten. */
export function openMemories(isNeeded: (sessionId: string) => boolean): Memories {
  const known = new Map<string, SessionMemory>();
  function forget(sessionId: string): void {
    const memory = known.get(sessionId);
    if (memory?.delay) clearTimeout(memory.delay);
    clearTimeout(memory?.recovery?.timer);
    known.delete(sessionId);
  }
  return {
    find: (sessionId) => known.get(sessionId),
    of(sessionId) {
      const memory = known.get(sessionId) ?? newMemory();
      if (known.has(sessionId)) return memory;
      // A loop may have stopped without an event.
      for (const id of [...known.keys()]) if (!isNeeded(id)) forget(id);
      known.set(sessionId, memory);
      return memory;
    },
    move(from, to) {
      const memory = known.get(from);
      if (!memory) return;
      known.delete(from);
      known.set(to, memory);
    },
    forget,
    clear() {
      for (const id of [...known.keys()]) forget(id);
    },
  };
}

const newMemory = (): SessionMemory => ({
  busy: false,
  seen: null,
  said: null,
  isSaying: false,
  unsaid: null,
  trouble: null,
  delay: null,
  recovery: null,
});

/** Leaves a session alone for a while after an error, then calls `lookAgain` if it became idle in the meantime. */
export function recover(memory: SessionMemory, lookAgain: () => void): void {
  clearTimeout(memory.recovery?.timer);
  const idle = memory.recovery?.idle ?? false;
  const timer = setTimeout(() => {
    const wasIdle = memory.recovery?.idle ?? false;
    memory.recovery = null;
    if (wasIdle) lookAgain();
  }, RECOVERY_MS);
  // Without a postponed idle event, the timer must not keep the host's process alive.
  if (!idle) timer.unref();
  memory.recovery = { timer, idle };
}

/** Postpones an idle event until the recovery ends. */
export function postpone(recovery: NonNullable<SessionMemory["recovery"]>): void {
  recovery.idle = true;
  recovery.timer.ref();
}
