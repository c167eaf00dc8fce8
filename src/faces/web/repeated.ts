/** Work that is done once at a time. */
export interface Repeated {
  /** Does the work, or, while it is being done, once more afterwards: however often this is called. */
  again(): void;
  /** Aborts the signal of the work; it is not done again. */
  close(): void;
}

/** A request that is under way is never given up for a newer one, or its answer might never arrive. */
export function repeated(work: (quit: AbortSignal) => Promise<void>): Repeated {
  const quit = new AbortController();
  let isRunning = false;
  let isWanted = false;
  async function run(): Promise<void> {
    isRunning = true;
    try {
      while (isWanted && !quit.signal.aborted) {
        isWanted = false;
        await work(quit.signal);
      }
    } finally {
      isRunning = false;
    }
  }
  return {
    again() {
      isWanted = true;
      if (!isRunning) void run();
    },
    close: () => quit.abort(),
  };
}
