import type { ServerContext } from "./route.ts";

/** Whether a browser asks for the script of a service worker. The dashboard has none. */
export const isForWorker = (headers: Headers): boolean => headers.get("service-worker") === "script";

/**
 * Removes the service worker of another program, which had this port before: it answers for the address, in place of
 * the server. Browsers ask for its script again at every visit.
 */
const FAREWELL = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil((async () => {
  await self.registration.unregister();
  for (const page of await self.clients.matchAll({ type: "window" })) page.navigate(page.url);
})()));
`;

const WARNING =
  "removed a service worker that another program had registered for this address; it could have read the dashboard's traffic, so all browsers were signed out. If you do not know it, stop this server and choose another --port";

/** Any program can ask for such a script: signing everyone out again and again would keep the user out. */
const MOST = 3;

/**
 * Answers with a script that removes the worker, whatever its address is. The worker may have read a link, so all
 * sessions and links end. `admitted` throws if the request is not for this server.
 */
export function openFarewell({ sessions, log }: Pick<ServerContext, "sessions" | "log">) {
  let seen = 0;
  return (admitted: () => void): Response => {
    admitted();
    if (seen === 0) log(WARNING);
    if (seen++ < MOST) sessions.clear();
    return new Response(FAREWELL, {
      headers: { "content-type": "text/javascript; charset=utf-8", "service-worker-allowed": "/" },
    });
  };
}
