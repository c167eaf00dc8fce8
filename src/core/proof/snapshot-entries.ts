/**
 * Whether every entry of a file with named snapshots (Jest, Vitest, Deno, Syrupy) is as it was, so that only those of
 * new tests were added. False for any other file.
 */
export function keepsEntries(before: string, after: string): boolean {
  const [was, is] = [entriesOf(before), entriesOf(after)];
  if (was.length === 0 || hasRepeated(is)) return false;
  const now = new Map(is);
  return was.every(([name, value]) => now.get(name) === value) && is.every(isData);
}

type Entry = readonly [name: string, value: string];

/** Keeps the name with the value. */
const NAME = /^(?:(?:exports|snapshot)\[.*?\] = |# name: .*$)/gm;

function entriesOf(text: string): Entry[] {
  const names = [...text.matchAll(NAME)];
  return names.map(({ 0: name, index }, i) => [
    name.replace(/["'`]/g, "").trim(),
    text.slice(index + name.length, names[i + 1]?.index).trim(),
  ]);
}

/** The last of them would count. */
const hasRepeated = (entries: readonly Entry[]): boolean =>
  new Set(entries.map(([name]) => name)).size < entries.length;

const TEMPLATE = /^`(?:\\[\s\S]|\$(?!\{)|[^`\\$])*`;$/;

/** Files of JavaScript are run, and might replace other entries. */
const isData = ([name, value]: Entry): boolean => name.startsWith("#") || TEMPLATE.test(value);
