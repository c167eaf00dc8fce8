import type { Workspace } from "../../adapters/store/workspace.ts";
import type { Fields, Operation } from "../../core/schema/api.ts";
import type { Chat } from "../../doors/chat/contract.ts";
import type { EventHub } from "./event-hub.ts";

type AnySchema = NonNullable<Operation["body"]>;
type Read<Schema> = Schema extends { _zod: { output: infer Output } } ? Output : never;
type Told<Schema> = Schema extends { _zod: { input: infer Input } } ? Input : never;
type ReadAll<Shape extends Fields> = { -readonly [Key in keyof Shape]: Read<Shape[Key]> };

/** An answer may be part of something that is read-only. */
type Shown<Value> = Value extends readonly (infer Item)[]
  ? readonly Shown<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Shown<Value[Key]> }
    : Value;

/** A request that has been read and found in order. */
export interface RouteRequest<Params = unknown, Query = unknown, Body = unknown> {
  context: ServerContext;
  params: Params;
  query: Query;
  body: Body;
  /** The body as it came, for signatures. */
  text: string;
  headers: Headers;
}

/** An operation and what does it. It answers what its schema says, or a whole response where it streams. */
export interface Route {
  operation: Operation;
  handle(asked: RouteRequest): Promise<unknown>;
}

/** Joins an operation to what does it; the types of both have to fit. */
export const route = <P extends Fields, Q extends Fields, B extends AnySchema, A extends AnySchema>(
  operation: Operation<P, Q, B, A>,
  handle: (asked: RouteRequest<ReadAll<P>, ReadAll<Q>, Read<B>>) => Promise<Shown<Told<A>> | Response>,
): Route => ({ operation, handle: handle as Route["handle"] });

export interface ServerContext {
  /** A connection of its own: a request made through it is news for a loop that this process drives. */
  workspace: Workspace;
  chat: Chat;
  events: EventHub;
  platforms: readonly string[];
  maxParallel: number;
  startedAtMs: number;
  /** Aborted when the server stops. */
  closing: AbortSignal;
}

/** A page of a journal: at most `limit` entries, and where to continue; null: these were all so far. */
export async function journalPage<Item extends { seq: number }>(items: AsyncIterable<Item>, limit: number) {
  const entries: Item[] = [];
  for await (const item of items) {
    if (entries.length === limit) return { entries, next: entries.at(-1)?.seq ?? null };
    entries.push(item);
  }
  return { entries, next: null };
}
