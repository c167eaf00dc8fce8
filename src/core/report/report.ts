import type { Level } from "../proof/level.ts";

/** How an item stands. `waiting`: a person has to answer, accept or fix something outside the work. */
export type Standing = "done" | "blocked" | "waiting" | "running";

/** The added and removed lines of a change; null where they are not known. */
export interface ChangeSize {
  files: number;
  added: number;
  removed: number;
}

/** A task, a workflow run, or a loop that belongs to neither. */
export interface ReportItem {
  kind: "task" | "run" | "loop";
  id: string;
  title: string;
  standing: Standing;
  /** How it ended or what it does, in a word: `merged`, `verified`, `blocked`, `iteration-limit`, `coder`. */
  outcome: string;
  proof: Level | null;
  /** Why it is blocked or waits; empty if nothing is wrong. */
  why: string;
  /** What weakens its proof, in words. */
  weak: readonly string[];
  /** The command to type next. */
  next: string;
  /** Its loops with activity in the time of the report. */
  loops: number;
  iterations: number;
  costUsd: number;
  tokens: number;
  beganAtMs: number;
  updatedAtMs: number;
  /** Null: not known, or nothing was changed yet. */
  changes: ChangeSize | null;
  /** The commit it was merged as. */
  merged: string | null;
  /** Files of its receipts. */
  receipts: readonly string[];
}

export interface Report {
  fromMs: number;
  toMs: number;
  /** Why it begins there. */
  since: "execution" | "day" | "asked";
  /** The latest execution, if the report begins with it. */
  execution: string | null;
  items: readonly ReportItem[];
  /** Items that are not listed, because there are too many. */
  leftOut: number;
  /** What is still open from before that time. */
  earlier: { blocked: number; proposed: number };
  /** Tasks that have not been started. */
  todo: number;
  totals: { loops: number; iterations: number; costUsd: number; tokens: number };
}

export const STANDINGS: readonly Standing[] = ["done", "blocked", "waiting", "running"];

export const STANDING_TITLES: Readonly<Record<Standing, string>> = {
  done: "Merged and completed",
  blocked: "Blocked or not completed",
  waiting: "Waiting for you",
  running: "Still running",
};

export const itemsOf = ({ items }: Pick<Report, "items">, standing: Standing): ReportItem[] =>
  items.filter((item) => item.standing === standing);

/** Whether less than a check that went from red to green shows that an item is done. */
export const isWeak = ({ standing, proof, weak }: ReportItem): boolean =>
  standing === "done" && proof !== null && (proof !== "verified" || weak.length > 0);
