import type { AgentEvent } from "./agent.ts";
import type { Usage } from "./usage.ts";

/** The sessions that a loop can go on in: those of a known program, or of whoever uses the library. */
export const HOSTS = ["claude", "codex", "opencode"] as const;
export type KnownHost = (typeof HOSTS)[number];

/** A session of a host. */
export interface HostSession {
  /** A known host's name, or what a program that uses the library calls itself. */
  host: string;
  id: string;
  /** The folder that it works in. */
  cwd: string;
}

/** Whether a host can open a fresh session for every iteration: from inside of these nobody can. */
export const opensSessions = (host: string): boolean => host !== "claude" && host !== "codex";

/** Whether a host tells what a session costs, and not only its tokens. */
export const tellsCost = (host: string): boolean => host !== "claude" && host !== "codex";

/** What people type in a host's session. */
export const HOST_COMMANDS = ["ralph", "cancel-ralph", "ralph-status"] as const;
export type HostCommand = (typeof HOST_COMMANDS)[number];

/** What happened in a host's session, in the one dialect that we understand. */
export type HostEvent =
  /** `usage`: what the session had cost before, where that is known. */
  | { type: "command.typed"; command: HostCommand; arguments: string; usage?: Usage }
  /**
   * The agent has nothing more to do. `events`: its words and deeds since the last prompt, as far as the host tells;
   * `tellsTools`: whether they hold every tool that was used; `patience`: how often the host lets us send its agent
   * back from here, and why no more, where it has such a limit; `usageUnknown`: the record that tells what the session
   * has cost is gone.
   */
  | {
      type: "session.idle";
      events: readonly AgentEvent[];
      tellsTools: boolean;
      patience?: { times: number; why: string };
      usageUnknown?: true;
    }
  /** A person has cut the agent short. */
  | { type: "session.aborted" }
  /** The session is no more. */
  | { type: "session.deleted" }
  /** The loop goes on in a fresh session, which the host has opened as it was asked to. */
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
  /** What to tell the agent; null: nothing. `fresh`: in a new session, of which `session.moved` is to tell. */
  prompt: { text: string; fresh: boolean } | null;
  toasts: readonly Toast[];
  /** What the person who typed a command is told; empty: nothing. */
  says: string;
  /** Whether what was typed could not be done. */
  refused: boolean;
}

export const NO_ANSWER: HostAnswer = { prompt: null, toasts: [], says: "", refused: false };

/** What a payload tells us. `once`: the name of what was told, by which a second telling of it is known. */
export interface HostReport {
  session: HostSession;
  event: HostEvent;
  once?: string;
  /** When it happened, where the payload says so; otherwise that is when we are told. */
  arrivedMs?: number;
}

/** What a host and we say to each other, in the words of the host. */
export interface HostDialect {
  /** What a payload tells us; null: nothing that concerns us. Never throws, whatever the payload. */
  read(payload: unknown): HostReport | null;
  /** The event with what the host keeps elsewhere; asked only where a loop is concerned. Never throws. */
  look?(payload: unknown, event: HostEvent): HostEvent;
  /** What the host expects to be printed; empty: nothing. */
  write(answer: HostAnswer, event: HostEvent): string;
  /**
   * True: the payload is one line, and the input stays open after it for as long as the host lives. Where it ends
   * before the answer, nobody waits for that any more, and what we do for it is to end as if we had been killed.
   */
  staysOpen?: true;
}
