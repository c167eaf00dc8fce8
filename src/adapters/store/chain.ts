import { createHash } from "node:crypto";

/** An entry as its hash covers it, with the event as its stored text. */
type Linked = Record<"subject" | "seq" | "epoch" | "at_ms", unknown> & { event: string };

export const NO_HASH = "";

/**
 * Hashes the previous hash and the whole entry. The JSON in front has no line break, so entries cannot share a text.
 */
export const link = (prev: string, { subject, seq, epoch, at_ms, event }: Linked): string =>
  createHash("sha256")
    .update(`${JSON.stringify([prev, subject, seq, epoch, at_ms])}\n`)
    .update(event)
    .digest("hex");

/** The digest of a text; empty for none. */
export const textDigest = (text: string | null): string =>
  text === null ? "" : createHash("sha256").update(text).digest("hex");
