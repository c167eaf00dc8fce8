import { mask, SYNTAX } from "../source/mask.ts";

/** JSON, with comments and trailing commas; undefined if it is anything else. */
export function readJsonc(source: string): unknown {
  const { text, code } = mask(source.replace(/^\uFEFF/, ""), SYNTAX.js);
  const commas = [...code.matchAll(/,(?=\s*[}\]])/g)].map(({ index }) => index);
  const plain = commas.reduceRight((all, at) => `${all.slice(0, at)} ${all.slice(at + 1)}`, text);
  try {
    return JSON.parse(plain);
  } catch {
    return undefined;
  }
}

type Section = Record<string, unknown>;

/** Keys by section of an INI or TOML file. Numbers, booleans and lists are read, anything else stays text. */
export function readSections(source: string): Record<string, Section> {
  const sections: Record<string, Section> = Object.create(null);
  let at = "";
  for (const line of joinedLines(source)) {
    const header = /^\[\[?([^[\]]+)\]\]?$/.exec(line)?.[1]?.trim();
    const [, key = "", value = ""] = /^("[^"]*"|[^=:]+?)\s*[=:]\s*(.*)$/s.exec(line) ?? [];
    if (header !== undefined) at = header;
    sections[at] ??= Object.create(null) as Section;
    // A line without a key must still count.
    const name = header === undefined && key === "" ? line : key.replace(/^"|"$/g, "");
    if (name !== "") (sections[at] as Section)[name] = readValue(value);
  }
  return sections;
}

/** One line per key, without comments: a value continues in brackets, and in indented lines. */
function joinedLines(source: string): string[] {
  const lines: string[] = [];
  let depth = 0;
  for (const raw of source.split("\n")) {
    const line = raw.replace(/(^|\s)[#;].*$/, "").trimEnd();
    if (line.trim() === "") continue;
    const continues = depth > 0 || (/^\s/.test(line) && lines.length > 0 && !/^\s*\[|^\s*[\w-]+\s*=/.test(line));
    if (continues) lines.push(`${lines.pop() ?? ""}\n${line.trim()}`);
    else lines.push(line.trim());
    const quoteless = line.replace(/"[^"]*"|'[^']*'/g, "");
    const isHeader = !continues && /^\s*\[/.test(line);
    if (!isHeader) depth += (quoteless.match(/[[{]/g)?.length ?? 0) - (quoteless.match(/[\]}]/g)?.length ?? 0);
  }
  return lines;
}

function readValue(text: string): unknown {
  const plain = text.trim();
  if (/^(?:true|yes|on)$/i.test(plain)) return true;
  if (/^(?:false|no|off)$/i.test(plain)) return false;
  if (/^-?\d+(?:\.\d+)?$/.test(plain)) return Number(plain);
  if (plain.startsWith("{")) return plain;
  const items = plain.replace(/^\[|\]$/g, "").split(/[,\n]/);
  const words = items.map((item) => item.trim().replace(/^["']|["']$/g, "")).filter((item) => item !== "");
  return plain.startsWith("[") || words.length > 1 || plain === "" ? words : (words[0] ?? "");
}
