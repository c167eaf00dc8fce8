import type { Fields, Operation } from "../../core/schema/api.ts";
import type { ServerContext } from "./server-context.ts";

type AnySchema = NonNullable<Operation["body"]>;
type Read<Schema> = Schema extends { _zod: { output: infer Output } } ? Output : never;
type Told<Schema> = Schema extends { _zod: { input: infer Input } } ? Input : never;
type ReadAll<Shape extends Fields> = { -readonly [Key in keyof Shape]: Read<Shape[Key]> };

/** What is told may be part of something that nobody is to change. */
type Shown<Value> = Value extends readonly (infer Item)[]
  ? readonly Shown<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Shown<Value[Key]> }
    : Value;

/** A request that has been read and found in order. */
interface Asked<Params = unknown, Query = unknown, Body = unknown> {
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
  handle(asked: Asked): Promise<unknown>;
}

/** Joins an operation to what does it; the types of both have to fit. */
export const route = <P extends Fields, Q extends Fields, B extends AnySchema, A extends AnySchema>(
  operation: Operation<P, Q, B, A>,
  handle: (asked: Asked<ReadAll<P>, ReadAll<Q>, Read<B>>) => Promise<Shown<Told<A>> | Response>,
): Route => ({ operation, handle: handle as Route["handle"] });
