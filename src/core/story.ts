import { objectionTo } from "./loop/decide.ts";
import type { Entry, LogRef, LoopEvent, TurnEnded, TurnVoided, Verdict } from "./loop/events.ts";
import { reduce } from "./loop/reduce.ts";
import { type LoopState, START } from "./loop/state.ts";

/** One attempt at one iteration, with everything that was decided about it. */
export interface AttemptStory {
  n: number;
  attempt: number;
  /** Its place in the loop's list of agents. */
  agent: number;
  beganAtMs: number;
  log: LogRef | null;
  ended: TurnEnded | null;
  voided: TurnVoided | null;
  guards: (LoopEvent & { type: "guards.ended" })["results"];
  effects: { kind: string; is: string; detail: string }[];
  verdicts: Verdict[];
  /** The stops that fell into it: more than one where it was resumed. */
  stops: string[];
  /** What the loop did next, and why. */
  decision: string;
}

/** Tells a loop's journal attempt by attempt, in bounded memory; the decision of the last one may still be open. */
export async function* tell(entries: AsyncIterable<Entry>): AsyncGenerator<AttemptStory> {
  let state: LoopState = START;
  let story: AttemptStory | null = null;
  for await (const entry of entries) {
    const { event } = entry;
    if (event.type === "turn.began") {
      if (story) yield { ...story, decision: decisionOf(story, `went on: ${whyNotDone(state, story)}`) };
      story = begin(event, entry.atMs);
    }
    if (story) note(story, event);
    state = reduce(state, entry);
  }
  if (story) yield { ...story, decision: decisionOf(story, state.stopped ? null : "not decided yet") };
}

/** All stops on the way, for a turn that was taken up again, and what came of it in the end. */
const decisionOf = ({ stops }: AttemptStory, end: string | null): string =>
  [...stops, ...(end ? [end] : [])].join("; then ");

const begin = ({ n, attempt, agent, log }: LoopEvent & { type: "turn.began" }, beganAtMs: number): AttemptStory => ({
  n,
  attempt,
  agent,
  beganAtMs,
  log,
  ended: null,
  voided: null,
  guards: [],
  effects: [],
  verdicts: [],
  stops: [],
  decision: "",
});

function note(story: AttemptStory, event: LoopEvent): void {
  if (event.type === "turn.ended") story.ended = event;
  if (event.type === "turn.voided") story.voided = event;
  if (event.type === "guards.ended") story.guards = event.results;
  if (event.type === "loop.stopped")
    story.stops.push(`stopped: ${event.reason}${event.detail ? ` (${event.detail})` : ""}`);
  if (event.type === "claim.judged") story.verdicts.push(event.verdict);
  if (event.type === "effect.intended") story.effects.push({ kind: event.effect.kind, is: "intended", detail: "" });
  const last = story.effects.at(-1);
  if (event.type === "effect.settled" && last) Object.assign(last, { is: event.is, detail: event.detail });
}

function whyNotDone(s: LoopState, { voided, verdicts, guards, ended }: AttemptStory): string {
  if (voided?.why === "interrupted") return "the turn was cut short, the same iteration again";
  if (voided) return `the environment failed (${voided.why}), the same iteration again`;
  if (ended?.failed) return `the agent failed (${ended.failed.kind})`;
  if (!ended?.claim) return "no claim";
  const red = guards.filter((guard) => guard.is !== "pass");
  if (red.length > 0) return `vetoed by guardrail ${red.map((guard) => guard.name).join(", ")}`;
  const verdict = verdicts.at(-1);
  if (verdict) return `claim not proven: ${verdict.reason}`;
  const objection = s.turn && objectionTo(s, s.turn);
  if (objection === "no-work") return "no tool was used and nothing was changed";
  return objection === "contradicted" ? "the agent's own words speak against the claim" : "claim not verified";
}
