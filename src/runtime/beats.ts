/** Writes the newest of something now and then, however often it changes. */
export interface Beats {
  changed(): void;
  close(): void;
}

/** The least time between two writes, also before the first one: what is over by then is never written. */
const BEAT_MS = 1_000;

export function openBeats(write: () => void, everyMs = BEAT_MS): Beats {
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isClosed = false;
  return {
    changed() {
      if (timer || isClosed) return;
      timer = setTimeout(() => {
        timer = null;
        write();
      }, everyMs).unref();
    },
    close() {
      isClosed = true;
      if (timer) clearTimeout(timer);
    },
  };
}
