import { isMap } from "../field.ts";
import { canonicalJson } from "../receipt/canonical.ts";

/**
 * What a change of a setting means. `rise`: more of it is stricter (true, a greater number, more items). `fall`: less of
 * it. `cover`: like `rise`, but without the setting everything is covered. `severity`: rules of a linter, of which a
 * preset may set others; `lone severity`: without a preset. `added`: only a new setting has no effect on existing ones.
 * `none`: no effect on results. `fixed`: any change counts.
 */
type Meaning = "rise" | "fall" | "cover" | "severity" | "lone severity" | "added" | "none" | "fixed";

/** The first entry whose form matches the path of a setting, as `compilerOptions.strict`, gives its meaning. */
export type Meanings = readonly (readonly [form: RegExp, meaning: Meaning])[];

interface Change {
  path: string;
  before: unknown;
  after: unknown;
}

const isSame = (a: unknown, b: unknown): boolean => canonicalJson([a]) === canonicalJson([b]);
const isObjects = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length > 0 && value.every(isMap);

/** The settings that became weaker, or whose effect is not known, in words. */
export function weakenedSettings(before: unknown, after: unknown, meanings: Meanings): string[] {
  const found: string[] = [];
  const visit = (change: Change): void => {
    if (isSame(change.before, change.after)) return;
    const meaning = meanings.find(([form]) => form.test(change.path))?.[1] ?? "fixed";
    if (meaning === "none") return;
    const isTree = [change.before, change.after].every(
      (value) => value === undefined || isMap(value) || isObjects(value),
    );
    if (isTree && !(meaning.endsWith("severity") && isRule(change))) for (const child of children(change)) visit(child);
    else if (!isStricter(meaning, change)) found.push(wordsOf(change));
  };
  visit({ path: "", before, after });
  return found;
}

function children({ path, before, after }: Change): Change[] {
  const [was, is] = [entriesOf(before), entriesOf(after)];
  return [...new Set([...was.keys(), ...is.keys()])].map((key) => ({
    path: path === "" ? key : `${path}.${key}`,
    before: was.get(key),
    after: is.get(key),
  }));
}

const entriesOf = (value: unknown): Map<string, unknown> =>
  new Map(Object.entries(typeof value === "object" && value !== null ? value : {}));

function isStricter(meaning: Meaning, { before, after }: Change): boolean {
  if (meaning.endsWith("severity")) return isHarderRule(before, after, meaning === "severity" ? 2 : 1);
  if (meaning === "added") return before === undefined;
  if (meaning === "rise") return isMore(before, after);
  if (meaning === "fall") return isLess(before, after);
  return meaning === "cover" && (after === undefined || (before !== undefined && isMore(before, after)));
}

function isMore(before: unknown, after: unknown): boolean {
  if (after === true) return before === undefined || before === false;
  if (typeof after === "number") return before === undefined || (typeof before === "number" && after >= before);
  return Array.isArray(after) && holdsAll(after, listOf(before)) && !holdsNew(after, listOf(before), /^!/);
}

function isLess(before: unknown, after: unknown): boolean {
  if (after === undefined) return typeof before !== "number";
  if (after === false) return before === undefined || before === true;
  if (typeof after === "number") return before === undefined || (typeof before === "number" && after <= before);
  return holdsAll(listOf(before), listOf(after));
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : value === undefined ? [] : [value]);
/** A removed exclusion covers more. */
const holdsAll = (items: readonly unknown[], wanted: readonly unknown[]): boolean =>
  wanted.every((one) => /^!/.test(String(one)) || items.some((item) => isSame(item, one)));
const holdsNew = (items: readonly unknown[], known: readonly unknown[], form: RegExp): boolean =>
  items.some((item) => form.test(String(item)) && !known.includes(item));

const SEVERITIES: Readonly<Record<string, number>> = { off: 0, allow: 0, info: 1, warn: 1, on: 2, error: 2, deny: 2 };
const LOOSENING = /ignore|allow|except|exclude|skip/i;

/** The severity of a rule of ESLint, Biome or Oxlint; null if it is none. */
export function severityOf(rule: unknown): number | null {
  if (Array.isArray(rule)) return severityOf(rule[0]);
  if (isMap(rule)) return "level" in rule ? severityOf(rule.level) : null;
  if (typeof rule === "boolean") return rule ? 2 : 0;
  if (typeof rule === "number") return rule >= 0 && rule <= 2 ? rule : null;
  return typeof rule === "string" ? (SEVERITIES[rule] ?? null) : null;
}

const isRule = ({ before, after }: Change): boolean => severityOf(after ?? before) !== null;

/** An added warning may replace an error of a preset. Options may turn a rule into nothing. */
function isHarderRule(before: unknown, after: unknown, least: number): boolean {
  const [was, is] = [severityOf(before), severityOf(after)];
  if (is === null || is < (was ?? least)) return false;
  return (
    isSame(optionsOf(before), optionsOf(after)) || (before === undefined && !LOOSENING.test(JSON.stringify(after)))
  );
}

function optionsOf(rule: unknown): unknown {
  if (Array.isArray(rule)) return rule.slice(1);
  const { level: _, ...options } = isMap(rule) ? rule : {};
  return Object.keys(options).length > 0 ? [options] : [];
}

const MOST_CHARS = 60;
const shown = (value: unknown): string =>
  value === undefined ? "none" : String(JSON.stringify(value)).slice(0, MOST_CHARS);
const wordsOf = ({ path, before, after }: Change): string => `${path || "all"}: ${shown(before)} → ${shown(after)}`;
