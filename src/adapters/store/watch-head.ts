import type { LoadedLoop, LoopStore } from "../../core/loop/store.ts";

type Writing = Pick<LoopStore, "append" | "disown">;

/** A driver's store that tracks the hash of the driver's last entry, whatever the database contains. */
export function watchHead(store: Writing, { seal }: LoadedLoop): { store: Writing; head(): string } {
  let { head } = seal;
  const watched: Writing = {
    async append(...asked) {
      const written = await store.append(...asked);
      head = written.head;
      return written;
    },
    async disown(...asked) {
      const written = await store.disown(...asked);
      head = written.seal.head;
      return written;
    },
  };
  return { store: watched, head: () => head };
}
