import type { TestCounts } from "../../core/loop/events.ts";

/** Reads one run of one tool line by line. Returns true if it recognised the line. */
export interface Summary {
  line(text: string): boolean;
  /** Null if it has reported no tests so far. */
  counts(): TestCounts | null;
}

type Part = "passed" | "failed" | "skipped";
type Sum = (part: Part, count: string | number | undefined) => void;
type Row = (add: Sum) => (text: string) => boolean;

function summary(row: Row): Summary {
  let counts: TestCounts | null = null;
  const read = row((part, count) => {
    const before: TestCounts = counts ?? { ran: 0, passed: 0, failed: 0, skipped: 0 };
    const one = Number(count ?? 0);
    counts = { ...before, [part]: before[part] + one, ran: before.ran + (part === "skipped" ? 0 : one) };
  });
  return { line: read, counts: () => counts };
}

const inOneLine =
  (form: RegExp, count: (found: readonly (string | undefined)[], add: Sum) => void): Row =>
  (add) =>
  (text) => {
    const found = form.exec(text);
    if (found) count(found, add);
    return found !== null;
  };

/** Adds words such as `3 passed` by their meaning. Known failures prove nothing, so they count as skipped. */
function addWords(words: string, meaning: Readonly<Record<string, Part>>, add: Sum): void {
  for (const [, count, word = ""] of words.matchAll(/(\d+) ([a-z]+(?: [a-z]+)?)/g)) {
    const part = meaning[word] ?? meaning[word.replace(/s$/, "")];
    if (part) add(part, count);
  }
}

const JS: Readonly<Record<string, Part>> = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  todo: "skipped",
  "expected fail": "skipped",
};
const PYTEST: Readonly<Record<string, Part>> = {
  passed: "passed",
  xpassed: "passed",
  failed: "failed",
  error: "failed",
  skipped: "skipped",
  xfailed: "skipped",
};

const inWords = (form: RegExp, meaning: Readonly<Record<string, Part>>): Row =>
  inOneLine(form, ([, words = ""], add) => {
    add("passed", 0);
    addWords(words, meaning, add);
  });

const vitest = inWords(/^\s*Tests {2}(?:no tests|(\d.*) \(\d+\))\s*$/, JS);
const jest = inWords(/^Tests: +(?:(\d.*), )?\d+ total$/, JS);
const pytest = inWords(/^=*\s?((?:\d+ [a-z]+(?:, )?)+|no tests ran) in [\d.]+s(?: \([\d:]+\))?\s?=*$/, PYTEST);

/** For tools whose total includes failed and skipped tests. */
function addTotal(add: Sum, { total, failed, skipped }: { total: Count; failed: Count; skipped: Count }): void {
  add("failed", failed);
  add("skipped", skipped);
  add("passed", Math.max(0, Number(total ?? 0) - Number(failed ?? 0) - Number(skipped ?? 0)));
}
type Count = string | number | undefined;

const ofTotal = (form: RegExp): Row =>
  inOneLine(form, ([, total, failed, skipped], add) => addTotal(add, { total, failed, skipped }));

const jasmine = ofTotal(/^(\d+) specs?, (\d+) failures?(?:, (\d+) pending specs?)?$/);
const rspec = ofTotal(
  /^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, \d+ errors? occurred outside of examples)?$/,
);
const gradle = ofTotal(/^(\d+) tests completed, (\d+) failed(?:, (\d+) skipped)?$/);

const withErrors = (form: RegExp): Row =>
  inOneLine(form, ([, total, failures, errors, skipped], add) =>
    addTotal(add, { total, failed: Number(failures) + Number(errors), skipped }),
  );

const minitest = withErrors(/^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips$/);
const surefire = withErrors(/^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$/);

const tap = inOneLine(/^# \{ total: \d+, (.*) \}$/, ([, words = ""], add) => {
  const value = (name: string) => new RegExp(`\\b${name}: (\\d+)`).exec(words)?.[1];
  add("passed", value("pass"));
  add("failed", value("fail"));
  add("skipped", Number(value("skip") ?? 0) + Number(value("todo") ?? 0));
});

const inParts = (form: RegExp): Row =>
  inOneLine(form, ([, passed, failed, skipped], add) => {
    add("passed", passed);
    add("failed", failed);
    add("skipped", skipped);
  });

const deno = inParts(
  /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored(?: \([^)]*\))?)?/,
);
const cargo = inParts(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/);

const phpunit = inOneLine(
  /^(?:OK \((\d+) tests?, \d+ assertions?\)|Tests: (\d+), Assertions: \d+(.*)\.|(No tests executed!))$/,
  ([, passed, total, words = ""], add) => {
    const value = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(words)?.[1] ?? 0);
    const failed = value("Errors") + value("Failures");
    addTotal(add, { total: passed ?? total, failed, skipped: value("Skipped") + value("Incomplete") });
  },
);

/** A block of lines in a fixed order: other programs that print TAP use the same words differently. */
const nodeTest: Row = (add) => {
  const order = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo"];
  let seen: number[] = [];
  return (text) => {
    const [, word = "", count] = /^(?:ℹ|#) ([a-z]+) (\d+)$/.exec(text) ?? [];
    if (word === "tests") seen = [];
    if (count === undefined || word !== order[seen.length]) return false;
    seen.push(Number(count));
    if (word !== "todo") return true;
    const [, , passed, failed = 0, cancelled = 0, skipped = 0, todo = 0] = seen;
    add("passed", passed);
    add("failed", failed + cancelled);
    add("skipped", skipped + todo);
    return true;
  };
};

const MOCHA: Readonly<Record<string, Part>> = { passing: "passed", failing: "failed", pending: "skipped" };

/** Three lines, of which the later ones may be missing. */
const mocha: Row = (add) => {
  let isOpen = false;
  return (text) => {
    const [, count, word = ""] = /^ {2}(\d+) (passing|failing|pending)(?: \([\d.]+m?s?\))?$/.exec(text) ?? [];
    const part = MOCHA[word];
    if (word === "passing") isOpen = true;
    else if (text.trim() === "") isOpen = false;
    if (!part || !isOpen) return false;
    add(part, count);
    return true;
  };
};

const ava: Row = (add) => (text) => {
  const [, count, word = ""] = /^ {2}(\d+) (?:tests? (passed|failed|skipped|todo)|known failures?)$/.exec(text) ?? [];
  if (count === undefined) return false;
  add(JS[word] ?? "skipped", count);
  return true;
};

const BUN: Readonly<Record<string, Part>> = { pass: "passed", fail: "failed", skip: "skipped", todo: "skipped" };

const bun: Row = (add) => {
  let seen: [Part, string][] = [];
  return (text) => {
    const [, count, word = ""] = /^ (\d+) (pass|fail|skip|todo)$/.exec(text) ?? [];
    const part = BUN[word];
    if (part && count !== undefined) seen = [...seen.slice(-3), [part, count]];
    if (!/^Ran \d+ tests? across \d+ files?\./.test(text)) return part !== undefined;
    for (const [which, many] of seen) add(which, many);
    add("passed", 0);
    seen = [];
    return true;
  };
};

const unittest: Row = (add) => {
  let total: string | null = null;
  return (text) => {
    const ran = /^Ran (\d+) tests? in [\d.]+s$/.exec(text)?.[1];
    if (ran !== undefined) total = ran;
    const end = /^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/.exec(text);
    if (!end || total === null) return ran !== undefined;
    const value = (name: string) => Number(new RegExp(`(?:^|, )${name}=(\\d+)`).exec(end[1] ?? "")?.[1] ?? 0);
    const failed = value("failures") + value("errors") + value("unexpected successes");
    addTotal(add, { total, failed, skipped: value("skipped") + value("expected failures") });
    total = null;
    return true;
  };
};

const GO: Readonly<Record<string, Part>> = { pass: "passed", fail: "failed", skip: "skipped" };

/** Only the long forms list tests: `ok pkg 0.003s` does not show how many there were. */
const go: Row = (add) => {
  let isLong = false;
  return (text) => {
    isLong ||= text.startsWith("=== RUN ");
    const plain = isLong ? /^\s*--- (PASS|FAIL|SKIP): /.exec(text)?.[1] : undefined;
    const json = /^\{.*"Action":"(pass|fail|skip)".*"Test":"/.exec(text)?.[1];
    const part = GO[(plain ?? json ?? "").toLowerCase()];
    if (part) add(part, 1);
    return part !== undefined;
  };
};

/** Skipped tests are counted as passed and listed below. */
const ctest: Row = (add) => (text) => {
  const [, failed, total] = /^\d+% tests passed, (\d+) tests failed out of (\d+)$/.exec(text) ?? [];
  if (total !== undefined) addTotal(add, { total, failed, skipped: 0 });
  else if (/^\s+\d+ - .+ \(Skipped\)$/.test(text)) {
    add("passed", -1);
    add("skipped", 1);
  } else if (/^No tests were found!!!$/.test(text)) add("passed", 0);
  else return false;
  return true;
};

const ROWS: Readonly<Record<string, Row>> = {
  nodeTest,
  vitest,
  jest,
  mocha,
  jasmine,
  ava,
  tap,
  bun,
  deno,
  pytest,
  unittest,
  cargo,
  go,
  ctest,
  phpunit,
  rspec,
  minitest,
  surefire,
  gradle,
};

export const summaries = (): Summary[] => Object.values(ROWS).map(summary);
