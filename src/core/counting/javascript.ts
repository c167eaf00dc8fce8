import {
  allOf,
  eachFailure,
  eachTest,
  inOneLine,
  inParts,
  inWords,
  type Meaning,
  nothing,
  ofTotal,
  type Reader,
} from "./forms.ts";
import { isFileName, type Part, type Tally } from "./tally.ts";

const WORDS: Meaning = {
  passed: "passed",
  failed: "failed",
  skipped: "skipped",
  todo: "skipped",
  "expected fail": "skipped",
};
const MARKS: Meaning = { "✓": "passed", "✔": "passed", "√": "passed", "×": "failed", "✕": "failed", "↓": "skipped" };

const vitest = allOf(
  inWords(/^\s*Tests {2}(?:no tests|(\d.*) \(\d+\))\s*$/, WORDS),
  nothing(/^No test files found, exiting with code \d$/),
  inParts(
    /^\{"numTotalTestSuites":.*?"numTotalTests":\d+,"numPassedTests":(\d+),"numFailedTests":(\d+),"numPendingTests":(\d+)/,
  ),
  eachTest(/^ (?<is>[✓×↓]) (?:\|[^|]+\| )?(?<name>\S+\.\w+ > .+?)(?: \d+ms)?$/, MARKS),
  eachTest(/^ [✓×] (?:\|[^|]+\| )?(?<file>\S+\.\w+) > /, {}),
  // A file that could not be loaded has no tests.
  eachTest(
    /^ [✓×❯] (?:\|[^|]+\| )?(?<file>\S+\.\w+) \((?<count>[1-9]\d*) tests?(?: \| \d+ failed)?(?: \| (?<skipped>\d+) skipped)?(?: \| (?<todo>\d+) todo)?\)/,
    {},
  ),
  eachFailure(/^ FAIL {2}(?:\|[^|]+\| )?(?<name>\S+\.\w+ > .+)$/),
);

const jest = allOf(
  inWords(/^Tests: +(?:(\d.*), )?\d+ total$/, WORDS),
  nothing(/^No tests found, exiting with code \d$/),
  eachTest(/^ {2,}(?<is>[✓√✕×]) (?<name>.+?)(?: \([\d.]+ m?s\))?$/, MARKS),
  eachTest(/^ ?(?:PASS|FAIL) +(?:\S+ )?(?<file>\S+\.\w+)(?: \([\d.]+ m?s\))?$/, MARKS),
  eachFailure(/^ {2}● (?!Console$|Test suite failed to run$|Validation |Deprecation )(?<name>\S.*)$/),
);

const jasmine = ofTotal(/^(\d+) specs?, (\d+) failures?(?:, (\d+) pending specs?)?$/);

const tap = inOneLine(/^# \{ total: \d+, (.*) \}$/, ([, words = ""], to) => {
  const value = (name: string) => new RegExp(`\\b${name}: (\\d+)`).exec(words)?.[1];
  to.add("passed", value("pass"));
  to.add("failed", value("fail"));
  to.add("skipped", Number(value("skip") ?? 0) + Number(value("todo") ?? 0));
});

/** A block of lines in a fixed order: other programs that print TAP use the same words differently. */
const nodeSummary: Reader = (to) => {
  const order = ["tests", "suites", "pass", "fail", "cancelled", "skipped", "todo"];
  let seen: number[] = [];
  return (line) => {
    const [, word = "", count] = /^(?:ℹ|#) ([a-z]+) (\d+)$/.exec(line) ?? [];
    if (word === "tests") seen = [];
    if (count === undefined || word !== order[seen.length]) return false;
    seen.push(Number(count));
    if (word !== "todo") return true;
    const [, , passed, failed = 0, cancelled = 0, skipped = 0, todo = 0] = seen;
    to.begin();
    to.add("passed", passed);
    to.add("failed", failed + cancelled);
    to.add("skipped", skipped + todo);
    return true;
  };
};

/** A directive makes a test count as skipped, whatever its result is. */
const partOf = (isOk: boolean, directive: string | undefined): Part =>
  directive ? "skipped" : isOk ? "passed" : "failed";

/** A file that fails as a whole is named instead of its tests. */
function nodeTestLine(to: Tally, name: string, part: Part): void {
  to.test(name, part);
  if (part === "failed" && isFileName(name)) to.broken(1);
}

/** Names of TAP as Node prints it: whether a line was a suite is known only from the lines below it. */
const nodeTap: Reader = (to) => (line) => {
  const [, not, name, directive] = /^\s*(not )?ok \d+ - (.*?)(?: # (SKIP|TODO).*)?$/.exec(line) ?? [];
  if (name !== undefined) nodeTestLine(to, name, partOf(not === undefined, directive));
  else if (/^\s+type: 'suite'$/.test(line)) to.untest();
  return false;
};

const SPEC_LINE = /^(\s*)([▶✔✖﹣]) (.+?)(?: \([\d.]+ms\)(?: # (.*))?)?$/;

/** Names of the reporter for people, which names a suite before and after its tests. */
const nodeSpec: Reader = (to) => {
  let open: string[] = [];
  const name = (mark: string, suite: string, directive: string | undefined) => {
    if (mark === "▶") {
      open.push(suite);
      to.group();
    } else if (open.includes(suite)) open = open.slice(0, open.lastIndexOf(suite));
    else nodeTestLine(to, suite.trim(), partOf(mark === "✔", directive ?? (mark === "﹣" ? mark : undefined)));
  };
  // The failures are listed a second time at the end.
  let isAgain = false;
  return (line) => {
    const [, indent = "", mark = "", title = "", directive] = SPEC_LINE.exec(line) ?? [];
    if (line === "✖ failing tests:") isAgain = true;
    if (mark === "▶" || (mark === "✔" && indent === "")) isAgain = false;
    if (mark !== "" && !isAgain) name(mark, `${indent}${title}`, directive);
    return false;
  };
};

const MOCHA: Meaning = { passing: "passed", failing: "failed", pending: "skipped" };

/** Three lines, of which the later ones may be missing. */
const mochaSummary: Reader = (to) => {
  let isOpen = false;
  return (line) => {
    const [, count, word = ""] = /^ {2}(\d+) (passing|failing|pending)(?: \([\d.]+m?s?\))?$/.exec(line) ?? [];
    const part = MOCHA[word];
    if (word === "passing") {
      isOpen = true;
      to.begin();
    } else if (line.trim() === "") isOpen = false;
    if (!part || !isOpen) return false;
    to.add(part, count);
    return true;
  };
};

const mocha = allOf(
  mochaSummary,
  eachTest(/^ {2,}(?<is>[✓✔√]) (?<name>.+?)(?: \(\d+ms\))?$/, MARKS),
  // A failure has its number instead of a mark, and is listed again below, with a colon.
  eachTest(/^ {2,}\d+(?<is>\)) (?<name>.*[^:])$/, { ")": "failed" }),
);

const uvuSummary: Reader = (to) => {
  let total: string | undefined;
  return (line) => {
    const [, word, count] = /^ {2}(Total|Passed|Skipped): +(\d+)$/.exec(line) ?? [];
    if (word === "Total") total = count;
    else if (total === undefined) return false;
    if (word === "Passed") {
      to.begin();
      to.add("passed", count);
      to.add("failed", Number(total) - Number(count));
    } else if (word === "Skipped") {
      to.add("skipped", count);
      total = undefined;
    }
    return word !== undefined;
  };
};

const AVA: Meaning = { ...WORDS, "✔": "passed", "✘ [fail]:": "failed" };

const avaSummary: Reader = (to) => {
  let isOpen = false;
  return (line) => {
    const [, count, word = ""] = /^ {2}(\d+) (?:tests? (passed|failed|skipped|todo)|known failures?)$/.exec(line) ?? [];
    if (count !== undefined && !isOpen) to.begin();
    isOpen = count !== undefined;
    if (isOpen) to.add(AVA[word] ?? "skipped", count);
    return isOpen;
  };
};

const ava = allOf(avaSummary, eachTest(/^ {2}(?<is>✔|✘ \[fail\]:) (?<name>.+?)(?: \([\d.]+m?s\))?$/, AVA));

const BUN: Meaning = { pass: "passed", fail: "failed", skip: "skipped", todo: "skipped" };

const bunSummary: Reader = (to) => {
  let seen: [Part, string][] = [];
  return (line) => {
    const [, count, word = ""] = /^ (\d+) (pass|fail|skip|todo)$/.exec(line) ?? [];
    const part = BUN[word];
    if (part && count !== undefined) seen = [...seen.slice(-3), [part, count]];
    if (!/^Ran \d+ tests? across \d+ files?\./.test(line)) return part !== undefined;
    to.begin();
    for (const [which, many] of seen) to.add(which, many);
    seen = [];
    return true;
  };
};

const bun = allOf(bunSummary, eachTest(/^\((?<is>pass|fail|skip|todo)\) (?<name>.+?)(?: \[[\d.]+m?s\])?$/, BUN));

const DENO: Meaning = { ok: "passed", FAILED: "failed", ignored: "skipped" };

const deno = allOf(
  inParts(
    /^(?:ok|FAILED) \| (\d+) passed(?: \([^)]*\))? \| (\d+) failed(?: \([^)]*\))?(?: \| (\d+) ignored(?: \([^)]*\))?)?/,
  ),
  eachTest(/^(?<name>\S.*) \.\.\. (?<is>ok|FAILED|ignored) \([\d.]+(?:µs|ms|s)\)$/, DENO),
);

export const JAVASCRIPT: Readonly<Record<string, Reader>> = {
  "node:test": allOf(nodeSummary, nodeTap, nodeSpec),
  vitest,
  jest,
  mocha,
  jasmine,
  ava,
  tap,
  uvu: uvuSummary,
  bun,
  deno,
};
