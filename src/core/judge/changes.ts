export interface FileChange {
  path: string;
  added: number;
  removed: number;
  /** The patch, or its beginning; null if it cannot be read. */
  patch: string | null;
  /** What the numbers do not show, such as `binary` or `cut`. */
  note: string;
  /** Its content was not read. */
  unread?: true;
}

export type Changes =
  /** `unseen`: new files beyond those that were read. */
  { is: "seen"; files: readonly FileChange[]; unseen: number } | { is: "failed"; why: string };

const MOST_NAMES = 300;

/** The changes for a judge: as many whole patches as fit, smallest first; the others only as line counts. */
export function changesText({ files, unseen }: Changes & { is: "seen" }, maxChars: number): string {
  if (files.length + unseen === 0) return "No file has changed since the loop started.";
  const shown = fitting(files, maxChars);
  const whole = files.flatMap((file) => (shown.has(file) ? [`--- ${file.path}\n${file.patch?.trimEnd()}`] : []));
  const rest = files.filter((file) => !shown.has(file));
  const names = rest.slice(0, MOST_NAMES).map(numbersOf);
  const more = rest.length - names.length + unseen;
  return [...whole, ...names, ...(more > 0 ? [`… and ${more} more files (left out)`] : [])].join("\n\n");
}

function fitting(files: readonly FileChange[], maxChars: number): Set<FileChange> {
  const shown = new Set<FileChange>();
  const whole = files.filter(({ patch, note }) => patch !== null && note !== "cut");
  let free = maxChars;
  for (const file of whole.sort((a, b) => sizeOf(a) - sizeOf(b))) {
    free -= sizeOf(file);
    if (free < 0) break;
    shown.add(file);
  }
  return shown;
}

const sizeOf = ({ path, patch }: FileChange): number => path.length + (patch?.length ?? 0);

function numbersOf({ path, added, removed, note }: FileChange): string {
  if (note !== "" && note !== "cut") return `--- ${path}: ${note} (left out)`;
  return `--- ${path}: ${added} lines added, ${removed} removed (left out)`;
}
