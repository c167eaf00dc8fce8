import { join } from "node:path";
import { descendantsOf } from "../../src/adapters/io/descendants.ts";
import { findByToken } from "../../src/adapters/io/tokens.ts";
import { openDatabase } from "../../src/adapters/store/driver.ts";
import { openSqliteStore } from "../../src/adapters/store/sqlite-store.ts";
import type { Entry } from "../../src/core/loop/events.ts";
import { PATIENT } from "./patience.ts";
import { commandOf, procFile } from "./processes.ts";
import type { Sandbox } from "./sandbox.ts";

/** What a loop was doing, by its last entry. */
export type Phase = "start" | "turn" | "guardrail" | "effect" | "check" | "stopped";

const PHASES: Record<Entry["event"]["type"], Phase> = {
  "loop.started": "start",
  "loop.adopted": "start",
  "baseline.taken": "start",
  "session.moved": "turn",
  "turn.began": "turn",
  "turn.ended": "guardrail",
  "tree.seen": "guardrail",
  "turn.voided": "start",
  "guards.ended": "effect",
  "effect.intended": "effect",
  "effect.settled": "check",
  "claim.judged": "check",
  "judgement.cut": "check",
  "receipt.made": "check",
  "journal.foreign": "check",
  "notes.dropped": "start",
  "stop.requested": "start",
  "loop.stopped": "stopped",
};

/** The journal of a sandbox with one loop, read while others write it. */
export interface Peek {
  /** The loop's id; null before it exists. */
  id(): Promise<string | null>;
  phase(): Promise<Phase>;
  /** Whether another process has requested something of the loop that its driver has not handled. */
  isAsked(): Promise<boolean>;
  /** Whether the database is intact, according to SQLite. */
  isIntact(): boolean;
  close(): void;
}

export async function peek(box: Sandbox): Promise<Peek> {
  const path = join(box.state, "ralph.db");
  const store = await openSqliteStore(path);
  let seen = 0;
  let phase: Phase = "start";
  const id = async () => (await store.summaries({ limit: 1 }))[0]?.id ?? null;
  return {
    id,
    async phase() {
      const loop = await id();
      if (!loop) return "start";
      for await (const entry of store.entries(loop, seen)) {
        seen = entry.seq;
        phase = PHASES[entry.event.type];
      }
      return phase;
    },
    isAsked: async () => (await store.inbox.requests({ kind: "loop", id: (await id()) ?? "" })).length > 0,
    isIntact() {
      const db = openDatabase(path);
      try {
        return db.prepare("PRAGMA integrity_check").get()?.integrity_check === "ok";
      } finally {
        db.close();
      }
    },
    close: store.close,
  };
}

/** The loop's living processes, as words; returns as soon as there are none. */
export async function survivorsOf(loop: string): Promise<string[]> {
  for (const giveUpMs = Date.now() + PATIENT.timeout; ; await pause(10)) {
    const alive = findByToken(`${loop}/`);
    if (alive.length === 0 || Date.now() > giveUpMs) return alive.map(describe);
  }
}

const describe = (pid: number): string => `${pid}: ${commandOf(pid)}, ${procFile(pid, "stat")}`;

/** What ends a driver's processes when the driver is killed: its watchdog and its supervisors. */
export const watchersOf = (ralph: number): number[] =>
  descendantsOf(ralph).filter((pid) => /ralph-watchdog|^ralph-supervisor/.test(commandOf(pid)));

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Random numbers in [0, 1) that a printed seed reproduces (mulberry32). */
export function randomFrom(seed: number): () => number {
  let a = seed;
  return () => {
    a = (a + 0x6d2b79f5) | 0;
    let t = Math.imul(a ^ (a >>> 15), 1 | a);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}
