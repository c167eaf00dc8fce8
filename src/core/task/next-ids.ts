const NUMBERED = /^TASK-(\d{1,9})$/i;

/** The next ids `TASK-001` and so on, after the highest one. Ignores case, because an id also names a folder. */
export function nextIds(known: Iterable<string>, count: number): string[] {
  let highest = 0;
  for (const id of known) highest = Math.max(highest, Number(NUMBERED.exec(id)?.[1] ?? 0));
  return Array.from({ length: count }, (_, i) => `TASK-${String(highest + i + 1).padStart(3, "0")}`);
}
