import { postForAnswer } from "../../adapters/io/post.ts";
import { inWorkspace } from "../../adapters/store/workspace.ts";
import { jsonIn } from "../../core/json-text.ts";
import { createLoginLink } from "../../core/schema/api-session.ts";
import type { LoginLink } from "./route.ts";
import { newSecret } from "./secret.ts";
import { runningOrigin } from "./server-address.ts";
import type { Sessions } from "./sessions.ts";
import { serverToken } from "./token.ts";

/** How much of a secret makes an address that no cache knows. */
const QUERY_CHARS = 8;

/** The fragment is not sent with a request, so the code is in no log. No cache has a page for the query. */
export function loginLinks(sessions: Sessions, url: string): (viewer: boolean) => LoginLink {
  return (viewer) => {
    const { code, expiresAtMs } = sessions.code(viewer);
    const fresh = newSecret().slice(0, QUERY_CHARS);
    return { url: `${url}/login?${fresh}#${code}`, viewer, expiresAt: new Date(expiresAtMs).toISOString() };
  };
}

const TIMEOUT_MS = 10_000;
const MOST_BYTES = 10_000;

interface LinkRequest {
  cwd: string;
  /** Where the server may be, besides this machine. */
  host: string;
  viewer: boolean;
}

/** Asks the server that runs for this repository for a link; null if it does not answer. */
export async function linkOfRunning({ cwd, host, viewer }: LinkRequest): Promise<LoginLink | null> {
  const { origin, token } = await inWorkspace({ cwd }, async (workspace) => ({
    origin: runningOrigin(workspace, host),
    token: serverToken(workspace).token,
  }));
  if (origin === null) return null;
  const asked = await postForAnswer(
    {
      url: `${origin}${createLoginLink.path}`,
      json: { viewer },
      headers: { authorization: `Bearer ${token}` },
      timeoutMs: TIMEOUT_MS,
      quit: new AbortController().signal,
    },
    MOST_BYTES,
  );
  if (asked.is !== "answered" || !("safeParse" in createLoginLink.answer)) return null;
  const link = createLoginLink.answer.safeParse(jsonIn(asked.text)).data;
  const url = link && linkTo(origin, link.url);
  return link && url ? { ...link, url } : null;
}

/**
 * A link as it may be printed and opened, if it is one to the server that was asked: another program may have its port,
 * and the system's program for URLs would open files and start programs too.
 */
export function linkTo(origin: string, text: string): string | null {
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  const isLink = url.pathname === "/login" && /^(\?[\w-]{1,40})?$/.test(url.search) && /^#[\w-]{1,200}$/.test(url.hash);
  return isLink && url.origin === origin && url.username === "" && url.password === "" ? url.href : null;
}
