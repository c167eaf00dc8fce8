import {
  addTotal,
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
  withErrors,
} from "./forms.ts";
import { junitOutput } from "./junit.ts";
import { tapOutput } from "./tap.ts";

const PYTEST: Meaning = {
  passed: "passed",
  xpassed: "passed",
  failed: "failed",
  error: "failed",
  skipped: "skipped",
  xfailed: "skipped",
};
const PYTEST_TEST: Meaning = {
  PASSED: "passed",
  XPASS: "passed",
  FAILED: "failed",
  ERROR: "failed",
  SKIPPED: "skipped",
  XFAIL: "skipped",
};

const pytest = allOf(
  inWords(/^=*\s?((?:\d+ [a-z]+(?:, )?)+|no tests ran) in [\d.]+s(?: \([\d:]+\))?\s?=*$/, PYTEST),
  eachTest(/^(?<name>(?<file>\S+\.py)::.+?) (?<is>PASSED|XPASS|FAILED|ERROR|SKIPPED|XFAIL)\b/, PYTEST_TEST),
  eachTest(/^(?<file>\S+\.py) [.FEsxX]*[.FEX][.FEsxX]*(?: +\[ *\d+%\])?$/, PYTEST),
  eachFailure(/^FAILED (?<name>\S+\.py::.+?)(?: - .*)?$/),
);

const UNITTEST: Meaning = {
  ok: "passed",
  "unexpected success": "failed",
  FAIL: "failed",
  ERROR: "failed",
  skipped: "skipped",
  "expected failure": "skipped",
};

const unittestSummary: Reader = (to) => {
  let total: string | null = null;
  return (line) => {
    const ran = /^Ran (\d+) tests? in [\d.]+s$/.exec(line)?.[1];
    if (ran !== undefined) total = ran;
    const end = /^(?:OK|FAILED|NO TESTS RAN)(?: \((.*)\))?$/.exec(line);
    if (!end || total === null) return ran !== undefined;
    const value = (name: string) => Number(new RegExp(`(?:^|, )${name}=(\\d+)`).exec(end[1] ?? "")?.[1] ?? 0);
    const skipped = value("skipped") + value("expected failures");
    // A test can have several errors, and a class that cannot be set up has one and no test.
    const failed = Math.min(
      value("failures") + value("errors") + value("unexpected successes"),
      Math.max(1, Number(total) - skipped),
    );
    to.begin();
    addTotal(to, { total, failed, skipped });
    total = null;
    return true;
  };
};

const unittest = allOf(
  unittestSummary,
  eachTest(
    /^(?<name>\w+ \([\w.]+\)) \.\.\. (?<is>ok|FAIL|ERROR|unexpected success|skipped|expected failure)/,
    UNITTEST,
  ),
);

const CARGO: Meaning = { ok: "passed", FAILED: "failed", ignored: "skipped" };

const cargo = allOf(
  inParts(/^test result: \w+\. (\d+) passed; (\d+) failed; (\d+) ignored;/),
  eachTest(/^test (?<name>\S.*?)(?: - should panic)? \.\.\. (?<is>ok|FAILED|ignored)/, CARGO),
);

const GO: Meaning = { pass: "passed", fail: "failed", skip: "skipped" };

/** Only the long forms list tests: `ok pkg 0.003s` does not show how many there were. */
const go: Reader = (to) => {
  let isLong = false;
  return (line) => {
    isLong ||= line.startsWith("=== RUN ");
    const plain = isLong ? /^\s*--- (PASS|FAIL|SKIP): (\S+)/.exec(line) : null;
    const json = /^\{.*"Action":"(pass|fail|skip)".*"Test":"([^"]+)"/.exec(line);
    const [, word = "", name = ""] = plain ?? json ?? [];
    const part = GO[word.toLowerCase()];
    if (part) {
      to.add(part, 1);
      to.test(name, part);
      return true;
    }
    return goPackage(to, line, isLong);
  };
};

function goPackage(to: Parameters<Reader>[0], line: string, isLong: boolean): boolean {
  if (/^(?:\?|ok) {2}?\s*\t\S+\t.*\[no test(?:s to run| files)\]$/.test(line)) {
    to.add("passed", 0);
    return true;
  }
  const name = /^(?:ok|FAIL) *\t(\S+)\t(?:[\d.]+s|\(cached\))/.exec(line)?.[1];
  if (name === undefined) return false;
  to.file(name);
  if (!isLong) to.uncounted();
  return false;
}

/** Skipped tests are counted as passed and listed below. */
const ctestSummary: Reader = (to) => (line) => {
  const [, failed, total] = /^\d+% tests passed, (\d+) tests failed out of (\d+)$/.exec(line) ?? [];
  if (total !== undefined) {
    to.begin();
    addTotal(to, { total, failed, skipped: 0 });
  } else if (/^\s+\d+ - .+ \(Skipped\)$/.test(line)) {
    to.add("passed", -1);
    to.add("skipped", 1);
  } else if (/^No tests were found!!!$/.test(line)) to.begin();
  else return false;
  return true;
};

const CTEST: Meaning = { Passed: "passed", "***Failed": "failed", "***Timeout": "failed", "***Exception": "failed" };

const ctest = allOf(
  ctestSummary,
  eachTest(/^ *\d+\/\d+ Test +#\d+: (?<name>\S+) \.*\s*(?<is>Passed|\*\*\*\w+)/, CTEST),
);

const phpunit = inOneLine(
  /^(?:OK \((\d+) tests?, \d+ assertions?\)|Tests: (\d+), Assertions: (\d+.*)\.|(No tests executed!))$/,
  ([, passed, total, words = ""], to) => {
    const value = (name: string) => Number(new RegExp(`${name}: (\\d+)`).exec(words)?.[1] ?? 0);
    const failed = value("Errors") + value("Failures");
    // A class without tests is one test with a warning.
    const empty = words.startsWith("0,") ? value("Warnings") : 0;
    const skipped = value("Skipped") + value("Incomplete") + empty;
    addTotal(to, { total: passed ?? total, failed, skipped });
  },
);

const rspec = allOf(
  ofTotal(/^(\d+) examples?, (\d+) failures?(?:, (\d+) pending)?(?:, \d+ errors? occurred outside of examples)?$/),
  eachFailure(/^rspec \.\/\S+ # (?<name>.+)$/),
);

const minitest = allOf(
  withErrors(/^(\d+) (?:runs|tests), \d+ assertions, (\d+) failures, (\d+) errors, (\d+) skips$/),
  eachTest(/^(?<name>\S+#\S+) = [\d.]+ s = (?<is>[.FES])$/, { ".": "passed", F: "failed", E: "failed", S: "skipped" }),
);

const surefire = allOf(
  withErrors(/^(?:\[\w+\] )?Tests run: (\d+), Failures: (\d+), Errors: (\d+), Skipped: (\d+)$/),
  nothing(/^(?:\[\w+\] )?(?:No tests to run|Tests are skipped)\.$/),
  eachTest(/^(?:\[\w+\] )?Tests run: [1-9].*, Time elapsed: .* --? ?in (?<file>[\w.$]+)$/, {}),
);

const gradle = ofTotal(/^(\d+) tests completed, (\d+) failed(?:, (\d+) skipped)?$/);

export const OTHERS: Readonly<Record<string, Reader>> = {
  pytest,
  unittest,
  cargo,
  "go test": go,
  ctest,
  phpunit,
  rspec,
  minitest,
  surefire,
  gradle,
};

/** Formats that many runners can print in place of their own: they count where no runner does. */
export const FORMATS: Readonly<Record<string, Reader>> = { TAP: tapOutput, JUnit: junitOutput };
