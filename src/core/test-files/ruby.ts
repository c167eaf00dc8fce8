import { mask, SYNTAX } from "../source/mask.ts";
import { assertedIn } from "./asserted.ts";
import { assertionsOf, countMatches, type FoundTest, type FoundTests, testTitle } from "./found.ts";

const CALL =
  /^[ \t]*([xf]?)(it|specify|example|scenario|test|describe|context|pending|skip)\b[ (]*(["'])( *)\3([^\n]*)/gm;
const GROUPS = new Set(["describe", "context"]);

export function rubyTests(source: string): FoundTests {
  const masked = mask(source, SYNTAX.ruby);
  const { text, code } = masked;
  const calls = [...code.matchAll(CALL)].map((match) => {
    const [, mark, name = "", , inner = "", rest = ""] = match;
    const title = testTitle(text.slice(match.index).split(/["']/, 2)[1]?.slice(0, inner.length) ?? "");
    const skipped = mark === "x" || name === "pending" || name === "skip" || /\bskip\b|\bpending\b/.test(rest);
    return { isGroup: GROUPS.has(name), title, skipped, only: mark === "f" || /\bfocus\b/.test(rest) };
  });
  const methods = [...code.matchAll(/^[ \t]*def\s+(test_\w+)([^\n]*\n[^\n]*)/gm)].map(
    ([, title = "", next = ""]): FoundTest => ({ title, skipped: /^\s*skip\b/m.test(next) }),
  );
  // Which tests a skipped group contains is not determined: all tests of the file count as skipped.
  const skippedGroups = calls.filter(({ isGroup, skipped }) => isGroup && skipped);
  const tests = [
    ...calls
      .filter(({ isGroup }) => !isGroup)
      .map(({ title, skipped }) => ({ title, skipped: skipped || skippedGroups.length > 0 })),
    ...methods,
  ];
  return {
    tests,
    only: calls.filter(({ only }) => only).length,
    ...assertionsOf(assertedIn(masked, /\bexpect\b|\bassert\w*|\brefute\w*|\.should\b|\bmust_\w+/g)),
  };
}

export function batsTests(source: string): FoundTests {
  const tests = source.split(/^@test\s+/m).slice(1);
  return {
    tests: tests.map((body) => ({ title: testTitle(body.split("\n")[0] ?? ""), skipped: /^\s*skip\b/m.test(body) })),
    only: 0,
    assertions: countMatches(source, /^\s*(?:\[\[?|assert\w*|run|refute\w*)\s/gm),
  };
}
