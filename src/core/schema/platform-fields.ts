import * as z from "zod";
import { jsonIn } from "../json-text.ts";
import { oneOf } from "./atoms.ts";
import { strict } from "./messages.ts";

/** When an agent's messages are sent to a platform. */
export const streamingMode = (defaults: "stream" | "batch") =>
  oneOf(["stream", "batch"])
    .meta({ description: "Send each message as it arrives, or those of an iteration together.", default: defaults })
    .optional();

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

const baseUrl = z
  .url({ protocol: /^https?$/, error: "expected a URL that begins with https://" })
  .refine((url) => !hasSecret(url), { error: "expected a URL without a password or token: set it in the environment" })
  .refine(isPrivate, { error: "expected https://, since a token is sent there; http:// only to this machine" })
  .transform((url) => url.replace(/\/+$/, ""));

function hasSecret(url: string): boolean {
  const { username, password, pathname, search } = new URL(url);
  return username !== "" || password !== "" || search !== "" || /\/bot\d+:/.test(pathname);
}

function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" || LOOPBACK.test(hostname);
}

/** The base URL of a platform's API, to which a token is sent: it must use https or loopback. */
export const apiUrl = (description: string, standard: string) =>
  baseUrl.meta({ description, pattern: "^https?://", default: standard }).optional();

/** The settings of a platform. A secret is refused, and the error names the variable to use instead. */
export const platformFields = <Shape extends z.core.$ZodLooseShape>(shape: Shape, what: string, variables: string) =>
  strict(shape, what, (key) =>
    /token|secret|passw|key|auth/i.test(key)
      ? `unknown key ${JSON.stringify(key)}: a secret does not belong in a file, set ${variables} in the environment`
      : null,
  );

/** Parses untrusted JSON text with a schema; null if it is not JSON or does not match. */
export function readJsonText<Schema extends z.ZodType>(schema: Schema, text: string): z.infer<Schema> | null {
  return schema.safeParse(jsonIn(text)).data ?? null;
}
