import type { Level } from "../proof/level.ts";

/** What one command, run by the harness itself, showed. `unknown`: it could not start or did not end. */
export interface CheckResult {
  name: string;
  command: string;
  is: "pass" | "fail" | "unknown";
  code: number | null;
  reason: string;
  /** Something that its own command names is not there, so that it could not be run. */
  absent?: true;
  /** The useful part of the output, bounded. */
  excerpt: string;
  log: string | null;
  ms: number;
  /** Only a warning: the verdict does not depend on it. */
  optional?: true;
  /** The acceptance criterion that it proves. */
  criterion?: string;
  /** What has become of it since before any work. */
  since?: Attribution;
  /** Of its whole output. */
  sha256?: string;
  /** Taken over from an equal run on the same tree. */
  cached?: true;
  /** What a judge made of each criterion. */
  findings?: readonly Finding[];
  /** Said wherever it is shown, when it proves less than it looks. */
  label?: string;
  /** What its output says about tests, where a test runner was recognised. */
  tests?: TestCounts;
}

/** How many tests a command ran, from the summary in its output. `ran` does not include skipped tests. */
export interface TestCounts {
  ran: number;
  passed: number;
  failed: number;
  skipped: number;
}

export type Attribution = "fixed" | "regressed" | "still failing" | "already passing";

/** A judge's finding on one criterion. Only `proved`, with a quote that occurs in the evidence, counts. */
export interface Finding {
  criterion: string;
  is: "proved" | "weak" | "missing" | "contradicted" | "unknown";
  quote: string;
  reason: string;
}

/** Something that decides completion and is no longer what it was. */
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
  /** What a pass rests on. */
  proof?: Level;
  /** What weakens it, in words for the last line. */
  weak?: readonly string[];
  /** What has become of the number of tests, such as `14 → 17 tests`, where that is all that a pass can show. */
  grew?: string;
  /** Shown wherever the verdict is, when the proof is weaker than it looks. */
  label?: string;
  /** How many acceptance criteria are proved. */
  proved?: Proved;
  /** What rules of the proof are broken, in words. */
  broken?: readonly string[];
  /** What the checks were run on and could not see; part of the reason. */
  note?: string;
  /** What it is about: the commit and the state of the tree. */
  head?: string;
  tree?: string | null;
  /** The hash that git gives to the commit's tree; empty if there is no commit. */
  gitTree?: string;
  /** The snapshot of what was judged; null if there is no snapshot. */
  snapshot?: string | null;
}

/** An agent's review, in the form that was asked for. */
export interface Review {
  approved: boolean;
  /** What has to be fixed, each as one text that names its place where it has one. */
  findings: readonly string[];
}

/** How many of the acceptance criteria are proved. */
export interface Proved {
  proved: number;
  of: number;
  /** Their places; left out where they were not searched for yet. */
  which?: readonly number[];
}

/** The state before any work was done. */
export interface Baseline {
  results: readonly CheckResult[];
  /** Empty before the first commit, and without git. */
  head: string;
  tree: string | null;
  /** What the tree looks like as long as nothing was done; left out where that is `tree`. */
  start?: string;
  /** What lay in the checkout in no commit, with its hash; only where a commit has to show work. */
  loose?: Readonly<Record<string, string>>;
  /** The git tree of everything that was there, in the loop's own repository; null where it could not be taken. */
  snapshot?: string | null;
}
