import { textAt } from "../../adapters/io/look.ts";
import { postForAnswer } from "../../adapters/io/post.ts";
import { inWorkspace } from "../../adapters/store/workspace.ts";
import { jsonIn } from "../../core/json-text.ts";
import { createLoginLink } from "../../core/schema/api-session.ts";
import type { LoginLink } from "./route.ts";
import { newSecret } from "./secret.ts";
import { addressFile } from "./server-address.ts";
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

/** Asks the server that runs for this repository for a link; null if it does not answer. */
export async function linkOfRunning(cwd: string, viewer: boolean): Promise<LoginLink | null> {
  const { url, token } = await inWorkspace({ cwd }, async (workspace) => ({
    url: textAt(addressFile(workspace)).trim(),
    token: serverToken(workspace).token,
  }));
  if (!isHttp(url)) return null;
  const asked = await postForAnswer(
    {
      url: `${url}${createLoginLink.path}`,
      json: { viewer },
      headers: { authorization: `Bearer ${token}` },
      timeoutMs: TIMEOUT_MS,
      quit: new AbortController().signal,
    },
    MOST_BYTES,
  );
  if (asked.is !== "answered" || !("safeParse" in createLoginLink.answer)) return null;
  const link = createLoginLink.answer.safeParse(jsonIn(asked.text)).data;
  // It is given to the system's program for URLs, which would open files and start programs too.
  return link && isHttp(link.url) ? link : null;
}

const isHttp = (url: string): boolean => /^https?:\/\//.test(url) && URL.canParse(url);
