import { closingOf, itemsIn, type Masked } from "../source/mask.ts";
import { bodyEnd } from "./repeats.ts";
import { swallowedIn } from "./swallowed.ts";

/** The assertions of a text. */
export interface Asserted {
  /** Those that check something. */
  count: number;
  /** Those that compare only constants, or whose failure has no effect. */
  constants: number;
  /** What is compared: calls and literals with how often, other names once. */
  atoms: Record<string, number>;
  /** The literal tables whose rows are asserted, and their rows. */
  tables: number;
  rows: number;
}

const MOST_ATOMS = 400;
const MOST_CHARS = 24;
const MOST_STATEMENT = 2_000;
/** Words of assertion libraries and of the languages. */
const GRAMMAR =
  /^(?:to[A-Z]\w*|to|not|never|resolves|rejects|expect|assert\w*|should\w*|equals?|equal[A-Z]\w*|deep\w*|strict\w*|not[A-Z]\w*|is|be|been|have|has|eq|eql|ok|same\w*|contain\w*|includes?|match\w*|throws?|raises|and|or|in|await|async|return|new|const|let|var|self|this|true|false|null|undefined|None|True|False|NaN|Infinity|nil|Assert|Is|That|require|function|lambda|if|as|typeof|debug_\w+|void)$/;

/** `form` matches the start of each assertion. Without `strict`, constants count too: the condition is elsewhere. */
export function assertedIn(masked: Masked, form: RegExp, strict = true): Asserted {
  const found: Asserted = { count: 0, constants: 0, atoms: {}, tables: 0, rows: 0 };
  const swallowed = swallowedIn(masked.code);
  for (const { index } of masked.code.matchAll(form)) {
    const statement = masked.text.slice(index, statementEnd(masked.code, index));
    const atoms = atomsOf(statement);
    const isConstant = strict && !atoms.some(isName) && !/\bfail\b|\bpanic!/.test(statement);
    const isSwallowed = swallowed.some(([start, end]) => start <= index && index <= end);
    if (isConstant || isSwallowed || isTautology(statement)) found.constants += 1;
    else {
      found.count += 1;
      for (const atom of atoms) add(found.atoms, atom);
    }
  }
  if (found.count === 0) return found;
  for (const { open, end } of tablesIn(masked.code, form)) {
    for (const value of valuesIn(masked.text.slice(open, Math.min(end, open + MOST_STATEMENT))))
      add(found.atoms, value);
    found.tables += 1;
    found.rows += itemsIn(masked.code, open);
  }
  return found;
}

/** Whether something that was asserted no longer is. */
export function lostAtoms(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>): boolean {
  return Object.entries(before).some(([atom, times]) => {
    const left = Object.hasOwn(after, atom) ? (after[atom] ?? 0) : 0;
    // One call over a list stands for several.
    const isNamed = /^\w+(?:\(\))?$/.test(atom) && isName(atom);
    return isNamed ? left + named(after, atom) === 0 : left < times;
  });
}

/** How often a function is named without being called, as in `map(parse)`. */
const named = (atoms: Readonly<Record<string, number>>, atom: string): number =>
  atom.endsWith("()") ? (atoms[atom.slice(0, -2)] ?? 0) : 0;

/** The start of a table whose rows a loop or a table test asserts. */
const TABLES =
  /\bfor\s*\([^()]*?\bof\s*(?=\[)|\.(?:each|for)\s*(?:<[^<>()]*>\s*)?\(\s*(?=\[)|\bparametrize\([^[\]]*(?=\[)|\bfor\s[^\n[\]]*?\bin\s*\(?(?=\[)/g;

/** A test that becomes a table compares the values through its parameters. */
const valuesIn = (rows: string): string[] => atomsOf(rows).filter((atom) => !isName(atom));

function tablesIn(code: string, form: RegExp): { open: number; end: number }[] {
  return [...code.matchAll(TABLES)].flatMap(({ 0: start, index }) => {
    const open = index + start.length;
    const end = closingOf(code, open);
    const isAsserted = !start.startsWith("for") || new RegExp(form.source, "m").test(loopBody(code, index, end + 1));
    return isAsserted ? [{ open, end }] : [];
  });
}

function loopBody(code: string, start: number, from: number): string {
  const rest = code.slice(from);
  if (!/^\s*\)?\s*:/.test(rest)) return code.slice(from, bodyEnd(code, from));
  const indent = start - code.lastIndexOf("\n", start) - 1;
  const next = [...rest.matchAll(/\n([ \t]*)(?=\S)/g)].find(({ 1: space = "" }) => space.length <= indent);
  return rest.slice(0, next?.index);
}

function add(atoms: Record<string, number>, atom: string): void {
  const known = Object.hasOwn(atoms, atom);
  if (known || Object.keys(atoms).length < MOST_ATOMS) atoms[atom] = (known ? (atoms[atom] ?? 0) : 0) + 1;
}

const isName = (atom: string): boolean => /^[A-Za-z_$]/.test(atom);

/** A call ends with `()`, a text starts with a quote. */
function atomsOf(statement: string): string[] {
  const tokens =
    statement.match(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`[^`]*`|[A-Za-z_$][\w$]*(?:\s*\()?|\d[\w.]*/g) ?? [];
  return tokens.flatMap((token) => {
    const name = token.replace(/\s*\($/, "");
    if (GRAMMAR.test(name)) return [];
    return [
      /^["'`]/.test(token)
        ? `"${token.slice(1, -1).slice(0, MOST_CHARS)}`
        : name.slice(0, MOST_CHARS) + (token === name ? "" : "()"),
    ];
  });
}

/** `expect(x).toBe(x)`, `assertEqual(x, x)`. */
function isTautology(statement: string): boolean {
  const text = statement.replace(/\s+/g, "");
  if (/(?:\|\||\bor)\s*(?:true|True|1)[\s);]*$/.test(statement)) return true;
  const [, subject, expected] =
    /^expect\((.+)\)(?:\.\w+)*?\.to(?:Be|Equal|StrictEqual)\((.+)\);?$/.exec(text) ??
    /(?:\w\.)?(?:\w*[eE]qual\w*|assert_eq!)\(([^,]+),([^,]+)\);?$/.exec(text) ??
    /^assert(.+)==(.+)$/.exec(text) ??
    [];
  return subject !== undefined && subject === expected;
}

/** A statement ends at a semicolon or a line end outside brackets, if the next line does not continue it. */
function statementEnd(code: string, start: number): number {
  let depth = 0;
  for (let i = start; i < Math.min(code.length, start + MOST_STATEMENT); i += 1) {
    const char = code[i] ?? "";
    if ("([{".includes(char)) depth += 1;
    else if (")]}".includes(char)) depth -= 1;
    if (
      depth < 0 ||
      (depth === 0 && (char === ";" || (char === "\n" && !/^\s*(?:\.|==|and\b|or\b)/.test(code.slice(i, i + 200)))))
    )
      return i;
  }
  return Math.min(code.length, start + MOST_STATEMENT);
}
