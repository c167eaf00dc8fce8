/** A line of Markdown, as far as lists and headings are concerned. */
export interface MarkdownLine {
  /** From 0. */
  index: number;
  kind: "heading" | "item" | "text" | "blank";
  /** The indentation; a tab goes to the next multiple of four. */
  indent: number;
  /** For a heading: 1 to 6. */
  level: number;
  box: "open" | "checked" | null;
  text: string;
}

const HEADING = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;
const ITEM = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+(\S.*)$/;
/** A box may be empty, ticked or marked as started. */
const BOX = /^\[([ xX~/-])\][ \t]+(\S.*)$/;
const FENCE = /^[ \t]*(?:[-*+][ \t]+)?(`{3,}|~{3,})/;

/** The lines of a text. Code blocks are plain text and comments are blank. */
export function markdownLines(text: string): MarkdownLine[] {
  let fence: string | null = null;
  let comment = false;
  return text.split("\n").map((raw, index) => {
    const line = raw.replace(/\r$/, "");
    const marker = FENCE.exec(line)?.[1] ?? null;
    const isCode = fence !== null || marker !== null;
    if (fence === null) fence = marker;
    else if (marker?.startsWith(fence) && line.trim() === marker) fence = null;
    if (isCode) return { ...NOTHING, kind: "text", index, indent: indentOf(line), text: line.trimEnd() };
    const inComment = comment || line.trimStart().startsWith("<!--");
    if (inComment) comment = !line.includes("-->");
    return inComment ? { ...NOTHING, index } : { ...lineOf(line), index };
  });
}

const NOTHING = { kind: "blank", indent: 0, level: 0, box: null, text: "" } as const;

function lineOf(line: string): Omit<MarkdownLine, "index"> {
  const text = line.trim();
  if (text === "") return NOTHING;
  const [, marks = "", title] = HEADING.exec(line) ?? [];
  if (title !== undefined) {
    return {
      ...NOTHING,
      kind: "heading",
      level: marks.length,
      text: title
        .trimEnd()
        .replace(/[ \t]#+$/, "")
        .trimEnd(),
    };
  }
  const indent = indentOf(line);
  const item = ITEM.exec(line)?.[1]?.trimEnd();
  if (item === undefined) return { ...NOTHING, kind: "text", indent, text };
  const [, tick, words] = BOX.exec(item) ?? [];
  if (words === undefined) return { ...NOTHING, kind: "item", indent, text: item };
  return { ...NOTHING, kind: "item", indent, box: /x/i.test(tick ?? "") ? "checked" : "open", text: words };
}

function indentOf(line: string): number {
  let indent = 0;
  for (const char of line) {
    if (char === " ") indent++;
    else if (char === "\t") indent += 4 - (indent % 4);
    else break;
  }
  return indent;
}

/** Ticks the boxes of some lines and changes nothing else. */
export function tick(text: string, lines: ReadonlySet<number>): string {
  return text
    .split("\n")
    .map((line, index) => (lines.has(index) ? line.replace(/^([ \t]*\S+[ \t]+)\[[ ~/-]\]/, "$1[x]") : line))
    .join("\n");
}
