import type { LoopLine } from "./loop-line.ts";
import type { CriterionLine, Decides } from "./task-page.ts";
import type { Tone } from "./tones.ts";

/** One check or guardrail on a page. */
export interface CheckLine {
  name: string;
  command: string;
  tone: Tone;
  /** `passed`, `failed: exit code 1`. */
  words: string;
  /** How it changed since the baseline; empty: unknown. */
  since: string;
  /** `14 tests, 1 failed`. */
  tests: string;
  failing: readonly string[];
  /** What a judge found on each criterion. */
  findings: readonly string[];
  /** The useful part of its output; empty for a sealed check. */
  excerpt: string;
  ms: number;
}

/** One part of an iteration, in the order claim → guards → guardrails → verdict. */
export interface Phase {
  name: "claim" | "guards" | "guardrails" | "verdict";
  tone: Tone;
  /** One line: `<promise>DONE</promise>`, `no claim`, `2 of 3 passed`. */
  words: string;
  /** More of it: a doubt with its quote, a broken rule. */
  details: readonly string[];
  checks: readonly CheckLine[];
}

/** One attempt at an iteration on the timeline. */
export interface TimelineItem {
  n: number;
  attempt: number;
  agent: string;
  model: string | null;
  beganMs: number;
  /** Null: it has not ended. */
  endedMs: number | null;
  tone: Tone;
  phases: readonly Phase[];
  effects: readonly { tone: Tone; words: string }[];
  costUsd: number;
  tokens: number;
  proved: { proved: number; of: number } | null;
  /** What the loop did next, and why. */
  decision: string;
}

/** Everything that a face shows about one loop. */
export interface LoopPage {
  line: LoopLine;
  /** How it ended or stands, what decided that or decides next, and the command to type next. */
  ended: string;
  decides: Decides;
  decided: string;
  next: string;
  outcome: string;
  prompt: string;
  /** What keeps the checks out of the agent's reach: scope, clean room. */
  protection: readonly string[];
  criteria: readonly CriterionLine[];
  weak: readonly string[];
  baseline: readonly CheckLine[] | null;
  timeline: readonly TimelineItem[];
  /** How many items were left out before it. */
  earlier: number;
  /** Whether it has a receipt. */
  receipt: boolean;
  /** Empty: the journal is sound. */
  damage: string;
}
