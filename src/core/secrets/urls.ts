import { type Found, HIDDEN } from "./found.ts";

export const URLS = /(?<=[a-z0-9]):\/\/([^\s"'`<>\\]+)/gi;

/** In URLs: all but the host, or only credentials and webhooks, whose path is a password. */
export function inUrls(text: string, hides: "paths" | "credentials"): Found[] {
  const found: Found[] = [];
  for (const { index, 1: rest = "" } of text.matchAll(URLS)) {
    const at = index + "://".length;
    const user = credentialsIn(rest);
    if (user > 0) found.push({ from: index, start: at, end: at + user });
    if (hides === "credentials" && !/hook/i.test(rest)) continue;
    const path = rest.slice(user).search(/[/?#]/);
    if (path === -1 || user + path + 1 >= rest.length) continue;
    found.push({ from: index, start: at + user + path, end: at + rest.length, shown: `/${HIDDEN}` });
  }
  return found;
}

/** A port is no password: `localhost:3000/@scope/name`. */
const WITH_PASSWORD = /^[^/?#@:[]{0,200}:(?!\d{1,5}(?:[/?#]|$))/;

/** The length of `user:password` in what follows `://`. A password may contain `@`, `/`, `?` and `#`. */
function credentialsIn(rest: string): number {
  if (WITH_PASSWORD.test(rest)) return Math.max(0, rest.lastIndexOf("@"));
  const end = rest.search(/[/?#]/);
  return Math.max(0, rest.slice(0, end === -1 ? rest.length : end).lastIndexOf("@"));
}
