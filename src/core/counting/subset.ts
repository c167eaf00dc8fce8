/** Options that choose tests by what failed or changed: the number of tests then says nothing about what is missing. */
const CHOOSING: readonly (readonly [option: RegExp, only?: RegExp])[] = [
  [/^--(?:lf|last-failed|last-failed-no-failures|failed-first-only|sw|stepwise|testmon|picked)$/],
  [/^--(?:changed|changed-since|changedSince|only-changed|onlyChanged|onlyFailures|only-failures|next-failure)$/],
  [/^--(?:findRelatedTests|related|rerun-failed|affected|since|shard|partition|last-commit|lastCommit)$/],
  [/^-(?:o|f)$/, /(?:^|[\s/])jest(?:\s|$)/],
  [/^(?:affected(?::\w+)?)$/, /(?:^|[\s/])nx\b/],
  [/^related$/, /(?:^|[\s/])vitest\s/],
  [/^--filter=.*\[.*\]/],
  [/^testmon$/, /(?:^|\s)-p\s/],
];

/** Files that git lists as changed, as arguments. */
const DIFF = /(?:\$\(|`)\s*git (?:diff|ls-files -m)\b|\bgit (?:diff|ls-files -m)\b[^;&]*\|\s*xargs\b/;

/** The part of a command by which it chooses a subset of the tests; null if it runs the same tests every time. */
export function subsetIn(command: string): string | null {
  const byDiff = subsetByDiff(command);
  if (byDiff !== null) return byDiff;
  for (const word of command.split(/[\s"'`;&|()]+/)) {
    const option = word.replace(/^(--[\w-]+)=(?!.*\[).*$/, "$1");
    if (CHOOSING.some(([form, only]) => form.test(option) && (only === undefined || only.test(command)))) return option;
  }
  return null;
}

export const subsetByDiff = (command: string): string | null => (DIFF.test(command) ? "git diff" : null);

export const subsetWords = (option: string): string => `not countable: chooses a subset (${option})`;

/** A command that passes if the one in it fails, as `! npm test`: failed tests are what it asks for. */
export const isInverted = (command: string): boolean => /(?:^|[\s;&|(])!\s/.test(command);
