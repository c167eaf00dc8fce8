/**
 * What stands behind a completion, the strongest first. `verified`: a required check failed before the work and all
 * pass now. `judged`: a judge approved. `still-green`: checks or guardrails pass, as they did before, or nothing is
 * known of before. `promise-only`: nothing but the agent's word.
 */
export const LEVELS = ["verified", "judged", "still-green", "promise-only"] as const;
export type Level = (typeof LEVELS)[number];

export const isLevel = (reason: string | null | undefined): reason is Level => LEVELS.some((level) => level === reason);

const rank = (level: Level): number => LEVELS.indexOf(level);

/** The weaker of the two. */
export const lowerLevel = (a: Level, b: Level): Level => (rank(a) < rank(b) ? b : a);

/** What `--strict` asks for: at least a judge's approval. */
export const isStrictEnough = (level: Level): boolean => rank(level) <= rank("judged");

/** Each level for people: its mark, its colour, and what it says of the work. */
export const LEVEL_WORDS: Readonly<
  Record<Level, { mark: string; tone: "green" | "cyan" | "yellow" | "magenta"; means: string; hint: string }>
> = {
  verified: { mark: "✓", tone: "green", means: "a check that failed before the work passes now", hint: "" },
  judged: { mark: "✓", tone: "cyan", means: "a judge approved the work; no command went from red to green", hint: "" },
  "still-green": {
    mark: "~",
    tone: "yellow",
    means: "every check passes, as before the work: that proves nothing new",
    hint: 'add --verify "<command>" that fails until the work is done',
  },
  "promise-only": {
    mark: "?",
    tone: "magenta",
    means: "nothing but the agent's word says that it is done",
    hint: 'add --verify "<command>" so that proof ends the loop',
  },
};
