import { expect, test } from "vitest";
import { webhook } from "../../../test/support/webhook.ts";
import { postJson } from "./post.ts";

const post = (url: string, more: { timeoutMs?: number; quit?: AbortSignal } = {}) =>
  postJson({ url, json: { text: "hi" }, timeoutMs: 30_000, quit: new AbortController().signal, ...more });

test.each([
  [200, { is: "taken" }],
  [204, { is: "taken" }],
  [400, { is: "failed", why: "HTTP 400", again: false }],
  [429, { is: "failed", why: "HTTP 429", again: true }],
  [500, { is: "failed", why: "HTTP 500", again: true }],
])("an answer of %i", async (status, posted) => {
  const { url, received } = await webhook(() => status);
  expect(await post(url)).toEqual(posted);
  expect(received).toEqual([{ text: "hi" }]);
});

test("a redirect is not followed, even on the same host", async () => {
  const { url, requests } = await webhook((_n, response) => {
    response.writeHead(302, { location: "/elsewhere" }).end();
    return undefined;
  });
  expect(await post(url)).toMatchObject({
    is: "failed",
    why: expect.stringMatching(/^HTTP 302, a redirect/),
    again: false,
  });
  expect(requests).toHaveLength(1);
});

test("a timeout may be retried; an aborted request is not", async () => {
  const { url } = await webhook(() => undefined);
  expect(await post(url, { timeoutMs: 100 })).toEqual({ is: "failed", why: "no answer within 0.1s", again: true });
  const quit = new AbortController();
  const posted = post(url, { quit: quit.signal });
  quit.abort();
  expect(await posted).toEqual({ is: "failed", why: "aborted", again: false });
});

test.each([
  ["nothing listens", "http://127.0.0.1:1/SECRET"],
  // A name that needs no DNS lookup, whose duration depends on the network.
  ["the host is unknown", "http://ralph..invalid/SECRET"],
  ["there is a password", "http://ada:SECRET@127.0.0.1:1/"],
  ["the escapes are wrong", "http://a%zz:SECRET@127.0.0.1:1/"],
])("if %s the secret is not repeated", async (_name, url) => {
  const posted = await post(url);
  expect(posted).toMatchObject({ is: "failed", why: expect.stringMatching(/^not reached/), again: true });
  expect(JSON.stringify(posted)).not.toContain("SECRET");
});
