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

export const farewell = (): Response =>
  new Response(FAREWELL, { headers: { "content-type": "text/javascript; charset=utf-8" } });
