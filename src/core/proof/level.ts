/**
 * The levels of proof, the strongest first. `verified`: a required check failed before the work and all
 * pass now. `judged`: a judge approved. `still-green`: checks or guardrails pass, as they did before, or the state
 * before is not known. `promise-only`: only the agent's word.
 */
export const LEVELS = ["verified", "judged", "still-green", "promise-only"] as const;
export type Level = (typeof LEVELS)[number];

export const isLevel = (reason: string | null | undefined): reason is Level => LEVELS.some((level) => level === reason);

const rank = (level: Level): number => LEVELS.indexOf(level);

/** The weaker of the two. */
export const lowerLevel = (a: Level, b: Level): Level => (rank(a) < rank(b) ? b : a);

/** Whether nothing shows that the work changed anything, so that the state before it and the number of tests matter. */
export const isAsBefore = (level: Level | undefined): boolean => level === "still-green";

/** What `--strict` asks for: at least a judge's approval. */
export const isStrictEnough = (level: Level): boolean => rank(level) <= rank("judged");

interface LevelWords {
  mark: string;
  tone: "green" | "cyan" | "yellow" | "magenta";
  /** What the level means for the work. */
  means: string;
  /** What would give a stronger level; empty: nothing is needed. */
  hint: string;
  /** The same for a loop of a workflow. */
  hintInRun: string;
}

/** How each level is shown. */
export const LEVEL_WORDS: Readonly<Record<Level, LevelWords>> = {
  verified: {
    mark: "✓",
    tone: "green",
    means: "a check that failed before the work passes now",
    hint: "",
    hintInRun: "",
  },
  judged: {
    mark: "✓",
    tone: "cyan",
    means: "a judge approved the work; no command went from red to green",
    hint: "",
    hintInRun: "",
  },
  "still-green": {
    mark: "~",
    tone: "yellow",
    means: "every check passes, as before the work: that proves nothing new",
    hint: 'add --verify "<command>" that fails until the work is done',
    hintInRun: "`verify` in the loop adds a check that fails until the work is done",
  },
  "promise-only": {
    mark: "?",
    tone: "magenta",
    means: "only the agent's word says that it is done",
    hint: 'add --verify "<command>" so that proof ends the loop',
    hintInRun: "`verify` in the loop adds a check",
  },
};
