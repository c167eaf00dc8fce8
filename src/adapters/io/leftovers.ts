import { type Leftovers, leftoversOf } from "../../core/leftovers.ts";
import { commandLineOf } from "./descendants.ts";
import { send } from "./tokens.ts";

/** A command that has exited, and everything that it started. */
export interface ProcessTree {
  /** Whether nothing is left. */
  isGone(): boolean;
  /** What still runs. */
  processes(): number[];
  /** Resolves when nothing is left, or after that time. */
  gone(ms: number): Promise<void>;
  kill(): void;
  /** Lets this process exit while they run. */
  unref(): void;
}

/** What to do with the processes that a command leaves running. */
export interface LeftoverPolicy {
  /** Keeps them until it is closed; null: they are ended. */
  services: Services | null;
  found?(left: Leftovers): void;
}

/** Processes that are kept although the command that started them has exited. */
export interface Services {
  keep(tree: ProcessTree): void;
  /** Ends them. */
  close(): Promise<void>;
}

/** Many programs end a little later than the one that started them. */
const SETTLE_MS = 300;
const GRACE_MS = 2_000;
/** A process of another user cannot be killed. */
const KILL_MS = 2_000;

/** Ends what a command left running, or keeps it. Returns whether something was kept. */
export async function handleLeftovers(tree: ProcessTree, { services, found }: LeftoverPolicy): Promise<boolean> {
  if (tree.isGone()) return false;
  await tree.gone(SETTLE_MS);
  const running = runningOf(tree.processes());
  if (running.length === 0 || !services) await endTree(tree);
  else services.keep(tree);
  if (running.length > 0) found?.(leftoversOf(running, services ? "kept" : "ended"));
  return running.length > 0 && services !== null;
}

/** The processes with their command lines; one without is exiting. */
const runningOf = (pids: readonly number[]) =>
  pids.map((pid) => ({ pid, words: commandLineOf(pid) })).filter(({ words }) => words.length > 0);

/** Processes that are not ended; null if there are none. */
export function keptOf(pids: readonly number[]): Leftovers | null {
  const running = runningOf(pids);
  return running.length > 0 ? leftoversOf(running, "kept") : null;
}

async function endTree(tree: ProcessTree): Promise<void> {
  if (tree.isGone()) return;
  for (const pid of tree.processes()) send(pid, "SIGTERM");
  await tree.gone(GRACE_MS);
  await endNow(tree);
}

/** Kills everything that is left. */
export async function endNow(tree: ProcessTree): Promise<void> {
  tree.kill();
  await tree.gone(KILL_MS);
}

export function openServices(): Services {
  const kept = new Set<ProcessTree>();
  return {
    keep(tree) {
      tree.unref();
      kept.add(tree);
    },
    async close() {
      await Promise.all([...kept].map(endTree));
      kept.clear();
    },
  };
}
