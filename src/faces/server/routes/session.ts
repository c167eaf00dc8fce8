import { basename } from "node:path";
import { printable } from "../../../core/ansi.ts";
import { createLoginLink, endSession, showSession, startSession } from "../../../core/schema/api-session.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { cookiesOf, isViewer } from "../gate.ts";
import { Refusal } from "../refusal.ts";
import { type Route, route } from "../route.ts";
import { LIFETIME_MS } from "../sessions.ts";

const HINT = "`ralph serve --open` opens a new link";

/** Signing browsers in and out. */
export const sessionRoutes: readonly Route[] = [
  route(createLoginLink, async ({ context: { loginLink }, body: { viewer = false } }) => loginLink(viewer)),
  route(startSession, async ({ context, headers, body: { code } }) => {
    const { workspace, sessions, cookie, log } = context;
    const login = sessions.login(code, cookiesOf(headers, cookie));
    if (login.is === "wrong") throw new Refusal(401, "code-refused", "this link has expired or was already used", HINT);
    if (login.is === "limited") {
      if (login.isFirst) log("too many wrong sign-in codes: a program may be guessing them");
      const again = { "retry-after": String(login.retryAfterS) };
      throw new Refusal(429, "codes-limited", "too many wrong codes", "wait a minute, then open a new link", again);
    }
    const isEncrypted = headers.get("origin")?.startsWith("https:") ?? false;
    const set = cookieText(cookie, login.cookie, LIFETIME_MS / 1_000, isEncrypted);
    return Response.json(
      { key: login.key, viewer: login.viewer, repository: nameOf(workspace) },
      { headers: { "set-cookie": set } },
    );
  }),
  route(showSession, async ({ context: { workspace }, asker }) => ({
    viewer: isViewer(asker),
    repository: nameOf(workspace),
  })),
  route(endSession, async ({ context: { sessions, cookie }, asker }) => {
    if (asker.is === "browser") sessions.end(asker.session);
    return Response.json({ ok: true }, { headers: { "set-cookie": cookieText(cookie, "", 0, false) } });
  }),
];

const nameOf = ({ cwd }: Workspace): string => printable(basename(cwd));

/** Without a domain, no other host gets it; other ports of this host do. */
const cookieText = (name: string, value: string, maxAgeS: number, isEncrypted: boolean): string =>
  `${name}=${value}; Max-Age=${maxAgeS}; Path=/; HttpOnly; SameSite=Strict${isEncrypted ? "; Secure" : ""}`;
