const MAX_CHARS = 50;

/** A command as part of a file name: everything else becomes `_`. */
export const slugOf = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+/, "")
    .slice(0, MAX_CHARS)
    .replace(/_+$/, "") || "command";

/** One slug per command, in order; equal ones are numbered, also those that differ only in case. */
export function uniqueSlugs(commands: readonly string[]): string[] {
  const taken = new Set<string>();
  return commands.map((command) => {
    const slug = slugOf(command);
    let unique = slug;
    for (let times = 2; taken.has(unique.toLowerCase()); times++) unique = `${slug}_${times}`;
    taken.add(unique.toLowerCase());
    return unique;
  });
}
