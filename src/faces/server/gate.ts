import { isIP } from "node:net";
import type { Access } from "../../core/schema/api.ts";
import { Refusal } from "./refusal.ts";

/** Who may ask, and under which names the server is known. */
export interface Gate {
  isToken(given: string): boolean;
  /** Names besides those of this machine's own loopback. */
  hosts: readonly string[];
  /** Whether others than this machine reach it: then an address as such is a fitting name. */
  isOpen: boolean;
}

const OWN_NAMES = ["localhost", "127.0.0.1", "[::1]"];

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);

/** Lets a request in, or throws why not. `Host` and `Origin` come first: a page of another site never gets to guess. */
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
  // No DNS answer leads to a page whose address is a bare number.
  return isOpen && isIP(name.replace(/^\[(.*)\]$/, "$1")) !== 0;
}

/** The host of a URL without its port; null where it is none, or more than that. */
function nameOf(url: string): string | null {
  if (!URL.canParse(url)) return null;
  const { hostname, username, password, pathname, search, hash } = new URL(url);
  return username || password || search || hash || pathname !== "/" ? null : hostname;
}

/** A page is ours where it comes from the very name that it asks, or from one that was allowed. */
function isOurPage({ hosts }: Gate, origin: string, host: string): boolean {
  const name = nameOf(origin);
  return name !== null && (new URL(origin).host === new URL(`http://${host}`).host || hosts.includes(name));
}

const short = (text: string): string => JSON.stringify(text.slice(0, 100));
const ALLOW = "`ralph serve --allow-host <name>` makes a name known";

const wrongHost = (host: string): Refusal =>
  new Refusal(421, "host-refused", `this server is not known as ${short(host)}`, ALLOW);

const wrongOrigin = (origin: string): Refusal =>
  new Refusal(403, "origin-refused", `pages of ${short(origin)} may not ask this server`, ALLOW);

const IN_QUERY = ["token", "access_token"];

function requireToken(gate: Gate, authorization: string | null, query: URLSearchParams): void {
  if (IN_QUERY.some((name) => query.has(name))) {
    throw new Refusal(400, "token-in-query", "a token has no place in an address: addresses are kept in logs", HINT);
  }
  const [, given] = /^Bearer +([\w-]+) *$/i.exec(authorization ?? "") ?? [];
  if (given !== undefined && gate.isToken(given)) return;
  const what = authorization === null ? "a token is needed" : "that is not the token";
  throw new Refusal(401, "unauthorized", what, HINT, { "www-authenticate": 'Bearer realm="ralph"' });
}

const HINT = "send the header `Authorization: Bearer <token>`; `ralph serve --token` prints the token";
