import { isIP } from "node:net";
import type { Access } from "../../core/schema/api.ts";
import { Refusal } from "./refusal.ts";

/** The token and the host names that the server accepts. */
export interface Gate {
  isToken(given: string): boolean;
  /** Host names besides those of the loopback. */
  hosts: readonly string[];
  /** Whether other machines can reach it: then any IP address is accepted as its name. */
  isOpen: boolean;
}

const OWN_NAMES = ["localhost", "127.0.0.1", "[::1]"];

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);

/** Throws unless a request is allowed. `Host` and `Origin` come first, so that other sites cannot try tokens. */
export function admit(gate: Gate, access: Access, { headers, url }: Pick<Request, "headers" | "url">): void {
  const host = headers.get("host") ?? "";
  if (!isOurs(gate, host)) throw wrongHost(host);
  const origin = headers.get("origin");
  if (origin !== null && !isOurPage(gate, origin, host)) throw wrongOrigin(origin);
  if (access === "token") requireToken(gate, headers.get("authorization"), new URL(url).searchParams);
}

function isOurs({ hosts, isOpen }: Gate, host: string): boolean {
  const name = nameOf(`http://${host}`);
  if (name === null) return false;
  if ([...OWN_NAMES, ...hosts].includes(name)) return true;
  // An IP address cannot be the result of DNS rebinding.
  return isOpen && isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

/** The host of a URL without its port; null if the URL is invalid or has more than a host and port. */
function nameOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { hostname, username, password, pathname, search, hash } = new URL(url);
  return username || password || search || hash || pathname !== "/" ? null : hostname;
}

/** Whether a page comes from the requested host itself, or from an allowed one. */
function isOurPage({ hosts }: Gate, origin: string, host: string): boolean {
  const name = nameOf(origin);
  return name !== null && (new URL(origin).host === new URL(`http://${host}`).host || hosts.includes(name));
}

const short = (text: string): string => JSON.stringify(text.slice(0, 100));
const ALLOW = "`ralph serve --allow-host <name>` allows a name";

const wrongHost = (host: string): Refusal =>
  new Refusal(421, "host-refused", `this server does not accept the host ${short(host)}`, ALLOW);

const wrongOrigin = (origin: string): Refusal =>
  new Refusal(403, "origin-refused", `pages of ${short(origin)} may not use this server`, ALLOW);

const IN_QUERY = ["token", "access_token"];

function requireToken(gate: Gate, authorization: string | null, query: URLSearchParams): void {
  if (IN_QUERY.some((name) => query.has(name))) {
    throw new Refusal(400, "token-in-query", "a token must not be in a URL, because URLs are logged", HINT);
  }
  const [, given] = /^Bearer +([\w-]+) *$/i.exec(authorization ?? "") ?? [];
  if (given !== undefined && gate.isToken(given)) return;
  const what = authorization === null ? "a token is required" : "the token is wrong";
  throw new Refusal(401, "unauthorized", what, HINT, { "www-authenticate": 'Bearer realm="ralph"' });
}

const HINT = "send the header `Authorization: Bearer <token>`; `ralph serve --token` prints the token";
