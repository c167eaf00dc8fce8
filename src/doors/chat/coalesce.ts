import { timer } from "../../adapters/io/timer.ts";

/** Work that runs on request, never twice at once. */
interface Coalesced {
  request(): void;
  /** Resolves once no request is left. */
  idle(): Promise<void>;
}

const RETRY_MS = 1_000;

/** Requests during the work make it run once more; after an error it is retried. */
export function coalesce(work: () => Promise<void>, onError: (error: unknown) => void): Coalesced {
  let isRequested = false;
  let running: Promise<void> | null = null;
  const run = async () => {
    while (isRequested) {
      isRequested = false;
      await work().catch((error: unknown) => {
        onError(error);
        timer(RETRY_MS, request);
      });
    }
    running = null;
  };
  function request(): void {
    isRequested = true;
    running ??= run();
  }
  return {
    request,
    async idle() {
      while (running) await running;
    },
  };
}
