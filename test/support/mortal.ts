import type { Workspace } from "../../src/core/workspace.ts";

/**
 * A workspace whose process is killed before its n-th write of a journal, or right after: boundary 2n is before, 2n+1
 * after. Parallel lanes write in any order, so that a number does not always mean the same place.
 */
export function mortal(workspace: Workspace, diesAt = ""): { workspace: Workspace; boundaries(): number } {
  let passed = 0;
  const boundary = () => {
    if (diesAt !== "" && passed >= Number(diesAt)) process.kill(process.pid, "SIGKILL");
    passed++;
  };
  const between =
    <Args extends unknown[], T>(write: (...args: Args) => Promise<T>) =>
    async (...args: Args): Promise<T> => {
      boundary();
      const written = await write(...args);
      boundary();
      return written;
    };
  const { store, runs } = workspace;
  const kept = {
    ...workspace,
    runs: { ...runs, create: between(runs.create), append: between(runs.append), hear: between(runs.hear) },
    store: {
      ...store,
      create: between(store.create),
      adopt: between(store.adopt),
      append: between(store.append),
    },
  };
  return { workspace: kept, boundaries: () => passed };
}
