export interface Position {
  line: number;
  column: number;
}

/** An error at one position of a user's file. */
export type Complaint = Position & { text: string };

// More would scroll the first error, which often causes the others, off the screen.
const MOST_COMPLAINTS = 5;

/** Errors in the format of compilers, in file order. `all` also counts those without a known position. */
export function tellComplaints(file: string, complaints: readonly Complaint[], all = complaints.length): string {
  const ordered = [...complaints].sort((a, b) => a.line - b.line || a.column - b.column);
  const shown = ordered.slice(0, MOST_COMPLAINTS).map(({ line, column, text }) => `${file}:${line}:${column}: ${text}`);
  const hidden = all - shown.length;
  if (hidden > 0) shown.push(`${file}: and ${hidden} more`);
  return shown.join("\n");
}

/** A path of keys and indexes in readable form: `guardrails[0].command`. */
export const keyName = (path: readonly PropertyKey[]): string => path.map(step).join("").replace(/^\./, "");

function step(part: PropertyKey): string {
  if (typeof part === "number") return `[${part}]`;
  const name = String(part);
  return /^[\w$-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
