import { applyEdits, createScanner, type Edit, type Node } from "jsonc-parser";

/** The token kinds used here, by the scanner's numbers: its own names cannot be imported. */
const TOKEN = { comma: 5, lineComment: 12, blockComment: 13, lineBreak: 14, space: 15, end: 17 } as const;

/** The value of a key. If a key occurs twice, the last one counts, as in every JSON reader. */
export const valueAt = (object: Node | undefined, key: string): Node | undefined =>
  propertyOf(object, key)?.children?.[1];

export const propertyOf = (object: Node | undefined, key: string): Node | undefined =>
  object?.type === "object" ? object.children?.findLast(({ children }) => children?.[0]?.value === key) : undefined;

/** Adds a value at the end of a list, or under a key at the end of an object, formatted like its siblings. */
export function withChild(text: string, container: Node, { key, value }: { key?: string; value: unknown }): string {
  const named = (json: string) => (key === undefined ? json : `${JSON.stringify(key)}: ${json}`);
  const last = container.children?.at(-1);
  if (isOneLine(text, container)) {
    const item = named(JSON.stringify(value));
    if (!last) return spliced(text, container.offset + 1, 0, item);
    const comma = commaAfter(text, endOf(last));
    return spliced(text, comma === null ? endOf(last) : comma + 1, 0, comma === null ? `, ${item}` : ` ${item}`);
  }
  const { unit, eol } = layoutOf(text);
  const indent = last ? indentAt(text, last.offset) : indentAt(text, container.offset) + unit;
  const item = `${eol}${indent}${named(JSON.stringify(value, null, unit).replaceAll("\n", `${eol}${indent}`))}`;
  if (!last) return intoEmpty(text, container, item, `${eol}${indentAt(text, container.offset)}`);
  const comma = commaAfter(text, endOf(last));
  const end = comma === null ? endOf(last) : comma + 1;
  const at = lineRest(text, end);
  return applyEdits(text, [
    ...(comma === null ? [{ offset: end, length: 0, content: "," }] : []),
    { offset: at, length: 0, content: item },
  ]);
}

/** Removes a child with its comma. Comments stay. */
export function withoutChild(text: string, container: Node, index: number): string {
  const children = container.children ?? [];
  const child = children[index];
  if (!child) return text;
  const before = children[index - 1];
  const own = commaAfter(text, endOf(child));
  const comma = own ?? (before ? commaAfter(text, endOf(before)) : null);
  const end = own === null ? endOf(child) : own + 1;
  const rest = /^[ \t]*(?:\r?\n|$)/.test(text.slice(end));
  const gap = text.slice(0, child.offset).trimEnd().length;
  // A line comment must not swallow the following text.
  const start = rest || !endsInLineComment(text, gap) ? gap : child.offset;
  const edits: Edit[] = [{ offset: start, length: endOf(child) - start, content: "" }];
  if (comma !== null) edits.push({ offset: comma, length: 1, content: "" });
  const left = applyEdits(text, edits);
  if (children.length > 1) return left;
  const inner = container.length - 2 - (text.length - left.length);
  const between = left.slice(container.offset + 1, container.offset + 1 + inner);
  return between.trim() === "" ? spliced(left, container.offset + 1, inner, "") : left;
}

export const withValue = (text: string, node: Node, value: unknown): string =>
  spliced(text, node.offset, node.length, JSON.stringify(value));

const endOf = ({ offset, length }: Node): number => offset + length;

const spliced = (text: string, offset: number, length: number, content: string): string =>
  text.slice(0, offset) + content + text.slice(offset + length);

function intoEmpty(text: string, container: Node, item: string, closing: string): string {
  const from = container.offset + 1;
  const inner = text.slice(from, endOf(container) - 1);
  const kept = inner.trimEnd();
  const after = kept === "" || !inner.slice(kept.length).includes("\n") ? closing : inner.slice(kept.length);
  return spliced(text, from, inner.length, `${kept}${item}${after}`);
}

/** An object written on one line stays on one line; an empty one follows the file. */
function isOneLine(text: string, { offset, children: [first] = [] }: Node): boolean {
  if (first) return !text.slice(offset, first.offset).includes("\n");
  const all = text.trim();
  return !all.includes("\n") && all.replace(/\s/g, "") !== "{}";
}

function layoutOf(text: string): { unit: string; eol: string } {
  const unit = /[{[,]\s*?\n([ \t]+)["{[]/.exec(text)?.[1] ?? "  ";
  return { unit, eol: text.includes("\r\n") ? "\r\n" : "\n" };
}

function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** The comma after an offset, skipping comments. */
function commaAfter(text: string, offset: number): number | null {
  const scanner = createScanner(text, true);
  scanner.setPosition(offset);
  const token: number = scanner.scan();
  return token === TOKEN.comma ? scanner.getTokenOffset() : null;
}

/** The end of the comments in the rest of a line; the offset itself if there is anything else. */
function lineRest(text: string, offset: number): number {
  const scanner = createScanner(text, false);
  scanner.setPosition(offset);
  let end = offset;
  for (;;) {
    const token: number = scanner.scan();
    if (token === TOKEN.lineBreak || token === TOKEN.end) return end;
    const comment = token === TOKEN.lineComment || token === TOKEN.blockComment;
    if (!comment && token !== TOKEN.space) return offset;
    if (comment) end = scanner.getTokenOffset() + scanner.getTokenLength();
  }
}

function endsInLineComment(text: string, end: number): boolean {
  const scanner = createScanner(text, false);
  let kind = 0;
  while (scanner.getPosition() < end) kind = scanner.scan();
  return kind === TOKEN.lineComment;
}
