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
  scope: string[];
  missingOk?: true;
  description?: string;
  context?: "continue" | "reset";
  resume?: string;
  help: boolean;
}

export interface RalphOption {
  names: readonly string[];
  /** The placeholder of its value in the help, in quotes if it is free text; empty for a flag. */
  value: string;
  says: string;
  /** Stores the value and returns null, or returns what was expected. */
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
    names: ["--scope"],
    value: '"glob"',
    says: "the agent may change only these paths; +glob: only add, !glob: not (repeatable)",
    take: taking(wordsIn, (glob, { scope }) => scope.push(glob)),
  },
  {
    names: ["--missing-ok"],
    value: "",
    says: "files that a check's command names may be missing: the agent creates them",
    take: (_, into) => {
      into.missingOk = true;
      return null;
    },
  },
  {
    names: ["--max-iterations", "--maximum-iterations", "-m"],
    value: "N",
    says: "maximum number of iterations (default 100)",
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
    says: "maximum cost in dollars",
    take: limit("maxCostUsd", dollarsIn),
  },
  {
    names: ["--max-tokens"],
    value: "N",
    says: "maximum number of tokens",
    take: limit("maxTokens", wholeNumberIn),
  },
  {
    names: ["--timeout"],
    value: "TIME",
    says: "maximum working time, such as 90s, 30m, 2h",
    take: limit("timeout", secondsIn),
  },
  {
    names: ["--stuck-after"],
    value: "N",
    says: "stop after this many iterations without progress (default 0: never)",
    take: limit("stuckAfter", wholeNumberOrOffIn),
  },
  {
    names: ["--context"],
    value: "continue|reset",
    says: "all iterations in this session, or each in a new one if the host can open one",
    take: taking(contextIn, (context, into) => {
      into.context = context;
    }),
  },
  {
    names: ["--description"],
    value: '"TEXT"',
    says: "the title of the loop in lists",
    take: taking(wordsIn, (description, into) => {
      into.description = description;
    }),
  },
  {
    names: ["--resume"],
    value: "LOOP",
    says: "resume a loop here: its id, the beginning of one, or last; only limits can be added",
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
