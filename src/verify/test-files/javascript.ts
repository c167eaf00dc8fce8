import { countMatches, type FoundTest, type FoundTests, testTitle } from "./found.ts";
import { closingOf, itemsIn, type Masked, mask, SYNTAX } from "./mask.ts";

/** A call of `it`, `test`, `describe` or one of their variants. */
const CALL =
  /(?<![\w$.)\]/])(?:(?:t|Deno|QUnit)\.(?=test\b))?([xf]?)(it|test|specify|describe|context|suite)((?:\.\w+)*)(?:<[^<>()]*>)?\s*(?=[(`])/g;
const GROUPS = new Set(["describe", "context", "suite"]);
/** Allowed after a dot. Anything else, such as `test.beforeEach`, is not a test. */
const MODIFIERS = new Set(
  "skip only todo each for concurrent sequential failing fails skipIf runIf serial parallel describe fixme slow".split(
    " ",
  ),
);
const SKIPPING = new Set(["skip", "todo", "fixme", "failing", "fails", "skipIf", "runIf"]);
/** Called once before the call with the title. */
const CURRIED = new Set(["each", "for", "skipIf", "runIf"]);
const OPTION_CHARS = 300;
const SKIP_INSIDE = /\b(?:this|t|ctx|context|test)\.skip\(/;
const ASSERTION = /(?<![\w$.])(?:expect|assert|should)\b(?:\.\w+)*\s*(?:<[^<>()]*>)?\(|\.should\b|(?<![\w$])t\.\w+\(/g;

interface Call {
  isGroup: boolean;
  skips: boolean;
  only: boolean;
  start: number;
  end: number;
  title: string;
  rows: number;
}

/** The tests of JavaScript and TypeScript: Vitest, Jest, Mocha, node:test, Playwright and similar. */
export function javascriptTests(source: string): FoundTests {
  const masked = mask(source, SYNTAX.js);
  const calls = [...masked.code.matchAll(CALL)].flatMap((match) => callOf(match, masked) ?? []);
  const skippedGroups = calls.filter(({ isGroup, skips }) => isGroup && skips);
  const tests = calls
    .filter(({ isGroup }) => !isGroup)
    .map((call): FoundTest => {
      const inside = skippedGroups.some(({ start, end }) => start < call.start && call.end <= end);
      const skipped = call.skips || inside || SKIP_INSIDE.test(masked.code.slice(call.start + 1, call.end));
      return { title: call.title, skipped, ...(call.rows > 1 ? { rows: call.rows } : {}) };
    });
  return { tests, only: calls.filter(({ only }) => only).length, assertions: countMatches(masked.code, ASSERTION) };
}

function callOf(match: RegExpMatchArray, { text, code }: Masked): Call | null {
  const [whole, mark = "", name = "", dotted = ""] = match;
  const modifiers = dotted.split(".").filter(Boolean);
  if (modifiers.some((modifier) => !MODIFIERS.has(modifier))) return null;
  const start = (match.index ?? 0) + whole.length;
  const open = modifiers.some((modifier) => CURRIED.has(modifier)) ? afterCurried(code, start) : start;
  if (code[open] !== "(") return null;
  const end = closingOf(code, open);
  const title = firstArgument(text.slice(open + 1, end), code.slice(open + 1, end));
  // Playwright's `test.skip(condition)` applies to the test around it.
  if (title === null) return null;
  const options = optionsOf(code.slice(open, Math.min(end, open + OPTION_CHARS)));
  return {
    isGroup: GROUPS.has(name) || modifiers.includes("describe"),
    skips: mark === "x" || modifiers.some((modifier) => SKIPPING.has(modifier)) || options.skips,
    only: mark === "f" || modifiers.includes("only") || options.only,
    start,
    end,
    title,
    rows: open === start ? 1 : itemsIn(code, start + 1 + spaceAt(code, start + 1)),
  };
}

const spaceAt = (code: string, start: number): number => /^\s*/.exec(code.slice(start, start + 200))?.[0].length ?? 0;

function afterCurried(code: string, start: number): number {
  const end = code[start] === "`" ? code.indexOf("`", start + 1) : closingOf(code, start);
  const next = /\S/.exec(code.slice(end + 1, end + 50));
  return next ? end + 1 + next.index : code.length;
}

/** A string, or the source of any other argument; null if it can only be a condition. */
function firstArgument(text: string, code: string): string | null {
  const literal = /^\s*(["'`])/.exec(code);
  if (literal) {
    const from = literal[0].length;
    return testTitle(text.slice(from, code.indexOf(literal[1] ?? "", from)));
  }
  const named = /^\s*\{[^}]*?\bname\s*:\s*(["'`])/.exec(code);
  if (named) return testTitle(text.slice(named[0].length, code.indexOf(named[1] ?? "", named[0].length)));
  if (!/=>|\bfunction\b|,/.test(code)) return null;
  return testTitle(text.slice(0, /,|\n/.exec(code)?.index ?? code.length));
}

/** As in node:test and Vitest: `test("…", { skip: true }, …)`. */
function optionsOf(code: string): { skips: boolean; only: boolean } {
  const options = /^\(\s*(?:["'`]\s*["'`]\s*,\s*)?\{([^}]*)\}/.exec(code)?.[1] ?? "";
  return {
    skips: /\b(?:skip|todo|fails)\s*:\s*(?!false\b)/.test(options),
    only: /\bonly\s*:\s*(?!false\b)/.test(options),
  };
}
