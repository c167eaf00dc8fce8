import type { Entry } from "../loop/events.ts";
import { reduce } from "../loop/reduce.ts";
import { type LoopState, START, type Turn } from "../loop/state.ts";
import type { Level } from "../proof/level.ts";
import { type Amounts, amountsOf, amountsSince } from "./amounts.ts";
import { type Reason, reasonsAgainst } from "./reason.ts";

/** An accepted claim has the level of its proof. `open`: still running, or cut short before it was decided. */
type Outcome =
  | Level
  | "refused"
  | "undecided"
  | "faults-found"
  | "blocked"
  | "timed-out"
  | "failed"
  | "no-claim"
  | "finished"
  | "open";

/** The numbers of one iteration. Iteration 0 is everything before the first one. */
export interface IterationReading extends Amounts {
  n: number;
  beganAtMs: number;
  done: boolean;
  outcome: Outcome;
  /** Whether the agent claimed completion: checks can complete a loop without a claim. */
  claimed: boolean;
  reasons: readonly Reason[];
  /** How often the environment ended it, such as by a usage limit. */
  troubles: number;
}

interface Opened {
  n: number;
  beganAtMs: number;
  before: Amounts;
  troubles: number;
}

/** Reads a journal iteration by iteration, in bounded memory; returns the loop's last state. */
export async function readLoop(
  entries: AsyncIterable<Entry>,
  each: (iteration: IterationReading) => void,
): Promise<LoopState> {
  let state: LoopState = START;
  let open: Opened = { n: 0, beganAtMs: 0, before: amountsOf(START), troubles: 0 };
  for await (const entry of entries) {
    const { event, atMs } = entry;
    if (event.type === "loop.started") open.beganAtMs = atMs;
    if (event.type === "turn.began" && event.n !== open.n) {
      each(closed(open, state));
      open = { n: event.n, beganAtMs: atMs, before: amountsOf(state), troubles: 0 };
    }
    if (event.type === "turn.voided" && event.why !== "interrupted") open.troubles += 1;
    state = reduce(state, entry);
  }
  each(closed(open, state));
  return state;
}

function closed({ before, ...open }: Opened, state: LoopState): IterationReading {
  const { turn } = state;
  const done = open.n > 0 && turn !== null && turn.ended;
  const reasons = done ? reasonsAgainst(state, turn) : [];
  const outcome = done ? (acceptedAs(turn, reasons) ?? outcomeOf(state, reasons)) : "open";
  const claimed = done && turn.claim !== null;
  return { ...open, ...amountsSince(amountsOf(state), before), done, outcome, claimed, reasons };
}

/** The proof level, if the checks pass and nothing else is against the claim. */
const acceptedAs = ({ verdict }: Turn, reasons: readonly Reason[]): Level | null =>
  verdict?.is === "pass" && reasons.length === 0 ? (verdict.proof ?? "promise-only") : null;

function outcomeOf({ turn, stopped }: LoopState, reasons: readonly Reason[]): Outcome {
  if (!turn) return "open";
  if (turn.blocked) return "blocked";
  if (reasons.some(({ kind }) => kind === "faults")) return "faults-found";
  if (turn.claim && turn.verdict?.is === "unknown") return "undecided";
  if (turn.claim) return reasons.length > 0 || turn.verdict ? "refused" : "open";
  if (turn.failed) return turn.failed.kind === "timed-out" ? "timed-out" : "failed";
  return stopped?.reason === "finished" ? "finished" : "no-claim";
}
