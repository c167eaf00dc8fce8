import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

const BYTES = 32;

/** A new secret, which cannot be guessed. Only its digest is kept. */
export const newSecret = (): string => randomBytes(BYTES).toString("base64url");

export const digestOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Compares in constant time. */
export const isSame = (digest: string, other: string): boolean =>
  digest.length === other.length && timingSafeEqual(Buffer.from(digest), Buffer.from(other));
