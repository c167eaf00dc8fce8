import { countMatches, type FoundTest, type FoundTests } from "./found.ts";
import { itemsIn, mask, SYNTAX } from "./mask.ts";

const SKIP_MARK =
  /\bmark\.(?:skip|skipif|xfail)\b|\bunittest\.(?:skip|expectedFailure)|^\s*@(?:skip|skipIf|skipUnless|expectedFailure)\b/m;
const SKIP_CALL = /\bpytest\.(?:skip|xfail)\(|\bself\.skipTest\(|\braise\s+(?:unittest\.)?SkipTest\b/;
const WHOLE_FILE =
  /^(?:pytestmark\s*=.*\bmark\.(?:skip|skipif|xfail)\b|__test__\s*=\s*False|pytest\.(?:skip|importorskip)\(|raise\s+(?:unittest\.)?SkipTest\b)/m;
const ASSERTION = /^\s*assert\b|\bself\.(?:assert\w+|fail)\(|\bpytest\.(?:raises|warns|fail)\(/gm;

/** Hooks in a conftest.py that decide which tests run, or change their results. */
const CHOOSING =
  /^(?:collect_ignore\w*\s*=|def\s+pytest_(?:ignore_collect|collection_modifyitems|pyfunc_call|runtest_\w+|sessionfinish|exception_interact)\b)/gm;

export function pythonTests(source: string): FoundTests {
  const { code } = mask(source, SYNTAX.python);
  const lines = code.split("\n");
  const fileSkipped = WHOLE_FILE.test(code);
  const tests: FoundTests["tests"] = [];
  let classes: { indent: number; skipped: boolean }[] = [];
  let marks = "";
  for (const [i, line] of lines.entries()) {
    const [, space = "", kind, name = ""] = /^(\s*)(?:async\s+)?(?:(class|def)\s+(\w+)|@)/.exec(line) ?? [];
    if (line.trimStart().startsWith("@") || (marks !== "" && kind === undefined)) marks += `${line}\n`;
    if (kind === undefined) continue;
    classes = classes.filter(({ indent }) => indent < space.length);
    const body = bodyOf(lines, i, space.length);
    const skipped = fileSkipped || SKIP_MARK.test(marks) || classes.some((outer) => outer.skipped);
    if (kind === "class")
      classes.push({ indent: space.length, skipped: skipped || /^\s*__test__\s*=\s*False/m.test(body) });
    else if (name.startsWith("test")) {
      tests.push({ title: name, skipped: skipped || SKIP_CALL.test(body), ...rowsOf(marks) });
    }
    marks = "";
  }
  return { tests, only: countMatches(code, CHOOSING), assertions: countMatches(code, ASSERTION) };
}

function rowsOf(marks: string): Pick<FoundTest, "rows"> {
  const table = /\bparametrize\([^[]*?,\s*(?=\[)/.exec(marks);
  const rows = table ? itemsIn(marks, table.index + table[0].length) : 1;
  return rows > 1 ? { rows } : {};
}

function bodyOf(lines: readonly string[], start: number, indent: number): string {
  let end = start + 1;
  while (end < lines.length && isInside(lines[end] ?? "", indent)) end += 1;
  return lines.slice(start + 1, end).join("\n");
}

const isInside = (line: string, indent: number): boolean =>
  line.trim() === "" || line.length - line.trimStart().length > indent;
