import { randomBytes } from "node:crypto";

/** An id for a new loop or run: short enough to type. */
export const newId = (): string => randomBytes(5).toString("hex").slice(0, 8);
