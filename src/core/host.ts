import type { AgentEvent } from "./agent.ts";
import type { Usage } from "./usage.ts";

/** The programs in whose sessions a loop can run, besides those that use the library. */
export const HOST_NAMES = ["claude", "codex", "opencode"] as const;
export type KnownHost = (typeof HOST_NAMES)[number];

/** A session of a host. */
export interface HostSession {
  /** A known host's name, or the name that a program gives the library. */
  host: string;
  id: string;
  /** The folder that its agent works in. */
  cwd: string;
}

/** What people type in a host's session. */
export const HOST_COMMANDS = ["ralph", "cancel-ralph", "ralph-status"] as const;
export type HostCommand = (typeof HOST_COMMANDS)[number];

/** What happened in a host's session, in a form that is the same for every host. */
export type HostEvent =
  /** `usage`: what the session had cost before, where that is known. */
  | { type: "command.typed"; command: HostCommand; arguments: string; usage?: Usage }
  /**
   * The agent has nothing more to do. `events`: its messages and tool calls since the last prompt that the host reports;
   * `tellsTools`: whether they include every tool that was used; `patience`: how often the host lets us send its agent
   * back from here, and why no more, where it has such a limit; `usageUnknown`: the record of what the session
   * has cost is gone.
   */
  | {
      type: "session.idle";
      events: readonly AgentEvent[];
      tellsTools: boolean;
      patience?: { times: number; why: string };
      usageUnknown?: true;
    }
  /** The user has interrupted the agent. */
  | { type: "session.aborted" }
  /** The session is no more. */
  | { type: "session.deleted" }
  /** The loop continues in a fresh session, which the host has opened on request. */
  | { type: "session.moved"; to: string };

export const TOAST_VARIANTS = ["info", "success", "warning", "error"] as const;

/** A short notice for the person in front of the host. */
export interface Toast {
  title: string;
  message: string;
  variant: (typeof TOAST_VARIANTS)[number];
  /** Milliseconds. */
  duration?: number;
}

/** What the host is to do about an event. */
export interface HostAnswer {
  /** The next prompt; null: nothing. `fresh`: in a new session, which `session.moved` will report. */
  prompt: { text: string; fresh: boolean } | null;
  toasts: readonly Toast[];
  /** The answer to the user who typed a command; empty: nothing. */
  says: string;
  /** Whether what was typed could not be done. */
  refused: boolean;
}

export const NO_ANSWER: HostAnswer = { prompt: null, toasts: [], says: "", refused: false };

/** The events of a payload. `once`: a name by which a repeated event is recognised. */
export interface ReportedEvent {
  session: HostSession;
  event: HostEvent;
  once?: string;
  /** When it happened, if the payload says so; otherwise the time of arrival. */
  arrivedMs?: number;
}

/** What a host and we say to each other, in the words of the host. */
export interface HostDialect {
  /** Reads a payload; null: nothing that matters to Ralph. Never throws, for any payload. */
  read(payload: unknown): ReportedEvent | null;
  /** The event with what the host keeps elsewhere; asked only where a loop is concerned. Never throws. */
  look?(payload: unknown, event: HostEvent): HostEvent;
  /** What the host expects to be printed; empty: nothing. */
  write(answer: HostAnswer, event: HostEvent): string;
  /**
   * True: the payload is one line, and the input stays open after it for as long as the host lives. Where it ends
   * before the answer, the host no longer waits for it, and the work for it ends as if Ralph had been killed.
   */
  staysOpen?: true;
}
