import { bare, codeLines } from "./code-lines.ts";
import { severityOf } from "./stricter.ts";

const RULE = /^["']?([\w@/.-]+)["']?\s*:\s*(\[?)\s*["']?(off|warn|error|[012])["']?\s*(.*?),?$/;
const HARMLESS: readonly RegExp[] = [
  /^import\b[^;]*\bfrom\s*["'][^."'][^"']*["'];?$/,
  /^(?:const|let|var)\b[\w{},\s]+=\s*require\(\s*["'][^."'][^"']*["']\s*\);?$/,
  // A plugin, by its name; a preset.
  /^(?:["']?[\w@/-]+["']?\s*:\s*)?[a-z]\w*,?$/,
  /^(?:\.\.\.)?[\w.$"'[\]/-]*\b(?:recommended|strict|all)\w*["']?\]?,?$/,
  /^plugins\s*:\s*\{[^}]*\},?$/,
];
/** Lines that are harmless only as parts of a new object. */
const IN_OBJECT: readonly RegExp[] = [
  /^\{$|^\},?$|^\],?$/,
  /^(?:plugins|rules)\s*:\s*\{$/,
  /^(?:files|name)\s*:\s*(?:\[[^\]]*\]|["'][^"']*["']),?$/,
];
const MOST_LINES = 1_500;

/**
 * What a change of a linter's configuration that is code, or YAML, weakens. It is not run: lines may be added if each
 * adds a rule, a plugin or a preset, and a rule may become stricter; any other change counts. Null: too long to compare.
 */
export function weakenedLintCode(before: string, after: string, isYaml = false): string[] | null {
  const [was, is] = [before, after].map(isYaml ? linesOf : codeLines) as [string[], string[]];
  if (was.length > MOST_LINES || is.length > MOST_LINES) return null;
  const { added, removed } = hunksOf(was, is);
  const known = new Map(was.map(ruleIn).filter((rule) => rule !== null));
  const lines = added.flat();
  const raised = new Set(lines.flatMap((line) => ruleIn(line)?.[0] ?? []));
  const found = [
    ...removed
      .filter((line) => !raised.has(ruleIn(line)?.[0] ?? "") && !/^[{}\][,]*$/.test(line))
      .map((line) => `without ${line}`),
    ...added.flatMap((hunk) => {
      const isObject = isWholeObject(hunk);
      return hunk.filter((line) => !isHarmless(line, known, isObject)).map((line) => `with ${line}`);
    }),
  ];
  return found;
}

interface Rule {
  severity: number;
  options: string;
}

function ruleIn(line: string): [string, Rule] | null {
  const [, name = "", , severity = "", options = ""] = RULE.exec(line) ?? [];
  const rank = severityOf(/^\d$/.test(severity) ? Number(severity) : severity);
  return name === "" || rank === null ? null : [name, { severity: rank, options: options.replace(/^,\s*|\]$/g, "") }];
}

function isHarmless(line: string, known: ReadonlyMap<string, Rule>, isObject: boolean): boolean {
  const [name = "", rule] = ruleIn(line) ?? [];
  if (!rule) return [...HARMLESS, ...(isObject ? IN_OBJECT : [])].some((form) => form.test(line));
  const was = known.get(name);
  if (rule.severity < (was?.severity ?? 1)) return false;
  return was === undefined ? !/ignore|allow|except|exclude|skip/i.test(rule.options) : was.options === rule.options;
}

/** Lines inserted into an existing object could replace what follows, such as a second `rules`. */
function isWholeObject(hunk: readonly string[]): boolean {
  const text = hunk.join("\n");
  const keys = hunk.flatMap((line) => /^(\w+)\s*:\s*\{$/.exec(line)?.[1] ?? []);
  const balanced = text.split("{").length === text.split("}").length;
  return hunk[0] === "{" && /^\},?$/.test(hunk.at(-1) ?? "") && balanced && new Set(keys).size === keys.length;
}

const linesOf = (yaml: string): string[] =>
  yaml
    .split("\n")
    .map((line) => line.replace(/^\s*#.*$/, "").trim())
    .filter((line) => line !== "");

/** The lines that were added, by place, and removed. */
function hunksOf(was: readonly string[], is: readonly string[]): { added: string[][]; removed: string[] } {
  const same = sameLines(was, is);
  const added = [...same, [was.length, is.length] as const].map(([, j], n) =>
    is.slice((same[n - 1]?.[1] ?? -1) + 1, j),
  );
  const known = new Set(same.map(([i]) => i));
  return { added: added.filter((hunk) => hunk.length > 0), removed: was.filter((_, i) => !known.has(i)) };
}

/** The positions of the longest common subsequence. */
function sameLines(was: readonly string[], is: readonly string[]): (readonly [number, number])[] {
  const width = is.length + 1;
  const longest = new Uint16Array((was.length + 1) * width);
  const at = (i: number, j: number): number => longest[i * width + j] ?? 0;
  const isSame = (i: number, j: number): boolean => bare(was[i]) === bare(is[j]);
  for (let i = was.length - 1; i >= 0; i -= 1)
    for (let j = is.length - 1; j >= 0; j -= 1)
      longest[i * width + j] = isSame(i, j) ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const pairs: (readonly [number, number])[] = [];
  for (let [i, j] = [0, 0]; i < was.length && j < is.length; ) {
    if (isSame(i, j)) pairs.push([i++, j++]);
    else if (at(i, j + 1) >= at(i + 1, j)) j += 1;
    else i += 1;
  }
  return pairs;
}
