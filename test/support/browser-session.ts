import { expect } from "vitest";
import { bare, type Serving } from "./serve.ts";

type Server = Pick<Serving, "url" | "token">;

/** What a browser that has logged in sends. */
export interface Browser {
  /** `name=value` of its cookie. */
  cookie: string;
  key: string;
  viewer: boolean;
  /** The whole `Set-Cookie` of its login. */
  set: string;
}

export const codeOf = (link: string): string => new URL(link).hash.slice(1);

/** A new code, as `ralph serve --open` gets it. */
export const newCode = async (server: Server, viewer = false): Promise<string> => codeOf(await newLink(server, viewer));

/** The same as a link. */
export async function newLink({ url, token }: Server, viewer = false): Promise<string> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const asked = await bare(url, "/api/login-links", { method: "POST", headers, body: JSON.stringify({ viewer }) });
  const link = JSON.parse(asked.body) as { url: string; viewer: boolean };
  expect(link).toMatchObject({
    url: expect.stringMatching(/^http:\/\/[\d.]+:\d+\/login\?[\w-]{8}#[\w-]{43}$/),
    viewer,
  });
  return link.url;
}

/** Sends a code as the page does. */
export const exchange = ({ url }: Pick<Server, "url">, code: string, headers: Record<string, string> = {}) =>
  bare(url, "/api/session", {
    method: "POST",
    headers: { "content-type": "application/json", origin: url, ...headers },
    body: JSON.stringify({ code }),
  });

export async function logIn(server: Server, viewer = false): Promise<Browser> {
  const answered = await exchange(server, await newCode(server, viewer));
  expect(answered).toMatchObject({ status: 200 });
  const [set = ""] = answered.headers["set-cookie"] ?? [];
  return { ...(JSON.parse(answered.body) as { key: string; viewer: boolean }), cookie: set.split(";")[0] ?? "", set };
}

/** Both secrets. */
export const secretsOf = ({ cookie, key }: Browser) => ({ cookie, "x-ralph-key": key });
