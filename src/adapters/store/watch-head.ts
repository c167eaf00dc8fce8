import type { LoadedLoop, LoopStore } from "../../core/store.ts";

type Writing = Pick<LoopStore, "append" | "disown">;

/** The store for a driver, with the hash of its last entry: what the driver wrote, whatever stands in the database. */
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
