const LONGEST_MS = 2 ** 31 - 1;

/** A timer of any length: Node fires immediately for more than 24.8 days. */
export function timer(ms: number, onTime: () => void): { stop(): void } {
  if (ms === Number.POSITIVE_INFINITY) return { stop: () => undefined };
  let handle: NodeJS.Timeout;
  const arm = (leftMs: number) => {
    const stepMs = Math.min(leftMs, LONGEST_MS);
    handle = setTimeout(() => (leftMs > stepMs ? arm(leftMs - stepMs) : onTime()), stepMs);
  };
  arm(Math.max(0, ms));
  return { stop: () => clearTimeout(handle) };
}

/** Resolves after the given time, or when the signal fires. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      running.stop();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const running = timer(ms, done);
    signal.addEventListener("abort", done);
  });
}

/** Resolves when the work has settled, or after that time. A timer left running keeps what it references alive. */
export function settled(work: Promise<unknown>, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const running = timer(ms, resolve);
    const done = () => {
      running.stop();
      resolve();
    };
    work.then(done, done);
  });
}
