import type * as z from "zod";
import { printable } from "../../core/ansi.ts";
import { shorten } from "../../core/excerpt.ts";
import type { Inbound, Outbound, Sent } from "../../core/platform.ts";
import type { Operation } from "../../core/schema/api.ts";
import { type Answered, isTaken, isWorthAnother } from "../io/post.ts";

/** The secrets of a platform, from the environment. */
export interface PlatformSecrets<Variable extends string> {
  require(variable: Variable): string;
  find(variable: Variable): string | null;
}

/** A configured platform: how to send messages and how to receive them. */
export interface OpenPlatform {
  /** Null if nothing is sent and conversations are read from the store. */
  outbound: Outbound | null;
  inbound: Inbound;
}

/** Everything that Ralph knows about one platform. `platforms.ts` lists them all. */
export interface Platform {
  /** The schema of `platforms.<name>` in the settings; null if the platform needs none and is always available. */
  settings: z.ZodType | null;
  /** The environment variables with its secrets, and where a user finds each of them. */
  secrets: Readonly<Record<string, string>>;
  /** The server's route for incoming messages; null if the platform is polled. */
  operation: Operation | null;
  open(settings: unknown, secrets: PlatformSecrets<string>): OpenPlatform;
}

interface Definition<Settings extends z.ZodType, Variable extends string> {
  settings: Settings;
  secrets: Readonly<Record<Variable, string>>;
  operation?: Operation;
  open(settings: z.infer<Settings>, secrets: PlatformSecrets<Variable>): OpenPlatform;
}

/** Defines a platform whose settings and secrets are typed by its own schema and variables. */
export const definePlatform = <Settings extends z.ZodType, Variable extends string>({
  settings,
  operation,
  open,
  ...rest
}: Definition<Settings, Variable>): Platform => ({
  ...rest,
  settings,
  operation: operation ?? null,
  open: (given, secrets) => open(settings.parse(given), secrets),
});

const WHY_CHARS = 200;

export type SendFailure = Extract<Sent, { is: "failed" }>;

/** The result of sending, judged by the HTTP status alone. */
export function sendResult(answered: Answered): Sent {
  if (answered.is === "failed") return answered;
  const { status, retryAfterMs } = answered;
  if (isTaken(status)) return { is: "sent" };
  return sendFailure(`HTTP ${status}`, isWorthAnother(status), retryAfterMs);
}

/** A failure with the platform's own message, which may contain anything. */
export const sendFailure = (why: string, again: boolean, afterMs: number | null): SendFailure => ({
  is: "failed",
  why: shorten(printable(why), WHY_CHARS),
  again,
  ...(again && afterMs !== null ? { afterMs } : {}),
});
