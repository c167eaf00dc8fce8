import { timer } from "../../adapters/io/timer.ts";

/** Work that is done whenever it is asked for, never twice at once. */
interface OnDemand {
  ask(): void;
  /** Resolves once nobody has asked since. */
  idle(): Promise<void>;
}

const AGAIN_MS = 1_000;

/** Whoever asks while it is done has it done once more; after an error it is tried again. */
export function onDemand(work: () => Promise<void>, onError: (error: unknown) => void): OnDemand {
  let isAsked = false;
  let doing: Promise<void> | null = null;
  const run = async () => {
    while (isAsked) {
      isAsked = false;
      await work().catch((error: unknown) => {
        onError(error);
        timer(AGAIN_MS, ask);
      });
    }
    doing = null;
  };
  function ask(): void {
    isAsked = true;
    doing ??= run();
  }
  return {
    ask,
    async idle() {
      while (doing) await doing;
    },
  };
}
