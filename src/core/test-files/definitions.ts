/** How languages define what others can use, each with its name in a group. Locals match too: they do no harm. */
const DEFINED =
  /\b(?:function\s*\*?|class|const|let|var|interface|type|enum|def|fn|struct|trait|func(?:\s*\([^)\n]*\))?|fun|object|record|mod|module|as|exports\.)\s*(?=[\w$])([\w$]+)|^[ \t]*(?:(?:public|protected|private|internal|static|final|abstract|async|override|virtual)\s+)+[\w<>[\],.?]+\s+(\w+)\s*\(/gm;

/** The names that a text defines. */
export const definedIn = (text: string): string[] => [
  ...new Set([...text.matchAll(DEFINED)].flatMap(([, one, other]) => one ?? other ?? [])),
];

const LINE_CHARS = 12;

/** The lines of a text that are long enough to be recognized elsewhere, without the names that they define. */
export const linesOf = (text: string): string[] =>
  text
    .replace(DEFINED, (whole, one, other) => `${whole.slice(0, whole.lastIndexOf(one ?? other))}·`)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length >= LINE_CHARS);

/** The text of a definition, up to the next one that is not inside it; empty if there is none. */
export function definitionOf(name: string, text: string): string {
  const lines = text.split("\n");
  const start = lines.findIndex((line) => definedIn(line).includes(name));
  if (start === -1) return "";
  const depth = indent(lines[start] ?? "");
  const length = lines.slice(start + 1).findIndex((line) => definedIn(line).length > 0 && indent(line) <= depth);
  return lines.slice(start, length === -1 ? undefined : start + 1 + length).join("\n");
}

const indent = (line: string): number => line.search(/\S|$/);
