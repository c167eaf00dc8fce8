import type { AgentStream, TurnFault } from "../../core/agent.ts";
import type { AgentError } from "./fault.ts";
import type { Option } from "./flags.ts";

/** Where the prompt stands: on standard input, in an argument of its own, or inside a flag that says `{prompt}`. */
export type PromptWay = "stdin" | "argument" | "flag";

/** One known agent CLI: what differs between them, as data and as little code as possible. */
export interface AgentKind {
  name: string;
  /** Words before all flags that make it answer once instead of opening its own screen. */
  words(prompt: PromptWay): readonly string[];
  /** The flags that ask for its structured stream; the first one names the format. */
  stream: readonly [Option, ...Option[]];
  /** Formats that are neither the stream nor plain text. */
  unreadable?: readonly string[];
  /** Flags that help whatever the output is. */
  always?: readonly Option[];
  /** How a session is gone on with: words before or after the flags, and the flags of a person that say so already. */
  resume: {
    names: readonly string[];
    before?(sessionId: string): readonly string[];
    after?(sessionId: string, prompt: PromptWay): readonly string[];
  };
  /** The last arguments, where the prompt is an argument. */
  promptArguments(prompt: string): readonly string[];
  /** For a question that must change nothing: flags to add, and flags of a person that would contradict them. */
  ask: { add: readonly Option[]; drop: readonly string[] };
  /** How a model is named, and the cheap one under a name that lasts; null where we know of none. */
  model: { names: readonly [string, ...string[]]; cheap: string | null } | null;
  /**
   * How it is told which tools it may use, by their names; left out where it cannot be told. What a person's flags allow
   * gives way to what is allowed; what is denied comes on top of what they deny.
   */
  tools?: { allow(names: readonly string[]): readonly Option[]; deny(names: readonly string[]): Option };
  /** Environment that lets it run in an empty folder that nobody has declared trusted. */
  apart?: Readonly<Record<string, string>>;
  open(faultFor: (error: AgentError) => TurnFault): AgentStream;
  /** How lines begin that need not be read. */
  unheard?: readonly string[];
  /** A whole line that is the CLI's own error or retry notice, in plain output or on standard error. */
  complaint: RegExp;
  /** In plain output standard error repeats the prompt and what tools print: only its last lines are its own. */
  echoes?: true;
  /** The same for a line too common to be known in the middle of other output, but not at the end of standard error. */
  lastLine?: RegExp;
  /** How a person logs in. */
  login: string;
  /** What a person puts into the settings so that the agent may use its tools. */
  permissionHint: string;
  reportsCost: boolean;
}
