import type { Card } from "./card.ts";
import type { Tone } from "./tones.ts";

/** An acceptance criterion with its proof. */
export interface CriterionLine {
  text: string;
  is: "proved" | "failing" | "open";
  why: string;
}

/** What one stage has to meet, and how far it is. */
export interface StageLine {
  role: string;
  title: string;
  /** `next` comes later; `passed` and `failed` as of its last loop. */
  is: "passed" | "failed" | "running" | "next" | "skipped";
  tone: Tone;
  /** How it ended: `✓ verified after 3 iterations`. */
  words: string;
  loop: string | null;
  /** How it is verified, and the promise it has to make. */
  method: string;
  promise: string;
  maxIterations: number | null;
  /** The commands or sub-stages of its verification. */
  checks: readonly string[];
}

/** One line of a task's history. */
export interface HistoryLine {
  atMs: number;
  tone: Tone;
  words: string;
  /** Why, and findings, a line each. */
  details: readonly string[];
  loop: string | null;
}

/** Whether it is open what is decided. */
export type Decides = "decided" | "decides next";

/** Everything that a face shows about one task. */
export interface TaskPage {
  card: Card;
  description: string;
  /** What "done" means, in one sentence; empty if not given. */
  outcome: string;
  /** What decided how it stands, or decides next, and the command to type next. */
  decides: Decides;
  decided: string;
  next: string;
  criteria: readonly CriterionLine[];
  /** What Ralph runs because of its own criteria: worth reading before a proposed task is accepted. */
  commands: readonly string[];
  stages: readonly StageLine[];
  dependencies: readonly { id: string; title: string; status: string }[];
  followups: readonly string[];
  history: readonly HistoryLine[];
  /** How many earlier lines of its history were left out. */
  earlier: number;
  branch: string | null;
  target: string | null;
  worktree: string | null;
  merged: string | null;
  weak: readonly string[];
}
