/** The form of a review in the prompt. It is not valid JSON, so that repeating it does not count as a review. */
export const REVIEW_FORM = '<review>{"approved": true or false, "findings": ["file:line what is wrong", …]}</review>';

const OPEN = "<review>";
const CLOSE = "</review>";

/** The last review in a message; empty if it was not finished, null if there is no review. */
export function reviewIn(message: string): string | null {
  const text = message.toLowerCase();
  const end = text.lastIndexOf(CLOSE);
  const start = end === -1 ? -1 : text.lastIndexOf(OPEN, end);
  if (start !== -1) return message.slice(start + OPEN.length, end);
  return text.includes(OPEN) ? "" : null;
}
