import { showOpenApi } from "../../core/schema/api-rest.ts";
import { openApiOf } from "./openapi.ts";
import { type Route, route } from "./route.ts";
import { conversationRoutes, platformRoutes } from "./routes/conversations.ts";
import { executionRoutes } from "./routes/executions.ts";
import { loopRoutes } from "./routes/loops.ts";
import { receiptRoutes } from "./routes/receipts.ts";
import { restRoutes } from "./routes/rest.ts";
import { runRoutes } from "./routes/runs.ts";
import { sessionRoutes } from "./routes/session.ts";
import { taskRoutes } from "./routes/tasks.ts";
import { viewRoutes } from "./routes/view.ts";

/** Made once: everyone may ask for it, as often as they like. */
let document: string | null = null;

/** Every operation of the HTTP interface. The OpenAPI document, validation and the guide are derived from it. */
export const ROUTES: readonly Route[] = [
  ...platformRoutes(),
  ...conversationRoutes,
  ...loopRoutes,
  ...taskRoutes,
  ...executionRoutes,
  ...runRoutes,
  ...receiptRoutes,
  ...viewRoutes,
  ...restRoutes,
  ...sessionRoutes,
  route(showOpenApi, async () => {
    document ??= JSON.stringify(openApiOf(ROUTES.map(({ operation }) => operation)));
    return new Response(document, { headers: { "content-type": "application/json" } });
  }),
];
