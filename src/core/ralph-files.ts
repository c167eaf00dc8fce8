/** Files that loops write to `.ralph/`, and personal settings: kept out of commits. */
export const IGNORED_PATTERNS: readonly string[] = [
  "guardrail_*.log",
  "execution.jsonl",
  "artifacts/**",
  "settings.local.json",
];

/** Kept by the user, but not part of the agent's work. */
export const KEPT_PATTERNS: readonly string[] = ["receipts/**"];

/** All of these as patterns of git, in any folder of a repository. Other files beside receipts are ordinary. */
export const EXCLUDED_PATTERNS: readonly string[] = [...IGNORED_PATTERNS, "receipts/*.json"].map(
  (pattern) => `**/.ralph/${pattern}`,
);

/** Where the receipts of a folder's loops are kept. */
export const RECEIPTS_FOLDER = ".ralph/receipts";

/**
 * Ralph's own files in a checkout: guardrail logs, the execution log, receipts, and the .gitignore that earlier versions
 * wrote. They never count as work, whether git ignores them or not.
 */
export const isRalphFile = (path: string): boolean => RALPH_FILE.test(`/${path}`) || isReceiptPath(path);

const RALPH_FILE = /\/\.ralph\/(?:guardrail_[^/]*\.log|execution\.jsonl|\.gitignore)(?:\.\d+\.tmp)?(?:$|\/)/;

/** Receipts are not work: they are left out of commits and ignored when looking for changes. */
export const isReceiptPath = (path: string): boolean => RECEIPT.test(`/${path}`);

/** A receipt or its draft. Any other file in that folder is ordinary: code there could be part of the work. */
const RECEIPT = /\/\.ralph\/receipts\/[\w-]+\.json(?:\.[0-9a-f]+)?$/;
