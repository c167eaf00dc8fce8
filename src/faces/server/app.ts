import { Hono } from "hono";
import { admit, type Gate } from "./gate.ts";
import { errorResponse, Refusal } from "./refusal.ts";
import { readRequest } from "./request.ts";
import type { Route } from "./route.ts";
import type { ServerContext } from "./server-context.ts";

/** No answer is kept by anybody, taken for something else, or shown inside another page. */
const HEADERS = {
  "x-content-type-options": "nosniff",
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
};

interface AppRequest {
  routes: readonly Route[];
  context: ServerContext;
  gate: Gate;
  log(line: string): void;
}

/** What answers requests: each is let in, read by the schemas of its operation, and done. */
export function appOf({ routes, context, gate, log }: AppRequest): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) c.res.headers.set(name, value);
  });
  for (const { operation, handle } of routes) {
    app.on(operation.method, operation.path.replace(/\{(\w+)\}/g, ":$1"), async (c) => {
      admit(gate, operation.access, c.req.raw);
      if (context.closing.aborted) throw stopping();
      const asked = await readRequest(operation, c);
      const answer = await handle({ context, headers: c.req.raw.headers, ...asked });
      const response = answer instanceof Response ? answer : Response.json(answer, { status: operation.status });
      const { method, signal } = c.req.raw;
      // Nobody will read it: what is streamed would keep its place for ever.
      if (method === "HEAD" || signal.aborted) await response.body?.cancel();
      return response;
    });
  }
  app.notFound((c) => errorResponse(nothingHere(gate, routes, c.req.raw, c.req.path), log));
  app.onError((error) => errorResponse(error, log));
  return app;
}

const stopping = (): Refusal =>
  new Refusal(503, "stopping", "the server stops", "try again once it is back", { "retry-after": "5" });

/** Whoever may not ask is not told what there is either. */
function nothingHere(gate: Gate, routes: readonly Route[], request: Request, path: string): unknown {
  try {
    admit(gate, "token", request);
  } catch (refusal) {
    return refusal;
  }
  const methods = routes.filter(({ operation }) => patternOf(operation.path).test(path));
  if (methods.length === 0)
    return new Refusal(
      404,
      "no-such-path",
      `there is nothing at ${path.slice(0, 200)}`,
      "GET /openapi.json lists what there is",
    );
  const allow = [...new Set(methods.map(({ operation }) => operation.method))].join(", ");
  return new Refusal(405, "method", `${request.method} is not for ${path.slice(0, 200)}`, `use ${allow}`, { allow });
}

const patternOf = (path: string): RegExp => new RegExp(`^${path.replace(/\./g, "\\.").replace(/\{\w+\}/g, "[^/]+")}$`);
