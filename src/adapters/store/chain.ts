import { createHash } from "node:crypto";

/** An entry as its hash covers it: everything of it, the event as the text that is stored. */
export interface Linked {
  subject: unknown;
  seq: unknown;
  epoch: unknown;
  at_ms: unknown;
  event: string;
}

/** What the first entry of a journal is linked to. */
export const NO_HASH = "";

/**
 * The hash of an entry: over the one before and all that the entry says. The first line is a JSON list, which holds no
 * line break, so that no two entries have the same text.
 */
export const link = (prev: string, { subject, seq, epoch, at_ms, event }: Linked): string =>
  createHash("sha256")
    .update(`${JSON.stringify([prev, subject, seq, epoch, at_ms])}\n`)
    .update(event)
    .digest("hex");

/** The digest of a text; empty for none. */
export const textDigest = (text: string | null): string =>
  text === null ? "" : createHash("sha256").update(text).digest("hex");
