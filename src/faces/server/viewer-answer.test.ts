import { expect, test } from "vitest";
import { forViewers } from "./viewer-answer.ts";

const KEY = "ghp_0123456789abcdef";

const maskedOf = async (type: string, text: string): Promise<string> =>
  (await forViewers(new Response(text, { headers: { "content-type": type } }))).text();

test.each([
  ["application/json", `{"a":["${KEY}"],"n":1}`, '{"a":["***"],"n":1}'],
  ["application/json", `not JSON: ${KEY}`, "not JSON: ***"],
  ["text/plain", `${KEY}`, "***"],
  ["application/x-ndjson; charset=utf-8", `{"a":"${KEY}"}\n{"b":"c"}\n`, '{"a":"***"}\n{"b":"c"}\n'],
  ["text/event-stream", `id: 1\ndata: {"a":"${KEY}"}\n\n`, 'id: 1\ndata: {"a":"***"}\n\n'],
])("as %s, %s is masked", async (type, text, shown) => {
  expect(await maskedOf(type, text)).toBe(shown);
});

test("an answer keeps its status and headers", async () => {
  const refused = Response.json({ error: KEY }, { status: 422, headers: { "retry-after": "5" } });
  const shown = await forViewers(refused);
  expect([shown.status, shown.headers.get("retry-after"), await shown.text()]).toEqual([422, "5", '{"error":"***"}']);
  expect((await forViewers(new Response(null, { status: 304 }))).status).toBe(304);
});
