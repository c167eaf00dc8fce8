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

test.each([
  [{ token: { value: "abc def" } }, { token: { value: "***" } }],
  [{ auth: { cookie: ["a", { b: "c" }] } }, { auth: { cookie: ["***", { b: "***" }] } }],
  [
    { name: "API_TOKEN", value: "abc" },
    { name: "API_TOKEN", value: "***" },
  ],
  [{ env: [["API_TOKEN", "abc"]] }, { env: [["API_TOKEN", "***"]] }],
  [{ args: ["--token", "abc", "--model", "x"] }, { args: ["--token", "***", "--model", "x"] }],
  [{ password: "my secret phrase" }, { password: "***" }],
  [{ text: '{"password":"hunter2hunter2"}' }, { text: '{"password":"***"}' }],
  [{ text: '{\\"password\\": \\"hunter2\\"}' }, { text: '{\\"password\\": \\"***\\"}' }],
  [
    { [KEY]: 1, [`${KEY}0`]: 2 },
    { "***": 1, "*** 2": 2 },
  ],
])("%j is shown as %j", async (value, shown) => {
  expect(JSON.parse(await maskedOf("application/json", JSON.stringify(value)))).toEqual(shown);
});

test.each([
  { tokens: 1234, maxTokens: "5", inputTokens: 3 },
  { loop: "ab12cd34", name: "rotate the token", title: "Token rotation" },
  { leftOut: { secrets: { files: 1, named: [".env"] } } },
  { files: ["src/token.ts", "src/cookie.ts"], command: 'deploy --token "$TOKEN"' },
  { commit: "3f786850e387550fdab836ed7e6dc881de23001b", id: "550e8400-e29b-41d4-a716-446655440000" },
])("%j is shown as it is", async (value) => {
  expect(JSON.parse(await maskedOf("application/json", JSON.stringify(value)))).toEqual(value);
});
