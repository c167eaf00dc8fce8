/** Lets one caller at a time continue in this process. */
export interface Mutex {
  /** Waits until it is free; the returned function releases it. Null if the signal fired first. */
  take(quit: AbortSignal): Promise<(() => void) | null>;
}

export function openMutex(): Mutex {
  let busy: Promise<void> | null = null;
  return {
    async take(quit) {
      while (busy && !quit.aborted) await endOf(busy, quit);
      if (quit.aborted) return null;
      return await new Promise((begin) => {
        busy = new Promise((end) => {
          begin(() => {
            busy = null;
            end();
          });
        });
      });
    },
  };
}

/** Resolves when the other one has ended, sooner when the signal fires. */
function endOf(other: Promise<void>, quit: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      quit.removeEventListener("abort", done);
      resolve();
    };
    quit.addEventListener("abort", done);
    void other.then(done);
  });
}
