import { signal } from "@preact/signals";
import type { startSession } from "../../core/schema/api-session.ts";
import type { AnswerOf } from "./answer-of.ts";

/** Why a request failed, in the server's words. */
export interface Failure {
  ok: false;
  status: number;
  code: string;
  message: string;
  hint: string;
}
export type Answer<Value> = { ok: true; value: Value } | Failure;

const KEY = "ralph-key";
const VIEWER = "ralph-viewer";
const REPOSITORY = "ralph-repository";

/** Whether this browser may read; `expired`: a new link is needed. */
export const access = signal<"open" | "expired">("open");
/** Whether this session is read-only. */
export const viewer = signal(kept(VIEWER) === "true");
/** The name of the repository that the server serves. */
export const repository = signal(kept(REPOSITORY));

function kept(name: string): string {
  return typeof localStorage === "undefined" ? "" : (localStorage.getItem(name) ?? "");
}

export const sessionKey = (): string => kept(KEY);

export type Session = AnswerOf<typeof startSession>;

export function keepSession(session: Session): void {
  // The key last: other tabs read the rest when it changes.
  localStorage.setItem(VIEWER, String(session.viewer));
  localStorage.setItem(REPOSITORY, session.repository);
  localStorage.setItem(KEY, session.key);
  viewer.value = session.viewer;
  repository.value = session.repository;
  access.value = "open";
}

export function forgetSession(): void {
  localStorage.removeItem(KEY);
  localStorage.removeItem(VIEWER);
  localStorage.removeItem(REPOSITORY);
  access.value = "expired";
}

/** Follows what other tabs do: a new session is this tab's too, and so is its end. */
export function shareSession(): void {
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key !== KEY) return;
    viewer.value = kept(VIEWER) === "true";
    repository.value = kept(REPOSITORY);
    access.value = newValue ? "open" : "expired";
  });
}

/** Ends the session here and on the server. */
export async function signOut(): Promise<void> {
  await post("/api/session/end");
  forgetSession();
}

interface Asked {
  method?: "GET" | "POST";
  body?: unknown;
  signal?: AbortSignal;
}

type Sent<Body> = { ok: true; status: number; body: Body } | Failure;

/**
 * Sends a request with the key of the session, and reads the body of a success. A refusal and a connection that is lost
 * at any time are values.
 */
async function send<Body>(
  path: string,
  asked: Asked,
  read: (response: Response) => Body | Promise<Body>,
): Promise<Sent<Body>> {
  const { method = "GET", body, signal: quit } = asked;
  const headers: Record<string, string> = { "X-Ralph-Key": sessionKey() };
  if (method === "POST") headers["Content-Type"] = "application/json";
  try {
    const response = await fetch(path, {
      method,
      headers,
      credentials: "same-origin",
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(quit ? { signal: quit } : {}),
    });
    const { ok, status } = response;
    if (ok) return { ok, status, body: await read(response) };
    if (status === 401) access.value = "expired";
    return refused(status, await response.text());
  } catch (error) {
    return unreachable(error);
  }
}

function unreachable(error: unknown): Failure {
  const message = error instanceof Error ? error.message : String(error);
  return { ok: false, status: 0, code: "unreachable", message, hint: "is `ralph serve` running?" };
}

/** The body of a success as it arrives: reading it throws if the connection is lost. */
export const getStream = (path: string, quit: AbortSignal) => send(path, { signal: quit }, ({ body }) => body);

/** What the body of a refusal says. */
export function refused(status: number, text: string): Failure {
  const error = errorIn(text);
  const said = (key: string) => (typeof error[key] === "string" ? error[key] : "");
  return {
    ok: false,
    status,
    code: said("code") || "error",
    message: said("message") || `the server answered with status ${status}`,
    hint: said("hint"),
  };
}

function errorIn(text: string): Record<string, unknown> {
  const body = json(text);
  const error = isObject(body) ? body.error : null;
  return isObject(error) ? error : {};
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

async function answerOf<Value>(path: string, asked: Asked): Promise<Answer<Value>> {
  const sent = await send(path, asked, (response) => response.text());
  if (!sent.ok) return sent;
  const value = json(sent.body);
  // The server and this page come from one build, so that its answers have the types of core.
  if (value !== null || sent.body === "" || sent.body === "null") return { ok: true, value: value as Value };
  return refused(sent.status, "");
}

export const get = <Value>(path: string, quit?: AbortSignal): Promise<Answer<Value>> =>
  answerOf(path, quit ? { signal: quit } : {});

export const post = <Value>(path: string, body: unknown = {}): Promise<Answer<Value>> =>
  answerOf(path, { method: "POST", body });
