import type { Leftovers } from "../leftovers.ts";
import type { Level } from "../proof/level.ts";
import type { BreakableRule } from "../proof/proof.ts";

/** The result of one command that Ralph ran itself. `unknown`: it could not start or did not end. */
export interface CheckResult {
  name: string;
  command: string;
  is: "pass" | "fail" | "unknown";
  code: number | null;
  reason: string;
  /** Something named by its own command does not exist, so that it could not run. */
  absent?: true;
  /** The useful part of the output, bounded. */
  excerpt: string;
  log: string | null;
  ms: number;
  /** The agent must not see what it checks. */
  sealed?: true;
  /** It only warns: the verdict does not depend on it. */
  optional?: true;
  /** The acceptance criterion it proves. */
  criterion?: string;
  /** How it changed since the baseline. */
  since?: Attribution;
  /** Digest of its whole output. */
  sha256?: string;
  /** Reused from an equal run on the same tree. */
  cached?: true;
  /** A judge's finding on each criterion. */
  findings?: readonly Finding[];
  /** Shown with the result if it proves less than it seems to. */
  label?: "judge unavailable";
  /** How many tests ran, if a test runner was recognised. */
  tests?: TestCounts;
  /** By which part its command chooses a subset of the tests: their number says nothing about what is missing. */
  subset?: string;
  /** What is worth knowing about the tests that ran, although it passes. */
  noted?: string;
  /** Processes that it left running. */
  left?: Leftovers;
}

/** The result of a check that started no command, or whose command does not matter. */
export const plainResult = (
  { name, command }: Pick<CheckResult, "name" | "command">,
  answer: Pick<CheckResult, "is" | "reason"> & Partial<CheckResult>,
): CheckResult => ({ name, command, code: null, excerpt: "", log: null, ms: 0, ...answer });

/** Whether more than the agent's word decides. */
export const isDeciding = ({ command, optional }: CheckResult): boolean => command !== "" && !optional;

/** The reason of a sealed check names it. */
export const nameReason = ({ name, reason }: CheckResult): string =>
  reason.startsWith(`${name} `) ? reason : `${name}: ${reason}`;

/** How many tests a command ran, as its runners report it. `ran` does not include skipped tests. */
export interface TestCounts {
  ran: number;
  passed: number;
  failed: number;
  skipped: number;
  /** Of `failed`, how many are not tests, such as files that cannot be loaded. */
  broken?: number;
  /** How many each runner ran. */
  runners?: Readonly<Record<string, number>>;
  /** Summaries that were replaced by a later one, and how many tests ran if all of them count. */
  repeats?: number;
  all?: number;
  /** The digest of the blob with their names. */
  names?: string;
}

export type Attribution = "fixed" | "regressed" | "still failing" | "already passing";

/** A judge's finding on one criterion. Only `proved` with a quote that occurs in the evidence counts. */
export interface Finding {
  criterion: string;
  is: "proved" | "weak" | "missing" | "contradicted" | "unknown";
  quote: string;
  reason: string;
}

/** Something that decides completion and has changed. */
export interface Tamper {
  path: string;
  /** What happened to it, such as `changed`, `deleted` or `2 tests skipped`. */
  change: string;
}

/** The answer to a claim. `unknown` is never a pass. */
export interface Verdict {
  is: "pass" | "fail" | "unknown";
  reason: string;
  checks: readonly CheckResult[];
  tampered?: readonly Tamper[];
  /** The proof level of a pass. */
  proof?: Level;
  /** Changes outside the scope. */
  outside?: readonly Tamper[];
  /** What weakens it, for the last line of output. */
  weak?: readonly string[];
  /** The change in the number of tests, such as `14 → 17 tests`, if a pass shows nothing else. */
  grew?: string;
  /** How many acceptance criteria are proved. */
  proved?: Proved;
  /** The broken rules, in words. */
  broken?: readonly string[];
  /** The same by name. */
  brokenRules?: readonly BreakableRule[];
  /** What the checks ran on and could not see; part of the reason. */
  note?: string;
  /** The commit and the state of the tree that were judged. */
  head?: string;
  tree?: string | null;
  /** The git hash of the commit's tree; empty if there is no commit. */
  gitTree?: string;
  /** The snapshot of the judged state; null if there is none. */
  snapshot?: string | null;
}

/** An agent's review, in the requested form. */
export interface Review {
  approved: boolean;
  /** The faults to fix, each as one text that names its location if it has one. */
  findings: readonly string[];
}

/** How many of the acceptance criteria are proved. */
export interface Proved {
  proved: number;
  of: number;
  /** Their indexes; omitted if not determined yet. */
  which?: readonly number[];
}

/** The state before any work. */
export interface Baseline {
  results: readonly CheckResult[];
  /** Empty before the first commit, and without git. */
  head: string;
  tree: string | null;
  /** The state of the tree as long as no work is done; omitted if equal to `tree`. */
  start?: string;
  /** Uncommitted files of the checkout, with their hashes; only if a commit must show work. */
  loose?: Readonly<Record<string, string>>;
  /** The git tree of all files, in the loop's own repository; null if it could not be taken. */
  snapshot?: string | null;
  /** Paths that the checks themselves created or changed; a folder ends with a slash. Only if the scope counts. */
  made?: readonly string[];
  /** The tracked files that the checks change themselves, or their folders; omitted if not all checks ran here. */
  changed?: readonly string[];
}
