/** What came of a POST; `again`: another try may help. */
export type Posted = { is: "taken" } | { is: "failed"; why: string; again: boolean };

export interface PostRequest {
  url: string;
  json: unknown;
  timeoutMs: number;
  /** Cuts it short. */
  quit: AbortSignal;
}

/**
 * Sends a JSON document. Never throws, never follows a redirect (the answer could send the facts to anybody), and never
 * repeats the URL in what it says: the secret of a webhook is in its path.
 */
export async function postJson({ url, json, timeoutMs, quit }: PostRequest): Promise<Posted> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const { address, authorization } = withoutPassword(url);
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...authorization },
      body: JSON.stringify(json),
      redirect: "manual",
      signal: AbortSignal.any([timeout, quit]),
    });
    await response.body?.cancel();
    return answerOf(response);
  } catch (error) {
    if (quit.aborted) return { is: "failed", why: "cut short", again: false };
    if (timeout.aborted) return { is: "failed", why: `no answer within ${timeoutMs / 1_000}s`, again: true };
    return { is: "failed", why: reasonOf(error), again: true };
  }
}

function answerOf({ ok, status, headers }: Response): Posted {
  if (ok) return { is: "taken" };
  const elsewhere = headers.has("location") ? ", a redirect, which is not followed: name the final address" : "";
  return { is: "failed", why: `HTTP ${status}${elsewhere}`, again: status >= 500 || status === 429 };
}

/** `fetch` refuses a URL with a name and password in it; they belong into a header. */
function withoutPassword(url: string) {
  const address = new URL(url);
  const { username, password } = address;
  if (!username && !password) return { address, authorization: {} };
  address.username = "";
  address.password = "";
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { address, authorization: { authorization: `Basic ${Buffer.from(words).toString("base64")}` } };
}

/** The system's word for what went wrong, such as ECONNREFUSED; only the outer error repeats the URL. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  if (!(cause instanceof Error)) return "not reached";
  return `not reached (${"code" in cause ? String(cause.code) : cause.message})`;
}
