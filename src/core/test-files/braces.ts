import { closingOf, type Masked, mask, SYNTAX } from "../source/mask.ts";
import { assertedIn } from "./asserted.ts";
import { type Machine, mayRun, tagsHold } from "./condition.ts";
import { assertionsOf, type FoundTest, type FoundTests, testTitle } from "./found.ts";

const from = (code: string, start: number): string => {
  const open = code.indexOf("{", start);
  return open === -1 ? "" : code.slice(open, closingOf(code, open));
};

/** The tests of Go, including named subtests. */
export function goTests(source: string, machine: Machine): FoundTests {
  const masked = mask(source, SYNTAX.go);
  const { text, code } = masked;
  const excluded = [...source.matchAll(/^\/\/\s*go:build\s+(.+)$/gm)].some(
    ([, tags = ""]) => tagsHold(tags, machine) === false,
  );
  const skips = (start: number) => {
    const open = code.indexOf("{", start);
    const body = { text: text.slice(open, closingOf(code, open)), code: from(code, start) };
    const leaves = [...body.code.matchAll(/\b\w+\.Skip(?:f|Now)?\(|\bos\.Exit\(0\)/g)];
    return (
      excluded ||
      leaves.some(({ index }) => mayRun(body, { from: 1, at: index }, machine).is) ||
      returnsFirst(body.code, GO_ASSERTION)
    );
  };
  const named = [...code.matchAll(/^func\s+((?:Test|Fuzz|Example)\w*)\s*\(/gm)].map(
    ({ index, 0: { length }, 1: title = "" }): FoundTest => ({
      title,
      skipped: skips(index + length),
      body: from(code, index),
    }),
  );
  const inner = [...code.matchAll(/\b\w\.Run\(\s*"( *)"/g)].map((match): FoundTest => {
    const end = match.index + match[0].length - 1;
    const title = testTitle(text.slice(end - (match[1]?.length ?? 0), end));
    return { title, skipped: skips(match.index) };
  });
  return { tests: [...named, ...inner], only: 0, ...assertionsOf(assertedIn(masked, GO_ASSERTION, false)) };
}

const GO_ASSERTION = /\bt\.(?:Error|Fatal|Fail)\w*\(|\b(?:assert|require)\.\w+\(|\bcmp\.Diff\(/g;

/** Whether a body returns, in its own block, before its first assertion. */
function returnsFirst(body: string, assertion: RegExp): boolean {
  const first = body.search(new RegExp(assertion.source));
  return [...body.slice(0, Math.max(0, first)).matchAll(/\breturn\s*[;\n}]/g)].some(({ index }) => {
    const before = body.slice(0, index);
    return before.split("{").length - before.split("}").length === 1;
  });
}

/** Whether a condition excludes code by default: `any()`, a feature, a custom name. */
const leavesOut = (condition: string): boolean =>
  /\bany\(\s*\)|\bnot\(\s*test\s*\)/.test(condition) ||
  (condition.match(/\b\w+\b(?!\s*\()/g) ?? []).some(
    (name) => !/^(?:test|unix|windows|target_\w+|debug_assertions|panic)$/.test(name),
  );

function leftOut(code: string): [number, number][] {
  if ([...code.matchAll(/#!\[\s*cfg\(([^\]]*)\)\s*\]/g)].some(([, condition = ""]) => leavesOut(condition)))
    return [[0, code.length]];
  const modules = code.matchAll(
    /#\[\s*cfg\(([^\]]*)\)\s*\](?:\s*#\[[^\]]*\])*\s*(?:pub(?:\([^)]*\))?\s+)?mod\s+\w+\s*\{/g,
  );
  return [...modules].flatMap(({ index, 0: whole, 1: condition = "" }) =>
    leavesOut(condition) ? [[index, closingOf(code, index + whole.length - 1)]] : [],
  );
}

export function rustTests(source: string): FoundTests {
  const masked = mask(source, SYNTAX.rust);
  const { code } = masked;
  const left = leftOut(code);
  const tests = [...code.matchAll(/((?:#\[[^\]]*\]\s*)+)(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+(\w+)/g)].flatMap(
    ({ index: at, 1: marks = "", 2: title = "" }): FoundTest[] => {
      if (!/#\[\s*(?:\w+::)*(?:test|rstest|test_case|wasm_bindgen_test)\b/.test(marks)) return [];
      const skipped = /#\[\s*(?:ignore\b|cfg\(|cfg_attr\([^\]]*\bignore\b)/.test(marks);
      const body = from(code, at + marks.length);
      const isLeft = returnsFirst(body, RUST_ASSERTION) || left.some(([start, end]) => start <= at && at < end);
      return [{ title, skipped: skipped || isLeft, body }];
    },
  );
  return { tests, only: 0, ...assertionsOf(assertedIn(masked, tests.length > 0 ? RUST_ASSERTION : /(?!)/g)) };
}

const RUST_ASSERTION = /\b(?:debug_)?assert\w*!|\bpanic!/g;

interface Marked {
  mark: RegExp;
  skip: RegExp;
  name: RegExp;
  assertion: RegExp;
}

const JVM: Marked = {
  mark: /@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|Property)\b/g,
  skip: /@(?:Disabled|Ignore)\w*|\benabled\s*=\s*false/,
  name: /(?:\bvoid|\bfun)\s+(?:<[^>]*>\s*)?(`[^`\n]*`|\w+)\s*\(/,
  assertion: /\b(?:assert\w*|verify|expect\w*|fail|should\w*)\s*[({]|\.should\w*\b/g,
};
const DOTNET: Marked = {
  mark: /\[(?:Fact|Theory|Test|TestCase|TestMethod|DataTestMethod)\b/g,
  skip: /\[Ignore|\bSkip\s*=|\bExplicit\b/,
  name: /\b(?:void|Task(?:<[^>]*>)?)\s+(\w+)\s*\(/,
  assertion: /\bAssert\.\w+|\.Should\w*\(/g,
};

export const jvmTests = (source: string): FoundTests => markedTests(mask(source, SYNTAX.java), JVM);
export const dotnetTests = (source: string): FoundTests => markedTests(mask(source, SYNTAX.java), DOTNET);

function markedTests(masked: Masked, { mark, skip, name, assertion }: Marked): FoundTests {
  const { code } = masked;
  const head = code.slice(0, Math.max(0, code.search(/\bclass\b/)));
  const classSkipped = skip.test(head.slice(head.lastIndexOf(";") + 1));
  const tests = [...code.matchAll(mark)].flatMap((match): FoundTest[] => {
    const method = name.exec(code.slice(match.index));
    if (!method) return [];
    const before = code.slice(0, match.index);
    const start = Math.max(before.lastIndexOf(";"), before.lastIndexOf("{"), before.lastIndexOf("}"));
    const marks = code.slice(start + 1, match.index + method.index);
    const body = from(code, match.index + method.index);
    const skipped = classSkipped || skip.test(marks) || returnsFirst(body, assertion);
    return [{ title: testTitle(method[1] ?? ""), skipped, body }];
  });
  return { tests, only: 0, ...assertionsOf(assertedIn(masked, assertion)) };
}

export function phpTests(source: string): FoundTests {
  const masked = mask(source, SYNTAX.java);
  const { code } = masked;
  const tests = [...code.matchAll(/function\s+(test\w+)\s*\(/g)].map(({ index, 1: title = "" }): FoundTest => {
    const body = from(code, index);
    return { title, skipped: /markTest(?:Skipped|Incomplete)\(/.test(body), body };
  });
  return { tests, only: 0, ...assertionsOf(assertedIn(masked, /(?:->|::)(?:assert\w+|expect\w+|fail)\(/g)) };
}
