import type { StopReason } from "../../../src/core/loop/events.ts";
import type { LoopState } from "../../../src/core/loop/state.ts";
import { drive } from "../../../src/engine/drive.ts";
import { adopt, type Boundary, simulatedPorts } from "./driver.ts";
import { newWorld, type Script, type World } from "./world.ts";

/** What goes wrong: the boundary at which each driver in turn dies; later ones live. */
export interface Schedule {
  dies?: readonly number[];
  /** `kill`: nothing more is written. `error`: the environment fails once, and the driver may record it. */
  by?: "kill" | "error";
  /** A stop is requested at this boundary, counted over all drivers; once it has stopped, the user resumes. */
  stopAtStep?: number;
}

export interface Played {
  world: World;
  /** The last driver's own state; null if it died. */
  driven: LoopState | null;
  /** Boundaries that the last driver passed. */
  boundaries: number;
  /** Every reason the loop stopped for, in order. */
  stops: StopReason[];
}

// Made once: a stack for each of thousands of deaths would cost more than everything else.
export const KILLED = new Error("killed");
const BROKEN = new Error("the disk is full");

const DOWN_MS = 5_000;

/** Plays a scenario under a schedule, one driver after the other, until the loop has stopped for good. */
export async function play(script: Script, { dies = [], by = "kill", stopAtStep }: Schedule): Promise<Played> {
  const world = newWorld(script, stopAtStep);
  for (let life = 0; ; life++) {
    const { boundary, passed } = mortal(world, dies[life] ?? Number.POSITIVE_INFINITY, by);
    const driven = await live(world, boundary);
    const { stopped } = world.state;
    if (stopped?.reason === "cancelled") world.stopAtStep = Number.POSITIVE_INFINITY;
    else if (stopped && stopped.reason !== "interrupted") {
      return { world, driven, boundaries: passed(), stops: stopsOf(world) };
    }
    if (!driven) world.nowMs += DOWN_MS;
  }
}

export const stopsOf = ({ journal }: World): StopReason[] =>
  journal.flatMap(({ event }) => (event.type === "loop.stopped" ? [event.reason] : []));

/** One driver's life; null if it died. */
async function live(world: World, boundary: Boundary): Promise<LoopState | null> {
  try {
    return await drain(drive(await adopt(world, boundary), simulatedPorts(world, boundary)));
  } catch (error) {
    if (error === KILLED || error === BROKEN) return null;
    throw error;
  }
}

export async function drain(entries: ReturnType<typeof drive>): Promise<LoopState> {
  for (let next = await entries.next(); ; next = await entries.next()) if (next.done) return next.value;
}

/** Counts boundaries and ends a driver at one of them: a killed one passes no further one, so it writes nothing. */
export function mortal(world: World, diesAt: number, by: "kill" | "error"): { boundary: Boundary; passed(): number } {
  let count = 0;
  return {
    passed: () => count,
    boundary() {
      world.steps++;
      const at = count++;
      if (by === "kill" && at >= diesAt) throw KILLED;
      if (by === "error" && at === diesAt) throw BROKEN;
      world.nowMs++;
      return undefined;
    },
  };
}

/** The result of a driver that slept before its n-th write while another finished the loop; null: no such write. */
export async function wakeAfterTakeover(
  script: Script,
  write: number,
): Promise<{ error: unknown; wrote: number } | null> {
  const world = newWorld(script);
  const immortal: Boundary = () => undefined;
  const loop = await adopt(world, immortal);
  let wake: (() => void) | undefined;
  let count = 0;
  const sleepy: Boundary = () => {
    // Of the two boundaries of a write, the one before it.
    if (count++ !== 2 * write) return undefined;
    return new Promise((resolve) => {
      wake = resolve;
    });
  };
  const { store } = simulatedPorts(world, sleepy);
  const sleeper = drain(drive(loop, { ...simulatedPorts(world, immortal), store }));
  // The simulation never leaves the microtask queue, so by then it has ended or sleeps.
  await new Promise((resolve) => setImmediate(resolve));
  if (!wake) return null;
  await live(world, immortal);
  const before = world.journal.length;
  wake();
  const error = await sleeper.catch((reason: unknown) => reason);
  return { error, wrote: world.journal.length - before };
}
