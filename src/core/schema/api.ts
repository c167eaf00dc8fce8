import * as z from "zod";
import { expected, strict } from "./messages.ts";

/** Named schemas of the OpenAPI document. */
const named = z.registry<{ id: string; description: string }>();

/** Gives a schema its name in the OpenAPI document. */
export function component<Schema extends z.ZodType>(id: string, description: string, schema: Schema): Schema {
  named.add(schema, { id, description });
  return schema;
}

/** Journalled data, documented more loosely than its type: readers go by `type`, and keys may be added. */
export const loosely = <Shown>(what: string): z.ZodType<Shown> =>
  z.looseObject({}).describe(what) as unknown as z.ZodType<Shown>;

/** Like `loosely`, for an event. */
export const fact = <Event extends { type: string }>(what: string): z.ZodType<Event> =>
  z.looseObject({ type: z.string() }).describe(what) as unknown as z.ZodType<Event>;

export type Fields = Readonly<Record<string, z.ZodType>>;

/** The header with a platform's own signature, which its handler checks. */
interface SignedAccess {
  header: string;
  description: string;
}

/**
 * Who may use an operation: everyone (`open`); a page of the server itself (`login`); everyone who is signed in, and the
 * token (`view`); the same without viewers, because it changes something (`act`) or shows bytes in which secrets cannot be
 * masked (`raw`); the token only (`token`); or a platform by its signature.
 */
export type Access = "open" | "login" | "view" | "raw" | "act" | "token" | SignedAccess;

/**
 * What an agent of this machine may do with an operation: what changes something is refused, except that tasks that it
 * creates are proposed, which the handler sees to. A platform signs its requests, and looking is allowed.
 */
type AgentAccess = "allowed" | "proposes" | "refused";

/** One operation of the HTTP API: requests are parsed with it, and the OpenAPI document is generated from it. */
export interface Operation<
  Params extends Fields = Fields,
  Query extends Fields = Fields,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  id: string;
  method: "GET" | "POST";
  /** With its parameters in braces. */
  path: string;
  tag: string;
  summary: string;
  access: Access;
  agents: AgentAccess;
  params: Params;
  query: Query;
  /** Null if the request has no body. */
  body: Body | null;
  status: 200 | 202;
  /** A schema that is a component, or the media type of a stream. */
  answer: Answer | StreamAnswer;
}

interface StreamAnswer {
  media: "text/event-stream" | "application/x-ndjson" | "application/json";
  description: string;
}

interface Declared<Params, Query, Body, Answer> {
  id: string;
  method?: "GET" | "POST";
  path: string;
  tag: string;
  summary: string;
  access?: Access;
  agents?: "proposes";
  params?: Params;
  query?: Query;
  body?: Body;
  status?: 200 | 202;
  answer: Answer;
}

/** Declares an operation. Defaults: GET, no parameters, status 200; viewers and agents may look, and change nothing. */
export function operation<
  Answer extends z.ZodType,
  Params extends Fields = Record<never, never>,
  Query extends Fields = Record<never, never>,
  Body extends z.ZodType = z.ZodType<null>,
>(declared: Declared<Params, Query, Body, Answer | StreamAnswer>): Operation<Params, Query, Body, Answer> {
  const { method = "GET", params, query, body = null, ...rest } = declared;
  const access = rest.access ?? (method === "POST" ? "act" : "view");
  const changes = method === "POST" && typeof access !== "object";
  return {
    ...{ status: 200, agents: changes ? "refused" : "allowed" },
    ...rest,
    ...{ method, access },
    params: params ?? ({} as Params),
    query: query ?? ({} as Query),
    body,
  };
}

/** A schema of these fields without unknown keys. */
export const fieldsOf = (fields: Fields, what: string) => strict({ ...fields }, what);

/** Every named schema as JSON Schema, by its name. */
export function componentSchemas(): Record<string, unknown> {
  const { schemas } = z.toJSONSchema(named, { uri: (id) => refTo(id), io: "input", unrepresentable: "any" });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, { ...schema }]),
  );
}

const refTo = (id: string): string => `#/components/schemas/${id}`;

/** The reference to a schema in the document; null if it has no name. */
export function nameOf(schema: z.ZodType): { $ref: string } | null {
  const known = named.get(schema);
  return known ? { $ref: refTo(known.id) } : null;
}

/** One field of a request as JSON Schema, after parsing. */
export function fieldSchema(field: z.ZodType): { schema: unknown; required: boolean; description: string } {
  const { $schema: _, description, ...schema } = z.toJSONSchema(field, { io: "output" });
  return { schema, required: !field.safeParse(undefined).success, description: description ?? "" };
}

const digits = (most: number, what: string) =>
  z.string(expected(what)).regex(new RegExp(`^\\d{1,${most}}$`), expected(what));

/** A whole number in a query. */
export function wholeIn(least: number, most: number) {
  const what = `a whole number from ${least} to ${most}`;
  return digits(16, what)
    .transform(Number)
    .pipe(z.int(expected(what)).min(least, expected(what)).max(most, expected(what)));
}

/** The maximum size of a page. */
export const limitOf = (byDefault: number, most: number) =>
  wholeIn(1, most).default(byDefault).describe(`the maximum number of results (default ${byDefault}, at most ${most})`);

/** Yes or no in a query. */
export const yesNo = z
  .enum(["true", "false"], expected("true or false"))
  .transform((word) => word === "true")
  .pipe(z.boolean());

/** The body of every error response. */
export const errorAnswer = component(
  "Error",
  "Why a request was refused, and how to fix it.",
  z.object({
    error: z.object({
      code: z.string().describe("an error code for programs"),
      message: z.string().describe("what is wrong, in words"),
      hint: z.string().nullable().describe("how to fix it"),
    }),
  }),
);
