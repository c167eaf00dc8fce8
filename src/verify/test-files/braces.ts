import { countMatches, type FoundTest, type FoundTests, testTitle } from "./found.ts";
import { closingOf, type Masked, mask, SYNTAX } from "./mask.ts";

const from = (code: string, start: number): string => {
  const open = code.indexOf("{", start);
  return open === -1 ? "" : code.slice(open, closingOf(code, open));
};

const USUAL_TAGS =
  /^(?:linux|darwin|windows|unix|freebsd|openbsd|netbsd|android|ios|js|wasip1|plan9|solaris|amd64|arm64|386|arm|wasm|riscv64|ppc64le|s390x|cgo|gc|gccgo|race|go1\.\d+)$/;

const needsTag = (tags: string): boolean =>
  (tags.match(/!?[\w.]+/g) ?? []).some((tag) => !tag.startsWith("!") && !USUAL_TAGS.test(tag));

/** The tests of Go, including named subtests. */
export function goTests(source: string): FoundTests {
  const { text, code } = mask(source, SYNTAX.go);
  const excluded = [...source.matchAll(/^\/\/\s*(?:go:build|\+build)\s+(.+)$/gm)].some(([, tags = ""]) =>
    needsTag(tags),
  );
  const skips = /\b\w+\.Skip(?:f|Now)?\(/;
  const named = [...code.matchAll(/^func\s+((?:Test|Fuzz|Example)\w*)\s*\(/gm)].map(
    (match): FoundTest => ({ title: match[1] ?? "", skipped: excluded || skips.test(from(code, match.index)) }),
  );
  const inner = [...code.matchAll(/\b\w\.Run\(\s*"( *)"/g)].map((match): FoundTest => {
    const end = match.index + match[0].length - 1;
    const title = testTitle(text.slice(end - (match[1]?.length ?? 0), end));
    return { title, skipped: excluded || skips.test(from(code, match.index)) };
  });
  const assertions = countMatches(code, /\bt\.(?:Error|Fatal|Fail)\w*\(|\b(?:assert|require)\.\w+\(|\bcmp\.Diff\(/g);
  return { tests: [...named, ...inner], only: 0, assertions };
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
  const { code } = mask(source, SYNTAX.rust);
  const left = leftOut(code);
  const tests = [...code.matchAll(/((?:#\[[^\]]*\]\s*)+)(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+(\w+)/g)].flatMap(
    ({ index: at, 1: marks = "", 2: title = "" }): FoundTest[] => {
      if (!/#\[\s*(?:\w+::)*(?:test|rstest|test_case|wasm_bindgen_test)\b/.test(marks)) return [];
      const skipped = /#\[\s*(?:ignore\b|cfg\(|cfg_attr\([^\]]*\bignore\b)/.test(marks);
      return [{ title, skipped: skipped || left.some(([start, end]) => start <= at && at < end) }];
    },
  );
  return { tests, only: 0, assertions: tests.length > 0 ? countMatches(code, /\b(?:debug_)?assert\w*!|\bpanic!/g) : 0 };
}

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

function markedTests({ code }: Masked, { mark, skip, name, assertion }: Marked): FoundTests {
  const head = code.slice(0, Math.max(0, code.search(/\bclass\b/)));
  const classSkipped = skip.test(head.slice(head.lastIndexOf(";") + 1));
  const tests = [...code.matchAll(mark)].flatMap((match): FoundTest[] => {
    const method = name.exec(code.slice(match.index));
    if (!method) return [];
    const before = code.slice(0, match.index);
    const start = Math.max(before.lastIndexOf(";"), before.lastIndexOf("{"), before.lastIndexOf("}"));
    const marks = code.slice(start + 1, match.index + method.index);
    return [{ title: testTitle(method[1] ?? ""), skipped: classSkipped || skip.test(marks) }];
  });
  return { tests, only: 0, assertions: countMatches(code, assertion) };
}

export function phpTests(source: string): FoundTests {
  const { code } = mask(source, SYNTAX.java);
  const tests = [...code.matchAll(/function\s+(test\w+)\s*\(/g)].map(
    (match): FoundTest => ({
      title: match[1] ?? "",
      skipped: /markTest(?:Skipped|Incomplete)\(/.test(from(code, match.index)),
    }),
  );
  return { tests, only: 0, assertions: countMatches(code, /(?:->|::)(?:assert\w+|expect\w+|fail)\(/g) };
}
