/** The names that a makefile includes. What only make knows matches anything, unless nothing else is known of a name. */
export function includesIn(makefile: string, args: readonly string[]): string[] {
  const text = withValues(makefile, args);
  return [...text.matchAll(/^[ \t]*(?:[-s]?include|import\??|mod\??)[ \t]+(.+)$/gm)].flatMap(([, rest = ""]) =>
    simplified(rest.replace(/#.*/, ""))
      .replace(/['"]/g, "")
      .trim()
      .split(/\s+/)
      .map((name) => name.replace(/%/g, "*").replace(/\*+/g, "*"))
      .filter((name) => /\w\.?\w/.test(name)),
  );
}

/** The names that common functions lead to. */
function simplified(text: string): string {
  const inner = text
    .replace(/\$[({]dir[ \t]+\$[({]lastword[ \t]+\$[({]MAKEFILE_LIST[)}]{3}/g, "./")
    .replace(/\$[({](?:wildcard|sort|abspath|realpath|strip)[ \t]+([^()${}]*)[)}]/g, "$1")
    .replace(/\$[({]addprefix[ \t]+([^(),${}]*),([^()${}]*)[)}]/g, (_, prefix: string, names: string) =>
      names.trim().replace(/\S+/g, (name) => prefix.trim() + name),
    );
  const plain = inner === text ? text.replace(/\$(?:\([^()]*\)|\{[^{}]*\}|\w)/g, "*") : inner;
  return plain === text ? text : simplified(plain);
}

const MOST_DEEP = 4;
/** Values in values can multiply without end. */
const MOST_ADDED = 4 << 20;

/** A text with the values of the variables that it sets itself, or that are given as arguments. */
export function withValues(text: string, args: readonly string[]): string {
  const given = args.flatMap((word) => /^(\w+)[:?]?=(.*)$/.exec(word)?.slice(1, 3) ?? []);
  const values = new Map([
    ["CURDIR", "."],
    ["MAKE", "make"],
  ]);
  for (const [, name = "", value = ""] of text.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*[:?]*=[ \t]*(.*)$/gm))
    if (!values.has(name)) values.set(name, value.trim());
  for (let i = 0; i < given.length; i += 2) values.set(given[i] ?? "", given[i + 1] ?? "");
  let left = MOST_ADDED;
  const expand = (all: string, name: string) => {
    const value = values.get(name);
    left -= value?.length ?? 0;
    return value === undefined || left < 0 ? all : value;
  };
  let expanded = text;
  for (let deep = 0; deep < MOST_DEEP; deep += 1) expanded = expanded.replace(/\$[({](\w+)[)}]/g, expand);
  return expanded;
}
