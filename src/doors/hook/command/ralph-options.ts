import { shorten } from "../../../core/excerpt.ts";
import {
  dollarsIn,
  type OptionValue,
  secondsIn,
  wholeNumberIn,
  wholeNumberOrOffIn,
  wordsIn,
} from "../../../core/option-values.ts";
import type { Settings } from "../../../core/schema/settings.ts";

/** The limits that `/ralph` can set, as settings. */
export type LimitFlags = Pick<Settings, "maximumIterations" | "maxCostUsd" | "maxTokens" | "timeout" | "stuckAfter">;

export interface Options {
  limits: LimitFlags;
  completionPromise?: string;
  verify: string[];
  missingOk?: true;
  description?: string;
  context?: "continue" | "reset";
  resume?: string;
  help: boolean;
}

export interface RalphOption {
  names: readonly string[];
  /** The placeholder of its value in the help, in quotes if it is free text; empty: it has none. */
  value: string;
  says: string;
  /** Stores the value; otherwise returns what was expected. */
  take(text: string, into: Options): string | null;
}

function taking<T>(read: (text: string) => OptionValue<T>, take: (value: T, into: Options) => void) {
  return (text: string, into: Options): string | null => {
    const found = read(text);
    if ("expected" in found) return found.expected;
    take(found.value, into);
    return null;
  };
}

const limit = (name: keyof LimitFlags, read: (text: string) => OptionValue<number>) =>
  taking(read, (value, { limits }) => {
    limits[name] = value;
  });

const promiseIn = (text: string): OptionValue<string> =>
  /<\/?promise>/i.test(text) ? { expected: "the text between the tags alone, such as ALL_FIXED" } : wordsIn(text);

const contextIn = (text: string): OptionValue<"continue" | "reset"> =>
  text === "continue" || text === "reset" ? { value: text } : { expected: "continue or reset" };

/** Every option of `/ralph`, in the order of its help. */
export const RALPH_OPTIONS: readonly RalphOption[] = [
  {
    names: ["--verify"],
    value: '"command"',
    says: "must exit 0 for a promise to count (repeatable)",
    take: taking(wordsIn, (command, { verify }) => verify.push(command)),
  },
  {
    names: ["--missing-ok"],
    value: "",
    says: "what a check's command names may be absent: the agent is to create it",
    take: (_, into) => {
      into.missingOk = true;
      return null;
    },
  },
  {
    names: ["--max-iterations", "--maximum-iterations", "-m"],
    value: "N",
    says: "stop after so many iterations (default 100)",
    take: limit("maximumIterations", wholeNumberIn),
  },
  {
    names: ["--completion-promise"],
    value: '"TEXT"',
    says: "what the agent writes between <promise> and </promise> (default DONE)",
    take: taking(promiseIn, (promise, into) => {
      into.completionPromise = promise;
    }),
  },
  {
    names: ["--max-cost"],
    value: "USD",
    says: "stop when so many dollars are spent",
    take: limit("maxCostUsd", dollarsIn),
  },
  {
    names: ["--max-tokens"],
    value: "N",
    says: "stop when so many tokens are used",
    take: limit("maxTokens", wholeNumberIn),
  },
  {
    names: ["--timeout"],
    value: "TIME",
    says: "stop after so much working time, such as 90s, 30m, 2h",
    take: limit("timeout", secondsIn),
  },
  {
    names: ["--stuck-after"],
    value: "N",
    says: "stop after so many iterations without anything new (default 0: never)",
    take: limit("stuckAfter", wholeNumberOrOffIn),
  },
  {
    names: ["--context"],
    value: "continue|reset",
    says: "every iteration in this session, or in a fresh one where the host can open one",
    take: taking(contextIn, (context, into) => {
      into.context = context;
    }),
  },
  {
    names: ["--description"],
    value: '"TEXT"',
    says: "what lists call the loop",
    take: taking(wordsIn, (description, into) => {
      into.description = description;
    }),
  },
  {
    names: ["--resume"],
    value: "LOOP",
    says: "go on with a loop here: its id, the beginning of one, or last; beside it only limits",
    take: taking(wordsIn, (loop, into) => {
      into.resume = loop;
    }),
  },
  {
    names: ["--help", "-h"],
    value: "",
    says: "show this",
    take: (_, into) => {
      into.help = true;
      return null;
    },
  },
];

const SHOWN_CHARS = 60;

export const shown = (text: string): string => shorten(text, SHOWN_CHARS);
