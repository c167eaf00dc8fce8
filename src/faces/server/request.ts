import type { Context } from "hono";
import { type Fields, fieldsOf, type Operation } from "../../core/schema/api.ts";
import { type Fault, faultsOf } from "../../core/schema/faults.ts";
import { Refusal } from "./refusal.ts";

/** More than any message or signed event needs. */
const MOST_BYTES = 1_048_576;

/** What a request says, checked by the schemas of its operation. */
interface ReadRequest {
  params: unknown;
  query: unknown;
  body: unknown;
  text: string;
}

/** Reads a request, or throws what is wrong with it. */
export async function readRequest({ params, query, body, access }: Operation, c: Context): Promise<ReadRequest> {
  const read = { params: checked(params, c.req.param(), "the path"), query: checked(query, onlyOnce(c), "the query") };
  if (!body && (access === "token" || access === "open")) return { ...read, body: null, text: "" };
  const text = await textOf(c.req.raw);
  return { ...read, text, body: body ? readBody(body, text, c.req.header("content-type") ?? "") : null };
}

function checked(fields: Fields, given: unknown, what: string): unknown {
  const result = fieldsOf(fields, what).safeParse(given);
  if (result.success) return result.data;
  throw invalid(what, faultsOf(result.error));
}

const invalid = (what: string, faults: readonly Fault[]): Refusal =>
  new Refusal(
    400,
    "bad-request",
    `${what}: ${faults.map(({ text }) => text).join("; ")}`,
    "GET /openapi.json tells what is expected",
  );

/** A key that is there twice could mean either. */
function onlyOnce(c: Context): Record<string, string> {
  const queries = Object.entries(c.req.queries());
  const twice = queries.find(([, values]) => values.length > 1);
  if (twice) throw invalid("the query", [{ path: [twice[0]], at: "key", text: `${twice[0]} is there twice` }]);
  return Object.fromEntries(queries.map(([key, [value = ""]]) => [key, value]));
}

function readBody(schema: NonNullable<Operation["body"]>, text: string, type: string): unknown {
  // A form of another site could send anything else without asking first.
  if (!/^application\/json\b/i.test(type)) {
    throw new Refusal(415, "not-json", "the body has to be JSON", "send the header `Content-Type: application/json`");
  }
  const result = schema.safeParse(parsed(text));
  if (result.success) return result.data;
  throw invalid("the body", faultsOf(result.error));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new Refusal(400, "malformed-json", `the body is not JSON: ${why}`, "check its quotes and brackets");
  }
}

/** The body as text. What says that it is too long is not read; what turns out to be is read no further. */
async function textOf(request: Request): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > MOST_BYTES) throw tooLarge();
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size > MOST_BYTES) throw tooLarge();
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, "cut-short", "the body came to no end", "send it once more");
  }
  return Buffer.concat(chunks).toString("utf8");
}

const tooLarge = (): Refusal =>
  new Refusal(413, "too-large", `the body is larger than ${MOST_BYTES} bytes`, "send less", { connection: "close" });
