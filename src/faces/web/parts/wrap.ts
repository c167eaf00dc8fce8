import type { Line, Span } from "./ansi.ts";

/** East Asian characters and emoji, which are two columns wide. A rough range is enough: rows may scroll sideways. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6]|[\u{1f300}-\u{1faff}]/u;
const WIDE_ALL = new RegExp(WIDE, "gu");
const NARROW_ONLY = /^[\u0000-\u10ff]*$/;

const columnsOf = (text: string): number => {
  if (NARROW_ONLY.test(text)) return text.length;
  let count = 0;
  for (const character of text) count += WIDE.test(character) ? 2 : 1;
  return count;
};

const TOKENS = /\S+\s*|\s+/g;

/** The line in rows of at most this many columns, broken at spaces where there are any. */
export function wrapped(line: Line, columns: number): Line[] {
  if (columns < 2 || line.reduce((sum, { text }) => sum + columnsOf(text), 0) <= columns) return [line];
  const rows: Span[][] = [[]];
  let used = 0;
  for (const { text, look } of wordsOf(line, columns)) {
    if (used > 0 && used + columnsOf(text.trimEnd()) > columns) {
      rows.push([]);
      used = 0;
    }
    join(rows.at(-1) ?? [], { text, look });
    used += columnsOf(text);
  }
  return rows;
}

function join(row: Span[], span: Span): void {
  const last = row.at(-1);
  if (last?.look === span.look) row[row.length - 1] = { text: last.text + span.text, look: span.look };
  else row.push(span);
}

/** The words with the spaces after them; none is longer than a row. */
const wordsOf = (line: Line, columns: number): Span[] =>
  line.flatMap(({ text, look }) =>
    [...text.matchAll(TOKENS)].flatMap(([word]) =>
      columnsOf(word.trimEnd()) <= columns
        ? [{ text: word, look }]
        : pieces(word, columns).map((one) => ({ text: one, look })),
    ),
  );

/** A word that is longer than a row. */
function pieces(word: string, columns: number): string[] {
  const wide = word.match(WIDE_ALL) ? 2 : 1;
  const most = Math.max(1, Math.floor(columns / wide));
  const characters = [...word];
  return Array.from({ length: Math.ceil(characters.length / most) }, (_, i) =>
    characters.slice(i * most, (i + 1) * most).join(""),
  );
}
