import { count, type FoundTest, type FoundTests, titleOf } from "./found.ts";
import { closingOf, type Masked, mask, SYNTAX } from "./mask.ts";

const from = (code: string, start: number): string => {
  const open = code.indexOf("{", start);
  return open === -1 ? "" : code.slice(open, closingOf(code, open));
};

/** The tests of Go; those that a test runs by a name of their own too. */
export function goTests(source: string): FoundTests {
  const { text, code } = mask(source, SYNTAX.go);
  const excluded = /^\/\/go:build\s+(?:ignore|false|never)\b/m.test(source);
  const skips = /\b\w+\.Skip(?:f|Now)?\(/;
  const named = [...code.matchAll(/^func\s+((?:Test|Fuzz|Example)\w*)\s*\(/gm)].map(
    (match): FoundTest => ({ title: match[1] ?? "", skipped: excluded || skips.test(from(code, match.index)) }),
  );
  const inner = [...code.matchAll(/\b\w\.Run\(\s*"( *)"/g)].map((match): FoundTest => {
    const end = match.index + match[0].length - 1;
    const title = titleOf(text.slice(end - (match[1]?.length ?? 0), end));
    return { title, skipped: excluded || skips.test(from(code, match.index)) };
  });
  const assertions = count(code, /\bt\.(?:Error|Fatal|Fail)\w*\(|\b(?:assert|require)\.\w+\(|\bcmp\.Diff\(/g);
  return { tests: [...named, ...inner], only: 0, assertions };
}

/** The tests of Rust, in files of their own or beside the code. */
export function rustTests(source: string): FoundTests {
  const { code } = mask(source, SYNTAX.rust);
  const tests = [...code.matchAll(/((?:#\[[^\]]*\]\s*)+)(?:pub(?:\([^)]*\))?\s+)?(?:async\s+)?fn\s+(\w+)/g)].flatMap(
    ([, marks = "", title = ""]): FoundTest[] => {
      if (!/#\[\s*(?:\w+::)*(?:test|rstest|test_case|wasm_bindgen_test)\b/.test(marks)) return [];
      return [{ title, skipped: /#\[\s*(?:ignore\b|cfg\(|cfg_attr\([^\]]*\bignore\b)/.test(marks) }];
    },
  );
  return { tests, only: 0, assertions: tests.length > 0 ? count(code, /\b(?:debug_)?assert\w*!|\bpanic!/g) : 0 };
}

interface Marked {
  /** What makes a method a test. */
  mark: RegExp;
  skip: RegExp;
  /** What keeps a whole class from being run, before the word `class`. */
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

/** Languages that mark their tests by annotations. */
function markedTests({ code }: Masked, { mark, skip, name, assertion }: Marked): FoundTests {
  const head = code.slice(0, Math.max(0, code.search(/\bclass\b/)));
  const classSkipped = skip.test(head.slice(head.lastIndexOf(";") + 1));
  const tests = [...code.matchAll(mark)].flatMap((match): FoundTest[] => {
    const method = name.exec(code.slice(match.index));
    if (!method) return [];
    const before = code.slice(0, match.index);
    const start = Math.max(before.lastIndexOf(";"), before.lastIndexOf("{"), before.lastIndexOf("}"));
    const marks = code.slice(start + 1, match.index + method.index);
    return [{ title: titleOf(method[1] ?? ""), skipped: classSkipped || skip.test(marks) }];
  });
  return { tests, only: 0, assertions: count(code, assertion) };
}

/** The tests of PHPUnit. */
export function phpTests(source: string): FoundTests {
  const { code } = mask(source, SYNTAX.java);
  const tests = [...code.matchAll(/function\s+(test\w+)\s*\(/g)].map(
    (match): FoundTest => ({
      title: match[1] ?? "",
      skipped: /markTest(?:Skipped|Incomplete)\(/.test(from(code, match.index)),
    }),
  );
  return { tests, only: 0, assertions: count(code, /(?:->|::)(?:assert\w+|expect\w+|fail)\(/g) };
}
