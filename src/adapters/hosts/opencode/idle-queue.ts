/** Per session, one idle event is answered at a time and at most one more waits. `answer` must not throw. */
export function idleQueue(answer: (session: string, arrivedMs: number) => Promise<void>) {
  const waiting = new Map<string, number | null>();
  return {
    /** Adds an event that arrived at `arrivedMs`. It replaces a waiting one. */
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
