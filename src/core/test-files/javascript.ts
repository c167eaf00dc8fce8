import { closingOf, type Masked, mask, SYNTAX } from "../source/mask.ts";
import { assertedIn } from "./asserted.ts";
import { holdsHere, isRegistered, type Machine, mayRun } from "./condition.ts";
import { assertionsOf, type FoundTest, type FoundTests, testTitle } from "./found.ts";
import { itemsAt, type Repeat, repeatsIn, timesAt } from "./repeats.ts";

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
const TABLED = new Set(["each", "for"]);
/** Called once before the call with the title. */
const CURRIED = new Set([...TABLED, "skipIf", "runIf"]);
const OPTION_CHARS = 300;
const SKIP_INSIDE = /\b(?:this|t|ctx|context|test|it)\.skip\(/g;
/** Without a value: with one, it may be a promise that asserts. */
const LEAVES = /\breturn\b[ \t]*(?:;|\}|\n|undefined\b|null\b|true\b|void 0)|\bprocess\.exit\(/g;
const ASSERTION = /(?<![\w$.])(?:expect|assert|should)\b(?:\.\w+)*\s*(?:<[^<>()]*>)?\(|\.should\b|(?<![\w$])t\.\w+\(/g;

interface Call {
  isGroup: boolean;
  skips: boolean;
  only: boolean;
  start: number;
  end: number;
  title: string;
  /** How often it runs by itself; 0 if it is unknown. */
  times: number;
}

/** The tests of JavaScript and TypeScript: Vitest, Jest, Mocha, node:test, Playwright and similar. */
export function javascriptTests(source: string, machine: Machine): FoundTests {
  const file: File = { ...mask(withoutAliases(source, machine), SYNTAX.js), machine };
  const calls = [...file.code.matchAll(CALL)].flatMap((match) => callOf(match, file) ?? []);
  const skippedGroups = calls.filter(({ isGroup, skips }) => isGroup && skips);
  const assertion = assertionIn(file.code);
  const repeats: Repeat[] = [...repeatsIn(file.code), ...calls.filter(({ isGroup }) => isGroup)];
  const tests = calls
    .filter(({ isGroup }) => !isGroup)
    .map((call): FoundTest => {
      const inside = skippedGroups.some(({ start, end }) => start < call.start && call.end <= end);
      const skipped = call.skips || inside || leavesEarly(file, call, assertion);
      const { count } = assertedIn(within(file, call), assertion);
      const body = file.code.slice(call.start, call.end);
      const rows = call.times * timesAt(call.start, repeats);
      return {
        title: call.title,
        skipped,
        ...(rows === 1 ? {} : { rows }),
        ...(count > 0 ? { checks: count } : {}),
        body,
      };
    });
  return { tests, only: calls.filter(({ only }) => only).length, ...assertionsOf(assertedIn(file, assertion)) };
}

type File = Masked & { machine: Machine };

const within = ({ text, code }: Masked, { start, end }: Pick<Call, "start" | "end">): Masked => ({
  text: text.slice(start, end),
  code: code.slice(start, end),
});

/** Calls of functions of the file that assert, and of helpers for tests, are assertions too. */
function assertionIn(code: string): RegExp {
  const own = [
    ...code.matchAll(
      /\b(?:function\s+(\w+)\s*\(|const\s+(\w+)\s*=\s*(?:async\s*)?(?:function\b|\([^()]*\)\s*(?::[^=]*)?=>|\w+\s*=>))/g,
    ),
  ];
  const helpers = own.flatMap((match) => {
    const open = code.indexOf("{", match.index + match[0].length);
    const text = code.slice(match.index + match[0].length, open === -1 ? code.length : closingOf(code, open));
    return new RegExp(ASSERTION.source).test(text) ? [match[1] ?? match[2] ?? ""] : [];
  });
  const named = String.raw`(?<!function\s+)(?<![\w$.])(?:${["(?:expect|assert|check|verify|ensure)[A-Z]\\w*", ...helpers].join("|")})\(`;
  return new RegExp(`${ASSERTION.source}|${named}`, "g");
}

/** Whether a test leaves on a condition before its first assertion, or skips itself. */
function leavesEarly(file: File, { start, end }: Call, assertion: RegExp): boolean {
  const body = within(file, { start, end });
  const first = body.code.slice(1).search(new RegExp(assertion.source.replace("|(?<![\\w$])t\\.\\w+\\(", "")));
  const open = /(?:=>\s*|\bfunction\b[^{]*)\{/.exec(body.code);
  const from = open ? open.index + open[0].length : 0;
  const leaves = first === -1 ? [] : [...body.code.slice(0, first + 1).matchAll(LEAVES)];
  const isLeft = leaves.some(({ index, 0: token }) => {
    const { is, isOwn } = mayRun(body, { from, at: index }, file.machine);
    return is && (isOwn || token.startsWith("process"));
  });
  return isLeft || [...body.code.matchAll(SKIP_INSIDE)].some((match) => skipHolds(match, body, from, file.machine));
}

function skipHolds(match: RegExpMatchArray, body: Masked, from: number, machine: Machine): boolean {
  const at = match.index ?? 0;
  const open = at + match[0].length - 1;
  const given = body.text.slice(open + 1, closingOf(body.code, open)).split(/,\s*["'`(]/)[0] ?? "";
  if (holdsHere(given, { ...machine, source: body.text }) === false) return false;
  return mayRun(body, { from: Math.min(from, at), at }, machine).is;
}

const ALIAS =
  /\bconst\s+(\w+)\s*=\s*([^;?]+?)\s*\?\s*((?:it|test|describe)(?:\.skip)?)\s*:\s*((?:it|test|describe)(?:\.skip)?)\b(?![.(])/g;

/** `const onLinux = isLinux ? it : it.skip`: calls of `onLinux` are calls of what it stands for here. */
function withoutAliases(source: string, machine: Machine): string {
  let text = source;
  for (const [whole, name = "", condition = "", yes = "", no = ""] of source.matchAll(ALIAS)) {
    const holds = holdsHere(condition, { ...machine, source });
    const meant = holds === null ? ([yes, no].find((one) => one.endsWith(".skip")) ?? yes) : holds ? yes : no;
    text = text.replace(whole, " ".repeat(whole.length)).replace(new RegExp(`(?<![\\w.$])${name}(?=[(.])`, "g"), meant);
  }
  return text;
}

function callOf(match: RegExpMatchArray, file: File): Call | null {
  const { text, code } = file;
  const [whole, mark = "", name = "", dotted = ""] = match;
  const modifiers = dotted.split(".").filter(Boolean);
  if (modifiers.some((modifier) => !MODIFIERS.has(modifier))) return null;
  const start = (match.index ?? 0) + whole.length;
  const open = modifiers.some((modifier) => CURRIED.has(modifier)) ? afterCurried(code, start) : start;
  if (code[open] !== "(") return null;
  const end = closingOf(code, open);
  const title = firstArgument(text.slice(open + 1, end), code.slice(open + 1, end));
  // Playwright's `test.skip(condition, "why")` applies to the test around it.
  const isCondition = dotted === ".skip" && !/^\(\s*["'`{]|=>|\bfunction\b/.test(code.slice(open, end));
  if (title === null || isCondition) return null;
  const options = optionsOf(within(file, { start: open, end: Math.min(end, open + OPTION_CHARS) }), file);
  const condition = text.slice(start + 1, closingOf(code, start));
  const byName = mark === "x" || modifiers.some((modifier) => skipsBy(modifier, condition, file));
  return {
    isGroup: GROUPS.has(name) || modifiers.includes("describe"),
    skips: byName || options.skips || !isRegistered(file, match.index ?? 0, file.machine),
    only: mark === "f" || modifiers.includes("only") || options.only,
    start: open === start ? start : open,
    end,
    title,
    times: modifiers.some((modifier) => TABLED.has(modifier)) ? itemsAt(code, start + 1) : 1,
  };
}

function skipsBy(modifier: string, condition: string, { text, machine }: File): boolean {
  const skipping = { skipIf: false, runIf: true };
  if (modifier !== "skipIf" && modifier !== "runIf") return SKIPPING.has(modifier);
  return holdsHere(condition, { ...machine, source: text }) !== skipping[modifier];
}

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
function optionsOf({ text, code }: Masked, { machine, text: source }: File): { skips: boolean; only: boolean } {
  const found = /^\(\s*(?:["'`]\s*["'`]\s*,\s*)?\{([^}]*)\}/.exec(code);
  const start = found ? found[0].length - 1 - (found[1]?.length ?? 0) : 0;
  const options = found?.[1] ?? "";
  const values = [...options.matchAll(/\b(?:skip|todo|fails)\s*:\s*([^,]*)/g)].map(
    ({ index, 0: whole, 1: value = "" }) => {
      const from = start + index + whole.length - value.length;
      return text.slice(from, from + value.length);
    },
  );
  return {
    skips: values.some((value) => holdsHere(value, { ...machine, source }) !== false),
    only: /\bonly\s*:\s*(?!false\b)/.test(options),
  };
}
