import { type Context, Hono } from "hono";
import { type Peer, type PeerProcess, processAt } from "../../adapters/io/peer.ts";
import { type Fields, fieldsOf, type Operation } from "../../core/schema/api.ts";
import { faultsOf } from "../../core/schema/faults.ts";
import { jsonLine } from "../../core/terminal-text.ts";
import { type Caller, processCaller, refuseAgents } from "../../runtime/person.ts";
import { isForWorker, openFarewell } from "./foreign-worker.ts";
import { type Asker, admit, type Gate, isViewer } from "./gate.ts";
import type { Connection } from "./listen.ts";
import type { Page } from "./page.ts";
import { badRequest, errorResponse, Refusal } from "./refusal.ts";
import type { Route, RouteRequest, ServerContext } from "./route.ts";
import { forViewers } from "./viewer-answer.ts";

/** Responses are not cached, not sniffed for another type, and not shown in frames, unless the page says otherwise. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=(), display-capture=()",
};

interface AppRequest {
  routes: readonly Route[];
  context: ServerContext;
  gate: Gate;
  page: Page;
}

/** Handles requests: each is authorized, validated by the schemas of its operation, and answered. */
export function appOf({ routes, context, gate, page }: AppRequest): Hono<Connected> {
  const { log } = context;
  const app = new Hono<Connected>();
  const onWorker = openFarewell(context);
  app.use(async (c, next) => {
    const farewell = isForWorker(c.req.raw.headers) ? onWorker(() => admit(gate, "open", c.req.raw)) : null;
    if (farewell) c.res = farewell;
    else await next();
    // The only way out, also for errors, which may quote what they are about.
    const asker = c.get("asker");
    if (asker && isViewer(asker)) c.res = await forViewers(c.res);
    for (const [name, value] of Object.entries(HEADERS)) if (!c.res.headers.has(name)) c.res.headers.set(name, value);
  });
  for (const { operation, handle } of routes) {
    app.on(operation.method, operation.path.replace(/\{(\w+)\}/g, ":$1"), async (c) => {
      const asker = admit(gate, operation.access, c.req.raw);
      c.set("asker", asker);
      if (context.closing.aborted) throw stopping();
      const caller = () => callerOf(asker, c.env.peer);
      checkAgents(operation, context, caller);
      const asked = await readRequest(operation, c);
      const answer = await handle({
        ...{ context: contextFor(asker, operation, context), headers: c.req.raw.headers, asker },
        gone: c.req.raw.signal,
        ...asked,
        caller,
        cut: c.env.cut,
      });
      const response = answer instanceof Response ? answer : jsonResponse(answer, operation.status);
      const { method, signal } = c.req.raw;
      // The body is not read: a stream would never free its slot.
      if (method === "HEAD" || signal.aborted) await response.body?.cancel();
      return response;
    });
  }
  app.notFound((c) => {
    if (!page.isItsPath(c.req.path)) {
      // A request without the token does not learn which paths exist.
      c.set("asker", admit(gate, "view", c.req.raw));
      return errorResponse(nothingHere(routes, c.req.raw, c.req.path), log);
    }
    admit(gate, "open", c.req.raw);
    return page.answer(c.req.raw, c.req.path);
  });
  app.onError((error) => errorResponse(error, log));
  return app;
}

function checkAgents(
  { agents, method, path }: Operation,
  { workspace }: ServerContext,
  caller: RouteRequest["caller"],
) {
  if (agents === "refused") refuseAgents(workspace, `${method} ${path}`, caller());
}

/** Programs print it on a terminal as it is. */
const jsonResponse = (answer: unknown, status: number): Response =>
  new Response(jsonLine(answer), { status, headers: { "content-type": "application/json" } });

/** The connection of a request, and who sends it, once they are admitted. */
interface Connected {
  Bindings: Connection;
  Variables: { asker?: Asker };
}

/**
 * The process that sends a request, if it is one of this machine. It may be an agent that has read the token, or the
 * secrets of a session: one that has left is refused. A browser may have been started in any folder.
 */
function callerOf({ is }: Asker, peer: Peer | null): Caller | undefined {
  const found: PeerProcess = peer ? processAt(peer) : { is: "gone" };
  if (found.is === "gone") throw gone();
  if (found.is === "process") {
    const caller = processCaller(found.pid);
    return is === "program" ? caller : { ...caller, cwd: null };
  }
  // An agent's process keeps its mark, even if it lets nothing else be seen.
  return found.is === "sealed" ? anyOf(found.pids.map(processCaller)) : undefined;
}

const anyOf = (callers: readonly Caller[]): Caller => ({
  ...{ env: {}, cwd: null, ancestors: () => [] },
  isMarked: (stateRoot) => callers.some((caller) => caller.isMarked(stateRoot)),
});

const gone = (): Refusal =>
  new Refusal(
    403,
    "caller-gone",
    "the client could not be identified: it has closed the connection, or is outside of this container",
    "keep the connection open until the response arrives; in a container, publish the port instead of sharing the network",
  );

/** For a stream: it ends when its reader is signed out, and neither a browser nor programs can take all of them. */
function contextFor(asker: Asker, { answer }: Operation, context: ServerContext): ServerContext {
  if (asker.is === "anyone" || !("media" in answer)) return context;
  const { ended } = asker.is === "browser" ? asker.session : asker;
  const closing = AbortSignal.any([context.closing, ended]);
  const owner = asker.is === "program" ? "programs" : asker.session.viewer ? "viewers" : asker.session;
  const events = { ...context.events, enter: () => context.events.enter(owner) };
  return { ...context, closing, events };
}

const stopping = (): Refusal =>
  new Refusal(503, "stopping", "the server is stopping", "try again once it is back", { "retry-after": "5" });

function nothingHere(routes: readonly Route[], request: Request, path: string): Refusal {
  const methods = routes.filter(({ operation }) => patternOf(operation.path).test(path));
  if (methods.length === 0)
    return new Refusal(
      404,
      "no-such-path",
      `there is nothing at ${path.slice(0, 200)}`,
      "GET /openapi.json lists the operations",
    );
  const allow = [...new Set(methods.map(({ operation }) => operation.method))].join(", ");
  const what = `${request.method} is not allowed for ${path.slice(0, 200)}`;
  return new Refusal(405, "method", what, `use ${allow}`, { allow });
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\./g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);

/** More than any message or signed event needs. */
const MOST_BYTES = 1_048_576;
/** A code is far shorter, and anyone may send one. */
const MOST_LOGIN_BYTES = 4_096;

interface ReadRequest {
  params: unknown;
  query: unknown;
  body: unknown;
  text: string;
}

async function readRequest({ params, query, body, access }: Operation, c: Context<Connected>): Promise<ReadRequest> {
  const read = { params: checked(params, c.req.param(), "the path"), query: checked(query, onlyOnce(c), "the query") };
  if (!body && typeof access !== "object") return { ...read, body: null, text: "" };
  const text = await textOf(c.req.raw, access === "login" ? MOST_LOGIN_BYTES : MOST_BYTES);
  return { ...read, text, body: body ? readBody(body, text, c.req.header("content-type") ?? "") : null };
}

function checked(fields: Fields, given: unknown, what: string): unknown {
  const result = fieldsOf(fields, what).safeParse(given);
  if (result.success) return result.data;
  throw badRequest(what, faultsOf(result.error));
}

/** A repeated key would be ambiguous. */
function onlyOnce(c: Context<Connected>): Record<string, string> {
  const queries = Object.entries(c.req.queries());
  const twice = queries.find(([, values]) => values.length > 1);
  if (twice) throw badRequest("the query", [{ text: `${twice[0]} is given twice` }]);
  return Object.fromEntries(queries.map(([key, [value = ""]]) => [key, value]));
}

function readBody(schema: NonNullable<Operation["body"]>, text: string, type: string): unknown {
  // Browsers send other types across sites without a preflight request.
  if (!/^application\/json\b/i.test(type)) {
    throw new Refusal(415, "not-json", "the body must be JSON", "send the header `Content-Type: application/json`");
  }
  const result = schema.safeParse(parsed(text));
  if (result.success) return result.data;
  throw badRequest("the body", faultsOf(result.error));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message.slice(0, 200) : "";
    throw new Refusal(400, "malformed-json", `the body is not JSON: ${why}`, "check its quotes and brackets");
  }
}

/** The body as text. Reading stops as soon as it is too long, by its header or its content. */
async function textOf(request: Request, most: number): Promise<string> {
  if (Number(request.headers.get("content-length") ?? 0) > most) throw tooLarge(most);
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size > most) throw tooLarge(most);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(400, "cut-short", "the body was cut off", "send it again");
  }
  return Buffer.concat(chunks).toString("utf8");
}

const tooLarge = (most: number): Refusal =>
  new Refusal(413, "too-large", `the body is larger than ${most} bytes`, "send less", { connection: "close" });
