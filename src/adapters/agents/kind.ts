import type { AgentStream, TurnFault } from "../../core/agent.ts";
import type { AgentError } from "./fault.ts";
import type { Option } from "./flags.ts";
import type { Permissions } from "./permissions.ts";

/** How the prompt is passed: on standard input, as an argument, or in a flag with `{prompt}`. */
export type PromptWay = "stdin" | "argument" | "flag";

/** A known agent CLI: the differences between them, mostly as data. */
export interface AgentKind {
  name: string;
  /** Arguments before all flags that make it run once instead of interactively. */
  words(prompt: PromptWay): readonly string[];
  /** The flags that select its structured stream; the first one sets the format. */
  stream: readonly [Option, ...Option[]];
  /** Formats that are neither the stream nor plain text. */
  unreadable?: readonly string[];
  always?: readonly Option[];
  /** How to continue a session: arguments before or after the flags, and the user's flags that already do so. */
  resume: {
    names: readonly string[];
    before?(sessionId: string): readonly string[];
    after?(sessionId: string, prompt: PromptWay): readonly string[];
  };
  /** The last arguments if the prompt is an argument. */
  promptArguments(prompt: string): readonly string[];
  /** For a question that must change nothing: flags to add, and the user's flags that would contradict them. */
  ask: { add: readonly Option[]; drop: readonly string[] };
  /** The model flag, and a stable name of a cheap model; null if there is none. */
  model: { names: readonly [string, ...string[]]; cheap: string | null } | null;
  /** How to restrict its tools by name, if it can. `allow` replaces the user's tool flags, `deny` adds to them. */
  tools?: { allow(names: readonly string[]): readonly Option[]; deny(names: readonly string[]): Option };
  /** Environment that lets it run in a new folder that is not declared trusted. */
  apart?: Readonly<Record<string, string>>;
  open(faultFor: (error: AgentError) => TurnFault): AgentStream;
  /** Prefixes of lines that need not be parsed. */
  unheard?: readonly string[];
  heardWith?: readonly string[];
  /** Matches a line that is the CLI's own error or retry notice, in plain output or on standard error. */
  complaint: RegExp;
  /** In plain output, standard error echoes the prompt and tool output: only its last lines are its own. */
  echoes?: true;
  /** Like `complaint`, for a line that is only conclusive at the end of standard error. */
  lastLine?: RegExp;
  /** How the user logs in. */
  login: string;
  /** Where a login is kept. Its existence is checked; it is never read. */
  loginFile(folders: UserFolders): string;
  /** Any of these variables replaces the login. */
  loginVariables: readonly string[];
  /** The package that `npm install -g` installs it from. */
  npmPackage: string;
  permissions: Permissions;
  /** The refusal that a line of standard error reports, if the stream does not contain it. */
  refusalIn?(line: string): { name: string; detail: string } | null;
  reportsCost: boolean;
}

/** The user's folders, in which an agent keeps its login. */
export interface UserFolders {
  home: string;
  /** `XDG_DATA_HOME`. */
  data: string;
  env: Readonly<Record<string, string | undefined>>;
}
