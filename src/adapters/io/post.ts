/** The result of a POST. `again`: a retry may help. */
type Posted = { is: "taken" } | { is: "failed"; why: string; again: boolean };

interface PostRequest {
  url: string;
  json: unknown;
  timeoutMs: number;
  quit: AbortSignal;
  headers?: Readonly<Record<string, string>>;
}

/** A response of any status with bounded text, or a failure. `again`: a retry may help. */
export type Answered =
  | { is: "answered"; status: number; text: string; retryAfterMs: number | null }
  | { is: "failed"; why: string; again: boolean };

/** Never throws, never follows a redirect (data would go elsewhere) and never names the URL (a secret may be in it). */
export async function postJson(request: PostRequest): Promise<Posted> {
  const answered = await exchange(request, async (response) => {
    await response.body?.cancel();
    return statusOf(response);
  });
  if (answered.is === "failed") return answered;
  const { status } = answered;
  if (isTaken(status)) return { is: "taken" };
  return { is: "failed", why: `HTTP ${status}`, again: isWorthAnother(status) };
}

/** Like `postJson`, but returns the response body. */
export const postForAnswer = (request: PostRequest, maxBytes: number): Promise<Answered> =>
  exchange(request, async (response) => ({ ...statusOf(response), text: await bounded(response, maxBytes) }));

export const isTaken = (status: number): boolean => status >= 200 && status < 300;

/** Whether a retry may help after this status. */
export const isWorthAnother = (status: number): boolean => status >= 500 || status === 429;

type Reading = (response: Response) => Promise<Extract<Answered, { is: "answered" }>>;

async function exchange({ url, json, timeoutMs, quit, headers }: PostRequest, read: Reading): Promise<Answered> {
  const timeout = AbortSignal.timeout(timeoutMs);
  try {
    const { address, authorization } = withoutPassword(url);
    const response = await fetch(address, {
      method: "POST",
      headers: { "content-type": "application/json", ...authorization, ...headers },
      body: JSON.stringify(json),
      redirect: "manual",
      signal: AbortSignal.any([timeout, quit]),
    });
    const { status } = response;
    if (isTaken(status) || !response.headers.has("location")) return await read(response);
    await response.body?.cancel();
    const why = `HTTP ${status}, a redirect, which is not followed: use the final URL`;
    return { is: "failed", why, again: isWorthAnother(status) };
  } catch (error) {
    if (quit.aborted) return { is: "failed", why: "aborted", again: false };
    if (timeout.aborted) return { is: "failed", why: `no answer within ${timeoutMs / 1_000}s`, again: true };
    return { is: "failed", why: reasonOf(error), again: true };
  }
}

function statusOf({ status, headers }: Response) {
  const seconds = Number(headers.get("retry-after") || Number.NaN);
  const retryAfterMs = Number.isFinite(seconds) && seconds >= 0 ? seconds * 1_000 : null;
  return { is: "answered", status, text: "", retryAfterMs } as const;
}

/** Reads at most `maxBytes`, so that a response cannot fill the memory. */
async function bounded({ body }: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) break;
    text += decoder.decode(chunk, { stream: true });
  }
  return text;
}

/** `fetch` rejects a URL that contains credentials, so they are sent in a header. */
function withoutPassword(url: string) {
  const address = new URL(url);
  const { username, password } = address;
  if (!username && !password) return { address, authorization: {} };
  address.username = "";
  address.password = "";
  const words = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { address, authorization: { authorization: `Basic ${Buffer.from(words).toString("base64")}` } };
}

/** The system error code, such as ECONNREFUSED. Only the outer error contains the URL. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : null;
  if (!(cause instanceof Error)) return "not reached";
  return `not reached (${"code" in cause ? String(cause.code) : cause.message})`;
}
