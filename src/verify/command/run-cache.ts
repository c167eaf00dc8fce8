import { createHash } from "node:crypto";
import { resolve } from "node:path";
import type { CommandRun } from "../../adapters/io/command.ts";
import { isNotRun } from "../../core/command-line/missing-messages.ts";
import type { TestCounts } from "../../core/loop/events.ts";
import type { External } from "../../core/proof/proof.ts";

interface Kept {
  run: CommandRun;
  log: string;
  tests: TestCounts | null;
}

/** Shares command runs within an iteration, if the tree is known to be the same before, after and now. */
export interface RunCache {
  lookFor(check: External): readonly string[];
  run(check: External, root: string, work: () => Promise<Kept>): Promise<Kept & { cached: boolean }>;
}

/** `treeOf` costs more than many checks, so it is called only for commands that occur twice. */
export function openRunCache(checks: readonly External[], treeOf: (root: string) => Promise<string | null>): RunCache {
  const known = new Map<string, External[]>();
  for (const check of checks) known.set(keyOf(check), [...(known.get(keyOf(check)) ?? []), check]);
  const kept = new Map<string, Kept & { tree: string }>();
  const queues = new Map<string, Promise<unknown>>();

  const takeOrRun = async (place: string, { timeoutMs }: External, root: string, work: () => Promise<Kept>) => {
    const before = await treeOf(root);
    const earlier = kept.get(place);
    if (earlier && earlier.tree === before && earlier.run.ms <= timeoutMs) return { ...earlier, cached: true };
    const fresh = await work();
    if (before !== null && isDefinite(fresh.run) && (await treeOf(root)) === before) {
      kept.set(place, { ...fresh, tree: before });
    }
    return { ...fresh, cached: false };
  };

  return {
    lookFor: (check) => textsOf(known.get(keyOf(check)) ?? [check]),
    async run(check, root, work) {
      const key = keyOf(check);
      if ((known.get(key)?.length ?? 0) < 2) return { ...(await work()), cached: false };
      const place = `${root}\0${key}`;
      // The second of two equal parallel checks waits, because it may reuse the first one's run.
      const mine = (queues.get(place) ?? Promise.resolve()).then(() => takeOrRun(place, check, root, work));
      queues.set(
        place,
        mine.catch(() => undefined),
      );
      return mine;
    },
  };
}

/** Everything that determines a command's result, besides the tree. */
const keyOf = ({ command, workingDir, env }: External): string =>
  createHash("sha256")
    .update(JSON.stringify([command, resolve("/", workingDir), Object.entries(env).sort()]))
    .digest("hex");

const textsOf = (checks: readonly External[]): string[] => [
  ...new Set(checks.flatMap(({ outputContains, outputNotContains }) => [...outputContains, ...outputNotContains])),
];

/** An interrupted or failed start may have another result next time. */
const isDefinite = ({ ended }: CommandRun): boolean => ended.by === "exit" && !isNotRun(ended.code);
