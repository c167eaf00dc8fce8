/** Lets a limited number of tasks run at the same time; the others wait in order. */
export interface Turnstile {
  /** Runs the work once there is room. Throws, without running it, if it is no longer wanted by then. */
  pass<Result>(quit: AbortSignal, work: () => Promise<Result>): Promise<Result>;
}

export function openTurnstile(most: number): Turnstile {
  const waiting = new Set<() => void>();
  let running = 0;
  const enter = (quit: AbortSignal): Promise<void> | void => {
    if (running < most) {
      running++;
      return;
    }
    return new Promise((resolve, reject) => {
      const go = () => {
        waiting.delete(go);
        quit.removeEventListener("abort", leave);
        resolve();
      };
      const leave = () => {
        waiting.delete(go);
        reject(quit.reason);
      };
      waiting.add(go);
      quit.addEventListener("abort", leave, { once: true });
    });
  };
  const exit = () => {
    const [next] = waiting;
    // The place is handed over, so that no other caller can take it in between.
    if (next) next();
    else running--;
  };
  return {
    async pass(quit, work) {
      quit.throwIfAborted();
      await enter(quit);
      try {
        quit.throwIfAborted();
        return await work();
      } finally {
        exit();
      }
    },
  };
}
