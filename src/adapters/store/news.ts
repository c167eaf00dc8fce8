import type { LoopStore } from "../../core/store.ts";
import { translating } from "./driver.ts";
import { JOURNAL, type Prepare } from "./statements.ts";

/** How often SQLite is asked whether another connection has written: a look takes microseconds. */
const LOOK_MS = 200;

/** What other connections write, for all who want to know: they share one look. */
export function newsOn(sql: Prepare, path: string): Pick<LoopStore, "onNews" | "revision"> {
  const listeners = new Map<object, { seen: string | null; call(): void }>();
  let looking: ReturnType<typeof setInterval> | null = null;
  const revision = () => translating(path, () => String(sql(JOURNAL.dataVersion).get()?.data_version));

  function look(): void {
    let now: string;
    try {
      now = revision();
    } catch {
      // A database that cannot be read just now is looked at again; its writers report what is wrong with it.
      return;
    }
    for (const listener of listeners.values()) {
      if (listener.seen === now) continue;
      listener.seen = now;
      listener.call();
    }
  }

  return {
    revision: async () => revision(),
    onNews(call) {
      const key = {};
      listeners.set(key, { seen: null, call });
      looking ??= setInterval(look, LOOK_MS).unref();
      return {
        close() {
          listeners.delete(key);
          if (listeners.size > 0 || !looking) return;
          clearInterval(looking);
          looking = null;
        },
      };
    },
  };
}
