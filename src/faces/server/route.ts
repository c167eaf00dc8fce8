import type { Fields, Operation } from "../../core/schema/api.ts";
import type { Workspace } from "../../core/workspace.ts";
import type { Chat } from "../../doors/chat/contract.ts";
import type { Caller } from "../../runtime/person.ts";
import type { EventHub } from "./event-hub.ts";
import type { Asker } from "./gate.ts";
import type { LiveView } from "./live-view.ts";
import type { Sessions } from "./sessions.ts";
import type { Starter } from "./started.ts";
import type { StatsOf } from "./stats-cache.ts";

type AnySchema = NonNullable<Operation["body"]>;
type Read<Schema> = Schema extends { _zod: { output: infer Output } } ? Output : never;
type Told<Schema> = Schema extends { _zod: { input: infer Input } } ? Input : never;
type ReadAll<Shape extends Fields> = { -readonly [Key in keyof Shape]: Read<Shape[Key]> };

/** Answers may be read-only. */
type Shown<Value> = Value extends readonly (infer Item)[]
  ? readonly Shown<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Shown<Value[Key]> }
    : Value;

/** A validated request. */
export interface RouteRequest<Params = unknown, Query = unknown, Body = unknown> {
  context: ServerContext;
  params: Params;
  query: Query;
  body: Body;
  /** The raw body, for signatures. */
  text: string;
  headers: Headers;
  /** Aborted when the client disconnects. */
  gone: AbortSignal;
  /** The process that sends it, if it is one of this machine that can be seen. */
  caller(): Caller | undefined;
  asker: Asker;
  /** Ends the connection at once. */
  cut(): void;
}

/** An operation and its handler, which returns what the schema defines, or a `Response` for a stream. */
export interface Route {
  operation: Operation;
  handle(asked: RouteRequest): Promise<unknown>;
}

/** Combines an operation with a handler of matching types. */
export const route = <P extends Fields, Q extends Fields, B extends AnySchema, A extends AnySchema>(
  operation: Operation<P, Q, B, A>,
  handle: (asked: RouteRequest<ReadAll<P>, ReadAll<Q>, Read<B>>) => Promise<Shown<Told<A>> | Response>,
): Route => ({ operation, handle: handle as Route["handle"] });

export interface ServerContext {
  /** A separate connection, so that requests through it reach loops that this process drives. */
  workspace: Workspace;
  chat: Chat;
  events: EventHub;
  live: LiveView;
  starter: Starter;
  stats: StatsOf;
  platforms: readonly string[];
  maxParallel: number;
  startedAtMs: number;
  sessions: Sessions;
  /** The name of a session's cookie. */
  cookie: string;
  loginLink(viewer: boolean): LoginLink;
  /** One line for the operator of the server. */
  log(line: string): void;
  /** Aborted when the server stops, and, for a stream, when the client that reads it is signed out. */
  closing: AbortSignal;
}

/** Who requests what a request changes, in journals and lists. */
export const BY_HTTP = "the HTTP interface";

/** A link that signs one browser in, once. */
export interface LoginLink {
  url: string;
  viewer: boolean;
  expiresAt: string;
}

/** A page of a journal: at most `limit` entries, and where to continue; null if there are no more. */
export async function journalPage<Item extends { seq: number }>(items: AsyncIterable<Item>, limit: number) {
  const entries: Item[] = [];
  for await (const item of items) {
    if (entries.length === limit) return { entries, next: entries.at(-1)?.seq ?? null };
    entries.push(item);
  }
  return { entries, next: null };
}
