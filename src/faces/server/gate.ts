import { isIP } from "node:net";
import type { Access } from "../../core/schema/api.ts";
import { Refusal } from "./refusal.ts";
import type { Session, Sessions } from "./sessions.ts";

/** What the server accepts: the token, sessions, and names of itself. */
export interface Gate {
  isToken(given: string): boolean;
  sessions: Sessions;
  /** The name of a session's cookie. */
  cookie: string;
  /** Host names besides those of the loopback. */
  hosts: readonly string[];
  /** Whether other machines can reach it: then any IP address is accepted as its name. */
  isOpen: boolean;
}

/** Who sends a request. */
export type Asker = { is: "anyone" } | { is: "program"; ended: AbortSignal } | { is: "browser"; session: Session };

export const isViewer = (asker: Asker): boolean => asker.is === "browser" && asker.session.viewer;

const OWN_NAMES = ["localhost", "127.0.0.1", "[::1]"];

export const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|::1)$/.test(host);

type Asked = Pick<Request, "headers" | "url" | "method">;

/**
 * Who sends a request. Throws unless they may use an operation with this access. `Host` and `Origin` come first, so that
 * other sites cannot try tokens.
 */
export function admit(gate: Gate, access: Access, request: Asked): Asker {
  const { headers } = request;
  const host = headers.get("host") ?? "";
  if (!isOurs(gate, host)) throw wrongHost(host);
  const origin = headers.get("origin");
  if (origin !== null && !isOurPage(gate, origin, host)) throw wrongOrigin(origin);
  if (origin === null && isPartOfOther(headers)) throw wrongOrigin(headers.get("sec-fetch-site") ?? "");
  if (access === "open" || typeof access === "object") return { is: "anyone" };
  if (access === "login") {
    requireOwnOrigin(headers, host);
    return { is: "anyone" };
  }
  const asker = askerOf(gate, request);
  if (asker.is === "browser") checkSession(asker.session, access, request, host);
  return asker;
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

const isSameHost = (origin: string, host: string): boolean =>
  URL.canParse(origin) && new URL(origin).host === new URL(`http://${host}`).host;

/** Whether a page comes from the requested host itself, or from an allowed one. */
function isOurPage({ hosts }: Gate, origin: string, host: string): boolean {
  const name = nameOf(origin);
  return name !== null && (isSameHost(origin, host) || hosts.includes(name));
}

/** Whether a page of another origin loads it, such as an image; these requests name no origin. A link is fine. */
const isPartOfOther = (headers: Headers): boolean =>
  ["cross-site", "same-site"].includes(headers.get("sec-fetch-site") ?? "") &&
  headers.get("sec-fetch-mode") !== "navigate";

/** Stricter than `isOurPage`: a page on another port of an allowed host is not the dashboard. */
function requireOwnOrigin(headers: Headers, host: string): void {
  const origin = headers.get("origin");
  // Behind a proxy that changes the host, only the browser knows.
  if (headers.get("sec-fetch-site") === "same-origin" || (origin !== null && isSameHost(origin, host))) return;
  throw new Refusal(403, "origin-required", "only the dashboard's own page may do this", "programs send the token");
}

const short = (text: string): string => JSON.stringify(text.slice(0, 100));
const ALLOW = "`ralph serve --allow-host <name>` allows a name";

const wrongHost = (host: string): Refusal =>
  new Refusal(421, "host-refused", `this server does not accept the host ${short(host)}`, ALLOW);

const wrongOrigin = (origin: string): Refusal =>
  new Refusal(403, "origin-refused", `pages of ${short(origin)} may not use this server`, ALLOW);

const IN_QUERY = ["token", "access_token"];

/** The token comes first: a program that sends it needs no session. */
function askerOf(gate: Gate, { headers, url }: Asked): Asker {
  const query = new URL(url).searchParams;
  if (IN_QUERY.some((name) => query.has(name))) {
    throw new Refusal(400, "token-in-query", "a token must not be in a URL, because URLs are logged", SEND_TOKEN);
  }
  const authorization = headers.get("authorization");
  const key = headers.get("x-ralph-key");
  if (authorization === null && key !== null) {
    const session = gate.sessions.find(cookiesOf(headers, gate.cookie), key);
    if (session) return { is: "browser", session };
    throw unauthorized("this browser is not signed in", "`ralph serve --open` opens a new link");
  }
  const [, given] = /^Bearer +([\w-]+) *$/i.exec(authorization ?? "") ?? [];
  if (given !== undefined && gate.isToken(given)) return { is: "program", ended: gate.sessions.era() };
  throw unauthorized(authorization === null ? "a token is required" : "the token is wrong", SEND_TOKEN);
}

const SEND_TOKEN = "send the header `Authorization: Bearer <token>`; `ralph serve --token` prints the token";

const unauthorized = (what: string, hint: string): Refusal =>
  new Refusal(401, "unauthorized", what, hint, { "www-authenticate": 'Bearer realm="ralph"' });

/** All cookies of this name: the server of another port may set more of them, for other paths. */
export function cookiesOf(headers: Headers, name: string): string[] {
  const pairs = (headers.get("cookie") ?? "").split(";").map((pair) => pair.trim());
  return pairs.filter((pair) => pair.startsWith(`${name}=`)).map((pair) => pair.slice(name.length + 1));
}

function checkSession({ viewer }: Session, access: Access, { headers, method }: Asked, host: string): void {
  if (access === "token") throw new Refusal(403, "token-only", "this needs the token, not a session", SEND_TOKEN);
  if (viewer && access === "raw") throw noRawOutput();
  if (viewer && access === "act") {
    throw new Refusal(403, "viewer", "this link is read-only", "`ralph serve --open` opens one that is not");
  }
  if (method !== "GET" && method !== "HEAD") requireOwnOrigin(headers, host);
}

/** A key that is cut into pages or pieces is not recognised, so bytes are not for viewers. */
export const noRawOutput = (): Refusal =>
  new Refusal(
    403,
    "viewer",
    "this link is read-only, and raw output cannot be searched for secrets",
    "GET /api/loops/{loop}/output has it in readable form",
  );
