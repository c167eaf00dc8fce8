/** Does the work of each name one after the other, and that of different names beside each other. */
interface InOrder {
  <T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Resolves once nothing is at work. */
  idle(): Promise<void>;
}

export function inOrder(): InOrder {
  const last = new Map<string, Promise<unknown>>();
  const add = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const mine = (last.get(name) ?? Promise.resolve()).then(work);
    const settled = mine
      .catch(() => undefined)
      .finally(() => {
        if (last.get(name) === settled) last.delete(name);
      });
    last.set(name, settled);
    return mine;
  };
  const idle = async () => {
    while (last.size > 0) await Promise.all(last.values());
  };
  return Object.assign(add, { idle });
}
