import type { LoopState } from "../../../src/core/loop/state.ts";
import { drive } from "../../../src/engine/drive.ts";
import type { EnginePorts } from "../../../src/engine/ports.ts";
import { adopt, type Boundary, loadedIn, resultOf, simulatedPorts } from "./driver.ts";
import { drain, KILLED, mortal, type Played, stopsOf } from "./schedule.ts";
import { newWorld, type Script, TURN_MS, TURN_USAGE, type World } from "./world.ts";

const SESSION = "session of the host";
const MOST_EVENTS = 100;

/**
 * Plays a scenario in a host's session: every life answers one event and ends with the next prompt, or dies before.
 * The host forgets an answer that it did not get, so that the user must type again, and it reports a turn again.
 */
export async function playHosted(script: Script, dies: readonly number[]): Promise<Played & { lives: number[] }> {
  const world = newWorld(script);
  const lives: number[] = [];
  for (let life = 0; life < MOST_EVENTS; life++) {
    const { boundary, passed } = mortal(world, dies[life] ?? Number.POSITIVE_INFINITY, "kill");
    const driven = await answer(world, boundary);
    lives.push(passed());
    if (world.state.stopped) return { world, driven, boundaries: passed(), stops: stopsOf(world), lives };
    world.nowMs += TURN_MS;
  }
  throw new Error("the loop never ends");
}

/** One event of the host; null: its answer was interrupted. */
async function answer(world: World, boundary: Boundary): Promise<LoopState | null> {
  try {
    const isNew = world.state.driver !== "host";
    const loop = isNew ? await adopt(world, boundary, SESSION) : loadedIn(world);
    return await drain(drive(loop, hostPorts(world, boundary), isNew ? null : heardIn(world)));
  } catch (error) {
    if (error === KILLED) return null;
    throw error;
  }
}

/** The current turn has ended, from the host's point of view. */
function heardIn(world: World) {
  const { n, turn } = world.state;
  if (turn && !turn.ended) world.paid.set(String(n), TURN_USAGE);
  return resultOf(world, { n, sessionId: SESSION });
}

const hostPorts = (world: World, boundary: Boundary): EnginePorts => ({
  ...simulatedPorts(world, boundary),
  async runTurn({ n, attempt, prompt, sessionId }) {
    await boundary();
    world.runs.push({ n, attempt, prompt, sessionId });
    await boundary();
    return null;
  },
});
