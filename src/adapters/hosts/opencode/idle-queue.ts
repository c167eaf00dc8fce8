/** Answers the idle events of many sessions: those of one session one after the other. */
interface IdleQueue {
  /** Takes an event that came at `arrivedMs`; what waits already is told by the later one as well. */
  add(session: string, arrivedMs: number): Promise<void>;
}

/** `answer` must not throw. At most one event of a session is being answered, and one more waits. */
export function idleQueue(answer: (session: string, arrivedMs: number) => Promise<void>): IdleQueue {
  const waiting = new Map<string, number | null>();
  return {
    async add(session, arrivedMs) {
      const isBusy = waiting.has(session);
      waiting.set(session, isBusy ? arrivedMs : null);
      if (isBusy) return;
      for (let next: number | null = arrivedMs; next !== null; ) {
        await answer(session, next);
        next = waiting.get(session) ?? null;
        waiting.set(session, null);
      }
      waiting.delete(session);
    },
  };
}
