/** `answer` must not throw. At most one idle event of a session is being answered, and one more waits. */
export function idleQueue(answer: (session: string, arrivedMs: number) => Promise<void>) {
  const waiting = new Map<string, number | null>();
  return {
    /** Adds an event that came at `arrivedMs`; it replaces one that is still waiting. */
    async add(session: string, arrivedMs: number): Promise<void> {
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
