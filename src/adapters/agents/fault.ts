import type { Failure, Trouble, TurnFault } from "../../core/agent.ts";
import { shorten } from "../../core/excerpt.ts";
import { credible, resetTimeIn } from "./reset-time.ts";

/** An error that an agent reports about itself. The message is the agent's own, never a tool's or a model's. */
export interface AgentError {
  message: string;
  /** The HTTP status, if reported separately. */
  status?: number;
  /** When a limit ends, if reported separately. */
  retryAtMs?: number;
}

const DETAIL_CHARS = 400;
/** The beginning identifies the error; a provider's response of any length may follow. */
const MESSAGE_CHARS = 10_000;

/** What an agent's own error means for the loop. `login` tells the user how to log in. */
export function faultFor(reported: AgentError, login: string, nowMs: number): TurnFault {
  const error = { ...reported, message: reported.message.slice(0, MESSAGE_CHARS) };
  const kind = kindOf(error);
  const said = shorten(error.message, DETAIL_CHARS);
  if (kind === "auth") return { kind, detail: `${said}; ${login}` };
  const retryAtMs = kind === "rate-limited" ? limitEnd(error, nowMs) : null;
  return { kind, detail: said, ...(retryAtMs === null ? {} : { retryAtMs }) };
}

const limitEnd = ({ message, retryAtMs }: AgentError, nowMs: number): number | null =>
  (retryAtMs === undefined ? null : credible(retryAtMs, nowMs)) ?? resetTimeIn(message, nowMs);

/** Errors that only the message shows and that take precedence over a status. */
const BY_WORDS: readonly [Trouble | Failure, RegExp][] = [
  [
    "bad-session",
    /no conversation found with session id|no rollout found|error resuming session|session not found|no saved session found|invalid thread url or id/i,
  ],
  [
    "context-exceeded",
    /prompt is too long|input is too long|request_too_large|context[_ ]length[_ ]exceeded|maximum context length|exceeds the context window|ran out of room in the model's context window|input token count.*exceeds|ContextOverflowError/i,
  ],
  ["auth", /credit balance is too low|insufficient_quota/i],
  ["permission-denied", /not running in a trusted directory/i],
];

const OTHERWISE_BY_WORDS: readonly [Trouble | Failure, RegExp][] = [
  [
    "auth",
    /invalid api key|invalid auth(entication)? token|api key (not valid|expired|is missing)|not logged in|\/login\b|authentication (required|failed)|failed to authenticate|oauth token (has )?(expired|been revoked)|(token|session expired and) could not be refreshed|missing environment variable|set an auth method|invalid auth method|no api key found|login failed|no auth type is selected|ProviderAuthError|LoadAPIKeyError/i,
  ],
  [
    "rate-limited",
    /rate[_ ]?limit|usage limit|(hit|reached) your (?:\S+ ){0,3}limit|(hour|session|weekly) limit reached|too many requests|RESOURCE_EXHAUSTED|exhausted your (daily quota|capacity)|quota exceeded|exceeded your current quota|please wait and try again later|out of (extra )?usage/i,
  ],
  ["overloaded", /overloaded|high demand|at capacity|internal server error|service unavailable|server_error/i],
  [
    "network",
    /ECONN(REFUSED|RESET|ABORTED)|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|fetch failed|unable to connect|connection (error|failed)|stream disconnected|waiting for network|error sending request|socket hang up/i,
  ],
];

function kindOf({ message, status = statusIn(message) }: AgentError): Trouble | Failure {
  const found = (table: typeof BY_WORDS) => table.find(([, words]) => words.test(message))?.[0];
  return found(BY_WORDS) ?? kindOfStatus(status) ?? found(OTHERWISE_BY_WORDS) ?? "crashed";
}

function kindOfStatus(status: number): Trouble | Failure | undefined {
  if (status === 401 || status === 402 || status === 403) return "auth";
  if (status === 413) return "context-exceeded";
  if (status === 429) return "rate-limited";
  return status >= 500 && status < 600 ? "overloaded" : undefined;
}

/** `unexpected status 401 Unauthorized`, `last status: 429`, `API Error: 500 …`, `Request rejected (429)`, `{"code":429` */
const STATUS = /(?:\bstatus:?|\bAPI Error:|\brejected \(|"code":)\s*(\d{3})\b/i;

const statusIn = (message: string): number => Number(STATUS.exec(message)?.[1] ?? 0);
