import { printable, stripAnsi } from "../ansi.ts";
import { unaddressed } from "../escape-mentions.ts";
import { cut, shorten } from "../excerpt.ts";
import type { Level } from "../proof/level.ts";
import { proofOf, weakIn } from "../proof/shown.ts";
import { dollars, totalTokens } from "../usage.ts";
import { decide } from "./decide.ts";
import type { Entry, StopReason } from "./events.ts";
import type { Notice } from "./spec.ts";
import { iterationsDone, type LoopState } from "./state.ts";
import { isComplete, type StopNotice, stopFacts } from "./stop-reasons.ts";
import { reasonWords } from "./words.ts";

/** The content of a notification. Its size is bounded, because it is passed in environment variables. */
export interface NoticeFacts {
  notice: Notice;
  loop: string;
  /** Identifies this notice together with the loop's id, so that recipients can ignore repeats. */
  seq: number;
  at: string;
  title: string;
  cwd: string;
  /** Why it stopped or waits; for a completed loop its level. */
  reason: string | null;
  /** The proof level of a completed loop. */
  proof: Level | null;
  /** What weakens the proof, in words. */
  weak: string;
  detail: string;
  means: string;
  /** The command that helps; empty if none is needed. */
  next: string;
  iterations: number;
  costUsd: number;
  tokens: number;
  agent: string;
  waitUntil: string | null;
  /** A summary on one line, for display. */
  text: string;
}

const LONG_WAIT_MS = 60_000;
const DETAIL_CHARS = 2_000;
const TEXT_CHARS = 400;

/** The notifications for an entry, the most specific first. `state` is the one after it. */
export function noticesOf({ event, atMs }: Entry, state: LoopState): readonly Notice[] {
  switch (event.type) {
    case "loop.stopped":
      return stopNotices(event.reason, state);
    case "turn.ended":
      return ["iteration"];
    case "turn.voided": {
      // If the wait would be too long, the loop stops instead.
      const next = decide(state, atMs);
      return next.do === "wait" && next.untilMs - atMs > LONG_WAIT_MS ? ["waiting"] : [];
    }
    default:
      return [];
  }
}

const INCLUDED: Readonly<Record<StopNotice, readonly Notice[]>> = {
  verified: ["verified", "completed", "stopped"],
  completed: ["completed", "stopped"],
  blocked: ["blocked", "failed", "stopped"],
  failed: ["failed", "stopped"],
  stopped: ["stopped"],
};

/** An interruption without a request is an error that ended the loop. */
function stopNotices(reason: StopReason, { stopRequest }: LoopState): readonly Notice[] {
  const { notify } = stopFacts(reason);
  const isBroken = notify === "stopped" && !isComplete(reason) && !stopRequest;
  return INCLUDED[isBroken ? "failed" : notify];
}

/** The content of a notice. */
export function noticeFacts(notice: Notice, entry: Entry, state: LoopState): NoticeFacts {
  const { title = "", cwd = "", agents = [] } = state.spec ?? {};
  const facts = {
    notice,
    loop: entry.loop,
    seq: entry.seq,
    at: timeOf(entry.atMs),
    title: clean(title),
    cwd,
    ...happened(entry, state),
    iterations: iterationsDone(state),
    costUsd: Number(state.spent.costUsd.toFixed(6)),
    tokens: totalTokens(state.spent),
    agent: clean(agents[state.agent]?.command ?? ""),
  };
  return { ...facts, text: sentence(facts) };
}

type Happened = Pick<NoticeFacts, "reason" | "proof" | "weak" | "detail" | "means" | "next" | "waitUntil">;

function happened({ event, loop }: Entry, state: LoopState): Happened {
  const { wait, spec } = state;
  const nothing: Happened = { reason: null, proof: null, weak: "", detail: "", means: "", next: "", waitUntil: null };
  switch (event.type) {
    case "loop.stopped":
      return {
        ...nothing,
        reason: event.reason,
        proof: proofOf(event.reason),
        weak: clean(weakIn(state).join("; ")),
        detail: clean(event.detail),
        ...reasonWords(event.reason, loop, { ...spec, limits: state.limits, foreign: state.foreign }),
      };
    case "turn.voided": {
      const waitUntil = wait ? timeOf(wait.untilMs) : null;
      const means = `waiting for the agent until ${waitUntil}`;
      return {
        ...nothing,
        reason: event.why,
        detail: clean(event.detail),
        means,
        next: `ralph status ${loop}`,
        waitUntil,
      };
    }
    case "turn.ended": {
      const { failed, blocked, claim } = event;
      const words = failed ? `${failed.kind}: ${failed.detail}` : (blocked ?? claim?.quote ?? "");
      const means = failed ? "the agent failed" : claim ? "the agent claims completion" : "no claim yet";
      return { ...nothing, detail: clean(words), means };
    }
    default:
      return nothing;
  }
}

function sentence(facts: Omit<NoticeFacts, "text">): string {
  const { notice, reason, weak, title, means, detail, iterations, costUsd, next } = facts;
  const head =
    notice === "iteration" ? `iteration ${iterations}` : notice === "waiting" ? `waiting: ${reason}` : reason;
  const spent = [`${iterations} iteration${iterations === 1 ? "" : "s"}`, ...(costUsd > 0 ? [dollars(costUsd)] : [])];
  const words = [means, detail].filter((part) => part !== "").join(": ");
  const text = `ralph ${head}${weak ? ` (${weak})` : ""}: ${title}. ${words} (${spent.join(", ")})${next ? `, next: ${next}` : ""}`;
  return unaddressed(shorten(printable(text), TEXT_CHARS));
}

/** Facts as environment variables: `costUsd` is RALPH_COST_USD; lists and records are JSON. */
export const factsEnvironment = (facts: object): Record<string, string> => variables("RALPH", facts);

/** The data for the anchor, which stores the head of a journal out of the agent's reach. */
export interface AnchorFacts {
  loop: string;
  seq: number;
  /** The hash of that entry: it covers every entry before it. */
  head: string;
  reason: string | null;
  at: string;
}

/** The same as environment variables: `head` is RALPH_ANCHOR_HEAD. */
export const anchorEnvironment = (facts: AnchorFacts): Record<string, string> => variables("RALPH_ANCHOR", facts);

const variables = (prefix: string, facts: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(facts).map(([name, value]) => [
      `${prefix}_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`,
      typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? ""),
    ]),
  );

/** No environment variable can contain a NUL. */
const clean = (text: string): string => cut(stripAnsi(text).replaceAll("\0", "\uFFFD"), DETAIL_CHARS).trim();

const timeOf = (ms: number): string => new Date(ms).toISOString();
