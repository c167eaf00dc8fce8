import { digestOf, isSame, newSecret } from "./secret.ts";

export type Exchanged =
  | { is: "code"; viewer: boolean }
  | { is: "wrong" }
  /** `isFirst`: within this minute. */
  | { is: "limited"; retryAfterS: number; isFirst: boolean };

/** The codes of sign-in links. Each signs one browser in, once. */
export interface LoginCodes {
  create(viewer: boolean): { code: string; expiresAtMs: number };
  exchange(code: string): Exchanged;
  clear(): void;
}

const MINUTE_MS = 60_000;
const LIFETIME_MS = 10 * MINUTE_MS;
const MOST = 16;
const MOST_WRONG = 10;

export function loginCodes(now: () => number): LoginCodes {
  let codes: { digest: string; viewer: boolean; expiresAtMs: number }[] = [];
  let wrong = { count: 0, sinceMs: 0 };
  return {
    create(viewer) {
      const [code, expiresAtMs] = [newSecret(), now() + LIFETIME_MS];
      codes = [...codes, { digest: digestOf(code), viewer, expiresAtMs }].slice(-MOST);
      return { code, expiresAtMs };
    },
    exchange(code) {
      const digest = digestOf(code);
      codes = codes.filter(({ expiresAtMs }) => now() < expiresAtMs);
      const found = codes.find((one) => isSame(one.digest, digest));
      if (found) {
        codes = codes.filter((one) => one !== found);
        return { is: "code", viewer: found.viewer };
      }
      if (now() >= wrong.sinceMs + MINUTE_MS) wrong = { count: 0, sinceMs: now() };
      wrong.count++;
      // Right codes are never limited: they cannot be guessed, and any local program could keep the user out.
      if (wrong.count <= MOST_WRONG) return { is: "wrong" };
      const retryAfterS = Math.ceil((wrong.sinceMs + MINUTE_MS - now()) / 1_000);
      return { is: "limited", retryAfterS, isFirst: wrong.count === MOST_WRONG + 1 };
    },
    clear() {
      codes = [];
    },
  };
}
