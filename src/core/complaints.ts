export interface Position {
  line: number;
  column: number;
}

/** What is wrong at one place of a file that the user wrote. */
export type Complaint = Position & { text: string };

// More would scroll the first one, which often causes the others, off the screen.
const MOST_COMPLAINTS = 5;

/** Complaints in the format of compilers, in the order of the file. `all` also counts those without a known place. */
export function tellComplaints(file: string, complaints: readonly Complaint[], all = complaints.length): string {
  const ordered = [...complaints].sort((a, b) => a.line - b.line || a.column - b.column);
  const shown = ordered.slice(0, MOST_COMPLAINTS).map(({ line, column, text }) => `${file}:${line}:${column}: ${text}`);
  const hidden = all - shown.length;
  if (hidden > 0) shown.push(`${file}: and ${hidden} more`);
  return shown.join("\n");
}

/** A path of keys and indexes as people write it: `guardrails[0].command`. */
export const keyName = (path: readonly PropertyKey[]): string => path.map(step).join("").replace(/^\./, "");

function step(part: PropertyKey): string {
  if (typeof part === "number") return `[${part}]`;
  const name = String(part);
  return /^[\w$-]+$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
