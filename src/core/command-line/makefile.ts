interface Rule {
  needs: readonly string[];
  lines: string[];
}

const MOST_RULES = 2_000;

/** A goal that only the shell knows, as in `make "$TARGET"`: it may be any. */
export const UNKNOWN_GOAL = "";

/** The targets among the arguments of make or just. */
export const goalsIn = (args: readonly string[]): string[] =>
  args.filter((word, i) => !/^-|[=$*?]/.test(word) && !/^-[fCIWjo]$/.test(args[i - 1] ?? ""));

/** The names of all targets. */
export const targetsIn = (text: string): string[] => [...rulesIn(text).keys()];

/** The recipe lines of these targets and of everything they need; without targets, of the first one. */
export function recipesFor(text: string, targets: readonly string[]): string[] {
  const rules = rulesIn(text);
  const [first] = [...rules.keys()].filter((name) => !name.startsWith("."));
  const wanted = targets.includes(UNKNOWN_GOAL) ? [...rules.keys()] : targets;
  const waiting = wanted.length > 0 ? [...wanted] : first === undefined ? [] : [first];
  const done = new Set<string>();
  const lines: string[] = [];
  for (let name = waiting.pop(); name !== undefined && done.size < MOST_RULES; name = waiting.pop()) {
    if (done.has(name)) continue;
    done.add(name);
    for (const rule of rules.get(name) ?? patternsFor(name, rules)) {
      lines.push(...rule.lines);
      waiting.push(...rule.needs);
    }
  }
  return lines;
}

/** The rules for a name without one of its own, such as `test-%`. */
const patternsFor = (name: string, rules: ReadonlyMap<string, Rule[]>): Rule[] =>
  [...rules].flatMap(([pattern, own]) => {
    const [before = "", after] = pattern.split("%");
    return after !== undefined && name.startsWith(before) && name.endsWith(after) ? own : [];
  });

/** Rules by target. A recipe of `just` is indented by anything, and its name may be followed by parameters. */
function rulesIn(text: string): Map<string, Rule[]> {
  const rules = new Map<string, Rule[]>();
  let rule: Rule | null = null;
  for (const line of text.replace(/[ \t]*\\\r?\n[ \t]*/g, " ").split("\n")) {
    if (/^[ \t]+\S/.test(line)) {
      rule?.lines.push(recipeLine(line));
      continue;
    }
    if (line.trim() === "" || line.startsWith("#")) continue;
    const head = headOf(line);
    rule = head?.rule ?? null;
    for (const name of head?.names ?? []) rules.set(name, [...(rules.get(name) ?? []), head?.rule ?? []].flat());
  }
  return rules;
}

/** Without the signs that make does not pass to the shell. */
const recipeLine = (line: string): string =>
  line
    .trim()
    .replace(/^[@+-]+[ \t]*/, "")
    .replaceAll("$$", "$");

function headOf(line: string): { names: string[]; rule: Rule } | null {
  const [, names, needs = ""] = /^([^\s#:=][^#:=]*?)[ \t]*::?(?!=)([^=#]*)(?:#.*)?$/.exec(line) ?? [];
  if (names === undefined) return null;
  const [needed = "", inline] = splitOnce(needs, ";");
  const lines = inline === undefined ? [] : [recipeLine(inline)];
  return {
    names: names.replace(/^@/, "").split(/\s+/),
    rule: { needs: needed.split(/[\s|()&]+/).filter(Boolean), lines },
  };
}

function splitOnce(text: string, mark: string): [string, string?] {
  const place = text.indexOf(mark);
  return place === -1 ? [text] : [text.slice(0, place), text.slice(place + 1)];
}
