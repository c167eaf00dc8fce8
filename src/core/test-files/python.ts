import { closingOf, itemsIn, type Masked, mask, SYNTAX } from "../source/mask.ts";
import { assertedIn } from "./asserted.ts";
import { holdsHere, type Machine } from "./condition.ts";
import { assertionsOf, countMatches, type FoundTest, type FoundTests } from "./found.ts";

const SKIP_MARK =
  /\bmark\.(?:skip|skipif|xfail)\b|\bunittest\.(?:skip|expectedFailure)|^\s*@(?:skip|skipIf|skipUnless|expectedFailure)\b/m;
const SKIP_CALL = /\bpytest\.(?:skip|xfail)\(|\bself\.skipTest\(|\braise\s+(?:unittest\.)?SkipTest\b/;
const WHOLE_FILE =
  /^(?:pytestmark\s*=.*\bmark\.(?:skip|skipif|xfail)\b|__test__\s*=\s*False|pytest\.(?:skip|importorskip)\(|raise\s+(?:unittest\.)?SkipTest\b)/m;
const ASSERTION = /^\s*assert\b|\bself\.(?:assert\w+|fail)\(|\bpytest\.(?:raises|warns|fail)\(/gm;

/** Names of a conftest.py or test file that decide which tests run, or load what may. */
const CHOOSING = /^(?:collect_ignore\w*|pytest_plugins)\s*[+:=]|\bhookimpl\([^)]*\bspecname\b/gm;
const HARMLESS_HOOKS = /^pytest_(?:addoption|report_header|terminal_summary|html_\w+)$/;
/** In a conftest.py: what changes an imported module, or ends the run. */
const PATCHING =
  /^(?:[A-Za-z_]\w*(?:\.\w+)+\s*=(?!=)|sys\.modules\[|setattr\(|(?:sys|os)\.(?:exit|_exit)\(|atexit\.register\(|sys\.(?:meta_path|path_hooks)\b)/gm;

export function pythonTests(source: string, machine: Machine, isShared = false): FoundTests {
  const masked = mask(withoutSkipsElsewhere(source, machine), SYNTAX.python);
  const { code } = masked;
  const lines = code.split("\n");
  const texts = masked.text.split("\n");
  const place = { ...machine, source: masked.text };
  const fileSkipped = WHOLE_FILE.test(code);
  const assertion = assertionIn(code);
  const tests: (FoundTest & { leaves: boolean })[] = [];
  let blocks: { indent: number; skipped: boolean }[] = [];
  let marks = "";
  for (const [i, line] of lines.entries()) {
    const [, space = "", kind, name = ""] = /^(\s*)(?:async\s+)?(?:(class|def|if|elif)\s+(\w*)|@)/.exec(line) ?? [];
    if (line.trimStart().startsWith("@") || (marks !== "" && kind === undefined)) marks += `${line}\n`;
    if (kind === undefined) continue;
    blocks = blocks.filter(({ indent }) => indent < space.length);
    const body = bodyOf(lines, i, space.length);
    const skipped = fileSkipped || SKIP_MARK.test(marks) || blocks.some((outer) => outer.skipped);
    if (kind !== "def") {
      blocks.push({ indent: space.length, skipped: skipped || isSkippedBlock(texts[i] ?? "", body, place) });
    } else if (name.startsWith("test")) {
      const text = texts
        .slice(i + 1)
        .join("\n")
        .slice(0, body.length);
      tests.push({ title: name, skipped, ...rowsOf(marks), ...inside({ text, code: body }, assertion, place) });
    }
    marks = "";
  }
  const found = tests.map(({ leaves, ...one }): FoundTest => ({ ...one, skipped: one.skipped || leaves }));
  return { tests: found, only: choosingIn(code, isShared), ...assertionsOf(assertedIn(masked, assertion)) };
}

const SET_UP = /^(\s*)(?:async\s+)?def\s+(?:setUp|setUpClass|setup_method|setup_class|asyncSetUp)\(/;

/** Whether the tests in a block do not run: by its condition, or a class by its name and bases, or by what it does first. */
function isSkippedBlock(head: string, body: string, place: Machine & { source: string }): boolean {
  const condition = /^\s*(?:el)?if\s+(.*):\s*$/.exec(head)?.[1];
  if (condition !== undefined) return holdsHere(condition, place) !== true;
  const alone = /^\s*class\s+(?!Test)(\w+)\s*(?:\(\s*(?:object)?\s*\))?\s*:/.exec(head)?.[1];
  // The tests of a base class run in those that inherit them.
  if (alone !== undefined && !new RegExp(`\\bclass\\s+\\w+\\s*\\([^)]*\\b${alone}\\b`).test(place.source)) return true;
  const lines = body.split("\n");
  const skips = lines.some((line, i) => {
    const space = SET_UP.exec(line)?.[1];
    return space !== undefined && /^\s*(?:pytest|self)\.skip(?:Test)?\(/.test(bodyOf(lines, i, space.length).trim());
  });
  return skips || /^\s*__test__\s*=\s*False/m.test(body);
}

function inside(
  body: Masked,
  assertion: RegExp,
  place: Machine & { source: string },
): Pick<FoundTest, "checks" | "body"> & { leaves: boolean } {
  const { count } = assertedIn(body, assertion);
  return { ...(count > 0 ? { checks: count } : {}), body: body.code, leaves: leavesEarly(body, assertion, place) };
}

/** How much decides which tests run, or changes what they test. */
function choosingIn(code: string, isShared: boolean): number {
  const lines = code.split("\n");
  const hooks = lines.filter((line, i) => {
    const [, space = "", name = ""] = /^(\s*)(?:async\s+)?def\s+(pytest_\w+)/.exec(line) ?? [];
    if (name === "" || HARMLESS_HOOKS.test(name)) return false;
    const body = bodyOf(lines, i, space.length).trim();
    return name !== "pytest_configure" || !/^(?:\s*config\.addinivalue_line\([^()]*\)\s*)+$/.test(body);
  });
  const skipping = lines.filter((line, i) => {
    if (!/^\s*@.*\bautouse\s*=\s*True/.test(line)) return false;
    const def = lines.findIndex((next, n) => n > i && /^\s*(?:async\s+)?def\s/.test(next));
    return def !== -1 && SKIP_CALL.test(bodyOf(lines, def, line.length - line.trimStart().length));
  });
  return hooks.length + countMatches(code, CHOOSING) + (isShared ? countMatches(code, PATCHING) + skipping.length : 0);
}

/** A condition for other platforms is no skip here. */
function withoutSkipsElsewhere(source: string, machine: Machine): string {
  let text = source;
  for (const match of source.matchAll(/(?:\bmark\.skipif|\bunittest\.skip(If|Unless)|@skip(If|Unless))\(/g)) {
    const open = match.index + match[0].length - 1;
    const end = closingOf(source, open);
    const condition = /^[^"'(),]*(?:\([^()]*\)|["'][^"']*["']|[^"'(),])*/.exec(source.slice(open + 1, end))?.[0] ?? "";
    const skipping = (match[1] ?? match[2]) !== "Unless";
    const here = holdsHere(condition, { ...machine, source });
    if (here === !skipping) text = text.slice(0, match.index) + " ".repeat(end - match.index) + text.slice(end);
  }
  return text;
}

/** Calls of functions of the file that assert, and of helpers for tests, are assertions too. */
function assertionIn(code: string): RegExp {
  const lines = code.split("\n");
  const helpers = lines.flatMap((line, i) => {
    const [, space = "", name = ""] = /^(\s*)(?:async\s+)?def\s+(?!test)(\w+)/.exec(line) ?? [];
    return name !== "" && new RegExp(ASSERTION.source, "m").test(bodyOf(lines, i, space.length)) ? [name] : [];
  });
  const named = ["(?:assert|check|verify|expect)_\\w+", ...helpers].join("|");
  return new RegExp(`${ASSERTION.source}|(?<!def\\s+)\\b(?:${named})\\(`, "gm");
}

const LEAVES = /^\s*return(?:\s+(?:None|True))?\s*$|:\s*return(?:\s+None)?\s*$|\b(?:sys\.exit|os\._exit|exit|quit)\(/;

/** Whether a test leaves on a condition before its first assertion, or skips itself. */
function leavesEarly({ text, code }: Masked, assertion: RegExp, place: Machine & { source: string }): boolean {
  const [lines, texts] = [code.split("\n"), text.split("\n")];
  const first = lines.findIndex((line) => new RegExp(assertion.source, "m").test(line));
  return lines.some((line, i) => {
    if (!SKIP_CALL.test(line) && !(i < first && LEAVES.test(line))) return false;
    const conditions = conditionsAround(lines, texts, i);
    return conditions ? conditions.every((one) => holdsHere(one, place) !== false) : SKIP_CALL.test(line);
  });
}

/** The conditions of the `if` blocks around a line; null if anything else is around it. */
function conditionsAround(lines: readonly string[], texts: readonly string[], at: number): string[] | null {
  const found: string[] = [];
  const indentOf = (line: string) => line.length - line.trimStart().length;
  const sameLine = /^\s*if\s+(.*?):\s*\S/.exec(texts[at] ?? "")?.[1];
  if (sameLine !== undefined) found.push(sameLine);
  let indent = indentOf(lines[at] ?? "");
  const least = Math.min(...lines.filter((line) => line.trim() !== "").map(indentOf));
  for (let i = at - 1; i >= 0 && indent > least; i -= 1) {
    const line = lines[i] ?? "";
    if (line.trim() === "" || indentOf(line) >= indent) continue;
    indent = indentOf(line);
    const condition = /^\s*(?:if|elif)\s+(.*):\s*$/.exec(texts[i] ?? "")?.[1];
    if (condition === undefined) return null;
    found.push(condition);
  }
  return found;
}

function rowsOf(marks: string): Pick<FoundTest, "rows"> {
  if (!/\bparametrize\(/.test(marks)) return {};
  const table = /\bparametrize\([^[]*?,\s*(?=\[)/.exec(marks);
  const rows = table ? itemsIn(marks, table.index + table[0].length) : 0;
  return rows === 1 ? {} : { rows };
}

function bodyOf(lines: readonly string[], start: number, indent: number): string {
  let end = start + 1;
  while (end < lines.length && isInside(lines[end] ?? "", indent)) end += 1;
  return lines.slice(start + 1, end).join("\n");
}

const isInside = (line: string, indent: number): boolean =>
  line.trim() === "" || line.length - line.trimStart().length > indent;
