import { timeWords } from "../duration.ts";
import { backingLeaves, methodOf } from "../proof/methods.ts";
import { dollars } from "../usage.ts";
import type { LoopSpec } from "./spec.ts";

const NONE = "none";

const listed = (words: readonly string[], between = ", "): string => words.join(between) || NONE;
const time = (ms: number | null): string => (ms === null ? NONE : timeWords(ms));
const number = (limit: number | null): string => (limit === null ? NONE : String(limit));

/** What settings decide in a loop, by their keys. */
const KEYS: readonly (readonly [key: string, words: (spec: LoopSpec) => string])[] = [
  [
    "agent",
    ({ agents }) =>
      listed(
        agents.map(({ command, flags }) => [command, ...flags].join(" ")),
        ", then ",
      ),
  ],
  // The checks of a merge name its commits.
  [
    "checks",
    ({ proof, part }) =>
      part?.place === "conflict" ? "" : listed(backingLeaves(proof.stages).map((leaf) => methodOf(leaf).subject(leaf))),
  ],
  ["guardrails", ({ guardrails }) => listed(guardrails.map(({ command }) => command))],
  ["scope", ({ proof }) => listed(proof.scope)],
  ["promise", ({ claim }) => claim.promise],
  ["context", ({ context }) => context],
  ["max_iterations", ({ limits }) => number(limits.maxIterations)],
  ["maxCostUsd", ({ limits }) => (limits.maxCostUsd === null ? NONE : dollars(limits.maxCostUsd))],
  ["maxTokens", ({ limits }) => number(limits.maxTokens)],
  ["timeout", ({ limits }) => time(limits.maxMs)],
  ["stuckAfter", ({ limits }) => number(limits.stuckAfter)],
  ["iterationTimeout", ({ patience }) => time(patience.iterationTimeoutMs)],
  ["idleTimeout", ({ patience }) => time(patience.idleTimeoutMs)],
];

/** The settings that a loop keeps although they are different now, in words: `agent claude (now codex)`. */
export const keptSettings = (kept: LoopSpec, now: LoopSpec): string[] =>
  KEYS.flatMap(([key, words]) => {
    const [before, after] = [words(kept), words(now)];
    return before === after ? [] : [`${key} ${before} (now ${after})`];
  });
