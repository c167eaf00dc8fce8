/** Runs the work of one key in order, and that of different keys concurrently. */
export function keyedMutex() {
  const last = new Map<string, Promise<unknown>>();
  const add = <T>(key: string, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work);
    const settled = mine
      .catch(() => undefined)
      .finally(() => {
        if (last.get(key) === settled) last.delete(key);
      });
    last.set(key, settled);
    return mine;
  };
  const idle = async () => {
    while (last.size > 0) await Promise.all(last.values());
  };
  return Object.assign(add, { idle });
}
