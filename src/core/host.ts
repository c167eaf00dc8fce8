import type { AgentEvent } from "./agent.ts";
import type { Usage } from "./usage.ts";

/** The hosts that Ralph supports itself; other programs can use the library. */
export const HOST_NAMES = ["claude", "codex", "opencode"] as const;
export type KnownHost = (typeof HOST_NAMES)[number];

/** A session of a host. */
export interface HostSession {
  /** The name of a known host, or the name that a program gives the library. */
  host: string;
  id: string;
  /** The working directory of its agent. */
  cwd: string;
}

/** Commands that users type in a host's session. */
export const HOST_COMMANDS = ["ralph", "cancel-ralph", "ralph-status"] as const;
export type HostCommand = (typeof HOST_COMMANDS)[number];

/** An event of a host's session, in the same form for every host. */
export type HostEvent =
  /** `usage`: the cost of the session so far, if known. */
  | { type: "command.typed"; command: HostCommand; arguments: string; usage?: Usage }
  /**
   * The agent is idle. `events`: its messages and tool calls since the last prompt that the host reports; `tellsTools`:
   * whether they include every tool that was used; `patience`: how often the host lets Ralph send its agent back from
   * here as far as its record shows, why not more often, if it has such a limit, and whether it was just sent back;
   * `usageUnknown`: the record of the session's cost is lost.
   */
  | {
      type: "session.idle";
      events: readonly AgentEvent[];
      tellsTools: boolean;
      patience?: { times: number; why: string; wasSentBack: boolean };
      usageUnknown?: true;
    }
  /** The user interrupted the agent. */
  | { type: "session.aborted" }
  /** The session no longer exists. */
  | { type: "session.deleted" }
  /** The loop continues in a new session, which the host opened on request. */
  | { type: "session.moved"; to: string };

export const TOAST_VARIANTS = ["info", "success", "warning", "error"] as const;

/** A short notice for the host's user. */
export interface Toast {
  title: string;
  message: string;
  variant: (typeof TOAST_VARIANTS)[number];
  /** Milliseconds. */
  duration?: number;
}

/** What the host should do after an event. */
export interface HostAnswer {
  /** The next prompt; null: nothing. `fresh`: in a new session, which `session.moved` will report. */
  prompt: { text: string; fresh: boolean } | null;
  toasts: readonly Toast[];
  /** The answer to the user who typed a command; empty: nothing. */
  says: string;
  /** Whether the typed command failed. */
  refused: boolean;
}

export const NO_ANSWER: HostAnswer = { prompt: null, toasts: [], says: "", refused: false };

/** The events of a payload. `once`: an id by which a repeated event is recognised. */
export interface ReportedEvent {
  session: HostSession;
  event: HostEvent;
  once?: string;
  /** When it happened, if the payload says so; otherwise the time of arrival. */
  arrivedMs?: number;
}

/** The protocol of a host. */
export interface HostDialect {
  /** Reads a payload; null: nothing relevant to Ralph. Never throws, for any payload. */
  read(payload: unknown): ReportedEvent | null;
  /** Completes the event from the host's other data; called only if a loop is affected. Never throws. */
  look?(payload: unknown, event: HostEvent): HostEvent;
  /** The output that the host expects; empty: nothing. */
  write(answer: HostAnswer, event: HostEvent): string;
  /**
   * True: the payload is one line, and standard input stays open as long as the host runs. If it closes before the
   * answer, the host no longer waits, and the work ends as if Ralph had been killed.
   */
  staysOpen?: true;
}
