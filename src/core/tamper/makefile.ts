import { UNKNOWN_GOAL } from "../command-line/makefile.ts";

/** Makefiles by path. */
export type Makefiles = ReadonlyMap<string, string>;

/** What may run with any goal, or what cannot be followed without make. */
const OPAQUE =
  /^\s*(?:(?:override|private)\s+)*define\b|^\s*\.RECIPEPREFIX\b|\$[({]\s*(?:eval|call|foreach|file|guile)\b/m;
/** Names that make, its built-in rules or the programs in recipes read. */
const READ_BY_ITSELF =
  /^\.|^(?:PATH|SHELL|MAKE\w*|HOME|ENV|BASH\w*|LD\w*|NODE\w*|NPM\w*|npm_\w*|PY\w*|GO\w*|RUST\w*|CARGO\w*|JAVA\w*|CI|TMP\w*|TEMP|VPATH|CC|CXX|CPP|AR|AS|FC|RM|OUTPUT_OPTION)$|FLAGS$|OPTIONS$|OPTS$|LIBS$/;

/**
 * The makefiles whose change matters for some goals: a changed recipe of a target that they need, variables those use,
 * and everything else but the rules of other targets. All changed files count if one of them, or a goal, is unknown.
 */
export function changedMakefiles(before: Makefiles, after: Makefiles, goals: readonly string[]): string[] {
  const changed = [...before.keys()].filter((path) => before.get(path) !== after.get(path));
  const all = [...before.values(), ...after.values()];
  if (goals.includes(UNKNOWN_GOAL) || all.some((text) => OPAQUE.test(text))) return changed;
  const parsed = { before: mapped(before), after: mapped(after) };
  const lines = [...parsed.before.values(), ...parsed.after.values()].flat();
  // Make builds a makefile that is itself a target.
  const own = [...before.keys()].flatMap((path) => [path, path.split("/").at(-1) ?? path]);
  const used = neededBy([...goals, ...own], lines, goals.length === 0 ? [parsed.before, parsed.after] : []);
  const text = (file: Part[] | undefined) => relevant(file ?? [], used).join("\n");
  const live = liveNames([...parsed.before.values(), ...parsed.after.values()].flatMap((file) => relevant(file, used)));
  return changed.filter(
    (path) => withLive(text(parsed.before.get(path)), live) !== withLive(text(parsed.after.get(path)), live),
  );
}

/** A rule with its recipe, or any other line. */
interface Part {
  targets: string[];
  needs: string[];
  text: string;
}

/** A recipe of `just` is indented by anything. */
const mapped = (files: Makefiles): Map<string, Part[]> =>
  new Map([...files].map(([path, text]) => [path, partsOf(isJustfile(path) ? text.replace(/^[ \t]+/gm, "\t") : text)]));

const isJustfile = (path: string): boolean => /(?:^|\/)\.?justfile$|\.just$/i.test(path);

/** Whether a file is compared by what its rules do. */
export const isMakefile = (path: string): boolean =>
  isJustfile(path) || /(?:^|\/)(?:GNUm|[Mm])akefile$|\.ma?k(?:e)?$/.test(path);

function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let rule: Part | null = null;
  for (const line of text.replace(/\\\r?\n\t?/g, "\\ ").split(/\r?\n/)) {
    if (rule && line.startsWith("\t")) {
      rule.text += `\n${line.trimEnd()}`;
      continue;
    }
    const plain = line.replace(/(^|[^\\])#.*$/, "$1").trimEnd();
    if (plain.trim() === "") continue;
    rule = ruleOf(plain);
    parts.push(rule ?? { targets: [], needs: [], text: plain.trim() });
  }
  return parts;
}

/** Null for an assignment, a directive, and a rule whose targets are not plain names. */
function ruleOf(line: string): Part | null {
  if (/^\s/.test(line)) return null;
  const [, names = "", rest = ""] = /^([^:=#]+?)\s*&?::?(?!=)(.*)$/.exec(line) ?? [];
  const targets = names.trim().split(/\s+/).filter(Boolean);
  const isPlain = targets.length > 0 && !/[$%*?[]/.test(names) && !/\$/.test(rest.split(";")[0] ?? "");
  const isSpecial = targets.some((name) => name.startsWith(".") && !name.includes("/") && name !== ".PHONY");
  if (!isPlain || isSpecial) return null;
  return { targets, needs: (rest.split(";")[0] ?? "").split(/[\s|]+/).filter(Boolean), text: line };
}

/** Goals, what they need, and targets that a needed recipe or any other line names. `files`: the first target counts. */
function neededBy(
  goals: readonly string[],
  parts: readonly Part[],
  files: readonly ReadonlyMap<string, Part[]>[],
): Set<string> {
  const first = files.flatMap((all) => [...all.values()].flatMap((file) => file.find(isRule)?.targets ?? []));
  const used = new Set([...goals, ...first]);
  const known = new Set(parts.filter(isRule).flatMap(({ targets }) => targets));
  for (let size = -1; size !== used.size; ) {
    size = used.size;
    for (const part of parts) for (const name of namedBy(part, used, known)) used.add(name);
  }
  return used;
}

/** What a used rule, or any line that is no rule, needs. An assignment may list what a rule needs. */
function namedBy(part: Part, used: ReadonlySet<string>, known: ReadonlySet<string>): string[] {
  if (part.targets.includes(".PHONY")) return [];
  if (!isRule(part)) return part.text.split(/[\s=]+/).filter((word) => known.has(word));
  return part.targets.some((target) => used.has(target)) ? [...part.needs, ...madeBy(part.text)] : [];
}

const madeBy = (recipe: string): string[] =>
  [...recipe.matchAll(/(?:\bmake|\$[({]MAKE[)}])\s([^\n;&|]*)/g)].flatMap(([, words = ""]) => words.split(/\s+/));

const isRule = ({ targets }: Part): boolean => targets.length > 0 && !targets.includes(".PHONY");

const relevant = (parts: readonly Part[], used: ReadonlySet<string>): string[] =>
  parts.flatMap(({ targets, needs, text }) => {
    if (targets.includes(".PHONY"))
      return needs
        .filter((name) => used.has(name))
        .map((name) => `.PHONY: ${name}`)
        .sort();
    return targets.length === 0 || targets.some((target) => used.has(target)) ? [text] : [];
  });

const ASSIGNED = /^([\w.-]+)\s*(?:[:?+!]|::)?=(.*)$/s;

/** Variables that something other than an unused variable refers to. */
function liveNames(texts: readonly string[]): Set<string> {
  const live = new Set<string>();
  const assigned = texts.flatMap((text) => (ASSIGNED.exec(text) ? [ASSIGNED.exec(text) as RegExpExecArray] : []));
  const refer = (text: string) => {
    for (const [, name = ""] of text.matchAll(/\$[({]?([\w.-]+)/g)) live.add(name);
    for (const [, name = ""] of text.matchAll(/\b(?:ifn?def|export|unexport)\s+([\w.-]+)/g)) live.add(name);
  };
  for (const text of texts) if (!ASSIGNED.test(text)) refer(text);
  for (let size = -1; size !== live.size; ) {
    size = live.size;
    for (const [, name = "", value = ""] of assigned) if (live.has(name) || READ_BY_ITSELF.test(name)) refer(value);
  }
  return live;
}

function withLive(text: string, live: ReadonlySet<string>): string {
  const lines = text.split("\n").filter((line) => {
    const [, name = "", value = ""] = ASSIGNED.exec(line) ?? [];
    return name === "" || live.has(name) || READ_BY_ITSELF.test(name) || /\$[({]shell\b|`/.test(value);
  });
  return lines.join("\n");
}
