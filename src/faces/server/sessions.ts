import { type Exchanged, loginCodes } from "./login-codes.ts";
import { digestOf, isSame, newSecret } from "./secret.ts";

/** A browser that is signed in. */
export interface Session {
  viewer: boolean;
  /** Aborted when it signs out or expires, or the token is replaced: its streams end then. */
  ended: AbortSignal;
}

type Login = { is: "in"; cookie: string; key: string; viewer: boolean } | Exclude<Exchanged, { is: "code" }>;

export interface Sessions {
  code(viewer: boolean): { code: string; expiresAtMs: number };
  /** Exchanges a code for a session, which replaces the one that the browser's cookies belong to. */
  login(code: string, cookies: readonly string[]): Login;
  /** The session that has one of these cookies, and this key; null if there is none. */
  find(cookies: readonly string[], key: string): Session | null;
  end(session: Session): void;
  /** Ends all sessions and links. */
  clear(): void;
  /** Aborted when the token is replaced. */
  era(): AbortSignal;
  close(): void;
}

interface SessionsRequest {
  /** Names the token: when it changes, all sessions and codes end. */
  era(): string;
  now?: () => number;
}

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A session ends if it is not used for this long, */
const IDLE_MS = 7 * DAY_MS;
/** and at this age. */
export const LIFETIME_MS = 30 * DAY_MS;
const MOST = 64;
/** How soon the streams of an ended session are cut off. */
const LOOK_MS = 1_000;

interface Open extends Session {
  /** The digests of its secrets. */
  cookie: string;
  key: string;
  sinceMs: number;
  usedMs: number;
  controller: AbortController;
}

/**
 * Sessions do not survive the server: another program may have had its port since, and with it the cookies and the
 * storage of every browser that still showed the dashboard.
 */
export function openSessions({ era, now = Date.now }: SessionsRequest): Sessions {
  const codes = loginCodes(now);
  let current = { name: era(), controller: new AbortController() };
  let open: readonly Open[] = [];
  const change = (to: readonly Open[]) => {
    for (const session of open) if (!to.includes(session)) session.controller.abort();
    open = to;
  };
  const isLive = ({ sinceMs, usedMs }: Open) => now() < Math.min(sinceMs + LIFETIME_MS, usedMs + IDLE_MS);
  const look = () => {
    const name = era();
    if (name !== current.name) {
      current.controller.abort();
      current = { name, controller: new AbortController() };
      codes.clear();
      change([]);
    }
    if (!open.every(isLive)) change(open.filter(isLive));
  };
  const timer = setInterval(look, LOOK_MS).unref();
  return {
    code(viewer) {
      look();
      return codes.create(viewer);
    },
    login(code, cookies) {
      look();
      const exchanged = codes.exchange(code);
      if (exchanged.is !== "code") return exchanged;
      const { viewer } = exchanged;
      const [cookie, key, nowMs] = [newSecret(), newSecret(), now()];
      const previous = cookies.map(digestOf);
      const others = open
        .filter((session) => !previous.includes(session.cookie))
        .toSorted((one, other) => other.usedMs - one.usedMs)
        .slice(0, MOST - 1);
      const controller = new AbortController();
      const digests = { cookie: digestOf(cookie), key: digestOf(key) };
      const times = { sinceMs: nowMs, usedMs: nowMs };
      change([...others, { ...digests, ...times, viewer, controller, ended: controller.signal }]);
      return { is: "in", cookie, key, viewer };
    },
    find(cookies, key) {
      look();
      const found = sessionOf(open, cookies, key);
      if (found) found.usedMs = now();
      return found;
    },
    end: (ended) => change(open.filter((session) => session !== ended)),
    clear() {
      codes.clear();
      change([]);
    },
    era() {
      look();
      return current.controller.signal;
    },
    close: () => clearInterval(timer),
  };
}

/** A cookie alone is not enough: browsers send it to every port of this host, also to the server of an agent. */
function sessionOf(open: readonly Open[], cookies: readonly string[], key: string): Open | null {
  const [keyDigest, given] = [digestOf(key), cookies.map(digestOf)];
  const withKey = open.filter((session) => isSame(session.key, keyDigest));
  return withKey.find(({ cookie }) => given.some((digest) => isSame(digest, cookie))) ?? null;
}
