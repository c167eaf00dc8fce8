import type { Part, Tally } from "./tally.ts";

/** Reads the output of one runner, line by line. Returns true for a line of its summary. */
export type Reader = (to: Tally) => (line: string) => boolean;

/** What the words of a runner mean. Known failures prove nothing, so they count as skipped. */
export type Meaning = Readonly<Record<string, Part>>;

export const inOneLine =
  (form: RegExp, count: (found: readonly (string | undefined)[], to: Tally) => void): Reader =>
  (to) =>
  (line) => {
    const found = form.exec(line);
    if (!found) return false;
    to.begin();
    count(found, to);
    return true;
  };

/** Words such as `3 passed, 1 skipped`. */
export const inWords = (form: RegExp, meaning: Meaning): Reader =>
  inOneLine(form, ([, words = ""], to) => {
    for (const [, count, word = ""] of words.matchAll(/(\d+) ([a-z]+(?: [a-z]+)?)/g)) {
      const part = meaning[word] ?? meaning[word.replace(/s$/, "")];
      if (part) to.add(part, count);
      if (/^errors?$/.test(word)) to.broken(count);
    }
  });

type Count = string | number | undefined;

/** For tools whose total includes failed and skipped tests. */
export function addTotal(to: Tally, { total, failed, skipped }: { total: Count; failed: Count; skipped: Count }): void {
  to.add("failed", failed);
  to.add("skipped", skipped);
  to.add("passed", Math.max(0, Number(total ?? 0) - Number(failed ?? 0) - Number(skipped ?? 0)));
}

export const ofTotal = (form: RegExp): Reader =>
  inOneLine(form, ([, total, failed, skipped], to) => addTotal(to, { total, failed, skipped }));

export const withErrors = (form: RegExp): Reader =>
  inOneLine(form, ([, total, failures, errors, skipped], to) =>
    addTotal(to, { total, failed: Number(failures) + Number(errors), skipped }),
  );

export const inParts = (form: RegExp): Reader =>
  inOneLine(form, ([, passed, failed, skipped], to) => {
    to.add("passed", passed);
    to.add("failed", failed);
    to.add("skipped", skipped);
  });

/** A line that says that there is nothing to run. */
export const nothing = (form: RegExp): Reader => inOneLine(form, () => undefined);

/**
 * One line for each test: its name in the group `name`, the result in `is`. Without a name, only a file, of which `count`
 * tests without those that were `skipped` ran.
 */
export const eachTest =
  (form: RegExp, meaning: Meaning): Reader =>
  (to) =>
  (line) => {
    const { name, is = "", file, count = 0, skipped = 0, todo = 0 } = form.exec(line)?.groups ?? {};
    const part = meaning[is.trim()];
    if (name !== undefined && part) to.test(name, part);
    if (file !== undefined && (is === "" || (part && part !== "skipped"))) {
      to.file(file, Number(count) - Number(skipped) - Number(todo));
    }
    return false;
  };

/** A list of failures at the end of a run, with a test's name in the group `name`: for display only. */
export const eachFailure =
  (form: RegExp): Reader =>
  (to) =>
  (line) => {
    const name = form.exec(line)?.groups?.name;
    if (name !== undefined) to.failure(name);
    return false;
  };

/** Several readers of the same runner; each sees every line. */
export const allOf =
  (...readers: readonly Reader[]): Reader =>
  (to) => {
    const readings = readers.map((reader) => reader(to));
    return (line) => readings.reduce((taken, read) => read(line) || taken, false);
  };
