import type { LoopRole } from "./task/role.ts";

/** Those who look at somebody else's work: what they find goes back to whoever did it. */
export const isReviewing = (place: LoopRole): boolean => place === "reviewer" || place === "tester" || place === "qa";

/** The form of a review as agents are asked for it. It is no JSON, so that nobody who repeats it has given one. */
export const REVIEW_FORM = '<review>{"approved": true or false, "findings": ["file:line what is wrong", …]}</review>';

const OPEN = "<review>";
const CLOSE = "</review>";

/** What stands in the last review of a message; empty where it was not finished, null where there is none. */
export function reviewIn(message: string): string | null {
  const text = message.toLowerCase();
  const end = text.lastIndexOf(CLOSE);
  const start = end === -1 ? -1 : text.lastIndexOf(OPEN, end);
  if (start !== -1) return message.slice(start + OPEN.length, end);
  return text.includes(OPEN) ? "" : null;
}
