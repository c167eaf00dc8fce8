import * as z from "zod";
import { expected, strict } from "./messages.ts";

/** Schemas that the OpenAPI document knows by name. */
const named = z.registry<{ id: string; description: string }>();

/** Gives a schema its name in the OpenAPI document. */
export function component<Schema extends z.ZodType>(id: string, description: string, schema: Schema): Schema {
  named.add(schema, { id, description });
  return schema;
}

/** What our own journals hold, told more loosely than its type: readers look at `type`, and keys may be added. */
export const loosely = <Shown>(what: string): z.ZodType<Shown> =>
  z.looseObject({}).describe(what) as unknown as z.ZodType<Shown>;

/** The same for a fact of a journal. */
export const fact = <Event extends { type: string }>(what: string): z.ZodType<Event> =>
  z.looseObject({ type: z.string() }).describe(what) as unknown as z.ZodType<Event>;

export type Fields = Readonly<Record<string, z.ZodType>>;

/** The header with a platform's own signature, which its handler checks. */
interface SignedAccess {
  header: string;
  description: string;
}

/** How a request is authorized. */
export type Access = "token" | "open" | SignedAccess;

/** One operation of the HTTP interface: requests are read by it, and the OpenAPI document is made from it. */
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
  params: Params;
  query: Query;
  /** Null: nothing is read. */
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
  params?: Params;
  query?: Query;
  body?: Body;
  status?: 200 | 202;
  answer: Answer;
}

/** Declares an operation; what is left out is a GET with the token, without parameters, answered by 200. */
export function operation<
  Answer extends z.ZodType,
  Params extends Fields = Record<never, never>,
  Query extends Fields = Record<never, never>,
  Body extends z.ZodType = z.ZodType<null>,
>(declared: Declared<Params, Query, Body, Answer | StreamAnswer>): Operation<Params, Query, Body, Answer> {
  const { params, query, body = null, ...rest } = declared;
  return {
    ...{ method: "GET", access: "token", status: 200 },
    ...rest,
    params: params ?? ({} as Params),
    query: query ?? ({} as Query),
    body,
  };
}

/** A schema of several fields, none of which is unknown. */
export const fieldsOf = (fields: Fields, what: string) => strict({ ...fields }, what);

/** Every named schema as JSON Schema, by its name. */
export function componentSchemas(): Record<string, unknown> {
  const { schemas } = z.toJSONSchema(named, { uri: (id) => refTo(id), io: "input", unrepresentable: "any" });
  return Object.fromEntries(
    Object.entries(schemas).map(([id, { $schema: _, $id: __, ...schema }]) => [id, { ...schema }]),
  );
}

const refTo = (id: string): string => `#/components/schemas/${id}`;

/** How the document names a schema; null for one that has no name. */
export function nameOf(schema: z.ZodType): { $ref: string } | null {
  const known = named.get(schema);
  return known ? { $ref: refTo(known.id) } : null;
}

/** One field of a request as JSON Schema, as it is after reading. */
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

/** A page of something that is longer. */
export const limitOf = (byDefault: number, most: number) =>
  wholeIn(1, most).default(byDefault).describe(`at most so many (default ${byDefault}, at most ${most})`);

/** Yes or no in a query. */
export const yesNo = z
  .enum(["true", "false"], expected("true or false"))
  .transform((word) => word === "true")
  .pipe(z.boolean());

/** What every refusal looks like. */
export const errorAnswer = component(
  "Error",
  "Why a request was refused, and how to mend it.",
  z.object({
    error: z.object({
      code: z.string().describe("a word to look for in programs"),
      message: z.string().describe("what is wrong, for people"),
      hint: z.string().nullable().describe("how to mend it"),
    }),
  }),
);
