import { createHmac } from "node:crypto";
import type { Platform, StreamingMode } from "../../core/platform.ts";
import { postForAnswer } from "../io/post.ts";
import { sentBy } from "./sent.ts";

/** The variable that holds the secret which signs what is posted. */
export const WEBHOOK_SECRET = "RALPH_WEBHOOK_SECRET";

/** Where a program of the user's own is told. */
interface WebhookSetting {
  url: string;
  mode: StreamingMode;
  /** Signs what is posted. */
  secret: string | null;
}

const ANSWER_MS = 10_000;
const ANSWER_BYTES = 1 << 10;
/** No message that is recorded is longer: none is split. */
const MAX_CHARS = 1_000_000;

/** Posts each message to a URL of the user's own, signed where there is a secret. */
export const webhook = ({ url, mode, secret }: WebhookSetting): Platform => ({
  name: "webhook",
  mode,
  maxChars: MAX_CHARS,
  async sendMessage({ conversation, run, role, content, atMs }, quit) {
    const at = new Date(atMs).toISOString();
    const json = { conversationId: conversation, runId: run, role, content, at };
    const headers = secret === null ? {} : { "x-ralph-signature": signatureOf(JSON.stringify(json), secret) };
    return sentBy(await postForAnswer({ url, json, headers, timeoutMs: ANSWER_MS, quit }, ANSWER_BYTES));
  },
});

/** Over the body as it is sent. */
const signatureOf = (body: string, secret: string): string =>
  `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
