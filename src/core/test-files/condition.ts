import { closingOf, type Masked } from "../source/mask.ts";

/** Where the tests run. */
export interface Machine {
  /** As `process.platform`. */
  platform: string;
  /** As `process.arch`. */
  arch: string;
}

/** The text of a condition, or of the only value that a name has in the file. */
interface Scope extends Machine {
  source: string;
}

const GO_NAMES: Readonly<Record<string, string>> = { win32: "windows", sunos: "solaris", x64: "amd64", ia32: "386" };
const SYSTEMS: Readonly<Record<string, string>> = { win32: "Windows", darwin: "Darwin", linux: "Linux" };
const goName = (name: string): string => GO_NAMES[name] ?? name;

/** What programs read to learn where they run, with its value. */
const READINGS: readonly (readonly [form: string, value: (machine: Machine) => string])[] = [
  ["(?:process|sys)\\.platform|(?:os\\.)?platform\\(\\)", ({ platform }) => platform],
  ["process\\.arch|(?:os\\.)?arch\\(\\)", ({ arch }) => arch],
  ["platform\\.system\\(\\)", ({ platform }) => SYSTEMS[platform] ?? platform],
  ["os\\.name", ({ platform }) => (platform === "win32" ? "nt" : "posix")],
  ["runtime\\.GOOS", ({ platform }) => goName(platform)],
  ["runtime\\.GOARCH", ({ arch }) => goName(arch)],
];
const STRING = "[\"'`]([^\"'`]*)[\"'`]";
const LIST = "[[({]([^\\])}]*)[\\])}]";
const MOST_DEEP = 4;

/** Whether a condition is true on this machine; null if it depends on anything but the platform. */
export function holdsHere(condition: string, scope: Scope, deep = 0): boolean | null {
  const text = condition.trim();
  if (deep > MOST_DEEP || text === "") return null;
  const inner = (part: string) => holdsHere(part, scope, deep + 1);
  const anyOf = splitAt(text, /\|\||\bor\b/);
  if (anyOf.length > 1) return either(anyOf.map(inner), true);
  const allOf = splitAt(text, /&&|\band\b/);
  if (allOf.length > 1) return either(allOf.map(inner), false);
  const negated = /^(?:!(?!=)|not\b)(.*)$/s.exec(text)?.[1];
  if (negated !== undefined) return not(inner(negated));
  if (text.startsWith("(") && closingOf(text, 0) === text.length - 1) return inner(text.slice(1, -1));
  return atomHolds(text, scope) ?? definedHolds(text, scope, deep);
}

const not = (value: boolean | null): boolean | null => (value === null ? null : !value);
/** `decides`: the value of one part that settles the whole. */
const either = (parts: readonly (boolean | null)[], decides: boolean): boolean | null =>
  parts.includes(decides) ? decides : parts.includes(null) ? null : !decides;

function splitAt(text: string, operator: RegExp): string[] {
  const parts: string[] = [];
  let start = 0;
  for (const match of text.matchAll(new RegExp(operator, "g"))) {
    const before = text.slice(start, match.index);
    const isInside = before.split(/[([{]/).length !== before.split(/[)\]}]/).length;
    if (isInside || before.split(/["'`]/).length % 2 === 0) continue;
    parts.push(before);
    start = match.index + match[0].length;
  }
  return [...parts, text.slice(start)];
}

function atomHolds(text: string, machine: Machine): boolean | null {
  if (/^(?:true|True|1)$/.test(text)) return true;
  if (/^(?:false|False|0|null|None|undefined)$/.test(text)) return false;
  for (const [form, reading] of READINGS) {
    const value = reading(machine);
    const matched = (pattern: string) => new RegExp(`^${pattern}$`, "s").exec(text);
    const [, sign, named] = matched(`(?:${form})\\s*([!=]=)=?\\s*${STRING}`) ?? [];
    if (named !== undefined) return (value === named) === (sign === "==");
    const starts = matched(`(?:${form})\\.(?:startsWith|startswith)\\(\\s*${STRING}\\s*\\)`)?.[1];
    if (starts !== undefined) return value.startsWith(starts);
    const list =
      matched(`${LIST}\\.includes\\(\\s*(?:${form})\\s*\\)`)?.[1] ?? matched(`(?:${form})\\s+in\\s+${LIST}`)?.[1];
    if (list !== undefined) return list.split(",").some((item) => item.trim().slice(1, -1) === value);
  }
  return null;
}

/** A name with exactly one value in the file. */
function definedHolds(name: string, scope: Scope, deep: number): boolean | null {
  if (!/^\w+$/.test(name)) return null;
  const values = [...scope.source.matchAll(new RegExp(`(?<![\\w.])${name}\\s*=(?![=>])\\s*([^;\\n]+)`, "g"))];
  const isConstant = values.length === 1 && !new RegExp(`(?<![\\w.])${name}\\s*(?:[|&?+-]+=)`).test(scope.source);
  return isConstant ? holdsHere(values[0]?.[1]?.replace(/#.*|\/\/.*/, "") ?? "", scope, deep + 1) : null;
}

/** Go's build tags: a tag of its own has to be asked for. Null if it may be set. */
export function tagsHold(tags: string, { platform, arch }: Machine): boolean | null {
  const plain = tags.replaceAll("!", " not ").replace(/&&/g, " and ").replace(/\|\|/g, " or ");
  const known = plain.replace(/[\w.]+/g, (tag) => {
    if (/^(?:not|and|or)$/.test(tag)) return tag;
    if (/^go1\.\d+$|^gc$/.test(tag) || tag === goName(platform) || tag === goName(arch)) return "true";
    if (tag === "unix") return String(platform !== "win32");
    return /^(?:cgo|race)$/.test(tag) ? "unknown" : "false";
  });
  return holdsHere(known, { platform, arch, source: "" });
}

/** The conditions of the `if` blocks around `at`, up to a function or loop; `isOwn`: there is none after `from`. */
function conditionsAround({ text, code }: Masked, from: number, at: number): { found: string[]; isOwn: boolean } {
  const found: string[] = [];
  const take = (end: number): boolean => {
    const head = withoutPrefix(code.slice(from, end));
    const start = Math.max(...[...head.matchAll(/\bif\b/g)].map(({ index }) => index), -1);
    const condition = start === -1 ? "" : head.slice(start + 2);
    const open = /^\s*\(/.test(condition) ? start + 2 + condition.indexOf("(") : -1;
    const isWhole = open === -1 ? !/[;{}\n]/.test(condition.trim()) : closingOf(head, open) === head.length - 1;
    if (start === -1 || condition.trim() === "" || !isWhole) return false;
    found.push(text.slice(from + start + 2, from + head.length));
    return true;
  };
  take(at);
  for (let i = at - 1, depth = 0; i >= from; i -= 1) {
    if (code[i] === "}") depth += 1;
    else if (code[i] === "{" && depth > 0) depth -= 1;
    else if (code[i] === "{" && !take(i)) return { found, isOwn: false };
  }
  return { found, isOwn: true };
}

/** Without what may stand between a condition and what depends on it. Strings are long blanks here. */
function withoutPrefix(text: string): string {
  const head = text.trimEnd();
  const prefix = /(?:\breturn|\bawait|&&)$/.exec(head.slice(-10))?.[0];
  return prefix === undefined ? head : withoutPrefix(head.slice(0, -prefix.length));
}

const MOST_BLOCK = 4_000;

/** Whether what is registered at a place, such as a test, is registered here: unlike `mayRun`, not on an unknown condition. */
export function isRegistered(masked: Masked, at: number, machine: Machine): boolean {
  const { found } = conditionsAround(masked, Math.max(0, at - MOST_BLOCK), at);
  const inline = /([^;{}\n]*)&&\s*$/.exec(masked.text.slice(Math.max(0, at - 200), at))?.[1];
  return [...found, ...(inline === undefined ? [] : [inline])].every(
    (condition) => holdsHere(condition, { ...machine, source: masked.text }) === true,
  );
}

/** Whether a statement in a test's body may run here. `isOwn`: whether only blocks of `if` are around it. */
export function mayRun(
  masked: Masked,
  place: { from: number; at: number },
  machine: Machine,
): { is: boolean; isOwn: boolean } {
  const { found, isOwn } = conditionsAround(masked, place.from, place.at);
  const isFalse = (condition: string) => holdsHere(condition, { ...machine, source: masked.text }) === false;
  return { is: !(isOwn && found.some(isFalse)), isOwn };
}
