/** Characters that may take two cells. Counting one too many only cuts a line sooner; one too few would wrap it. */
const WIDE =
  /[\u1100-\u115f\u2329\u232a\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** The beginning of a text that fits into so many cells of a terminal, with a mark where it was cut. */
export function fitCells(text: string, cells: number): string {
  let used = 0;
  let kept = 0;
  for (const character of text) {
    used += WIDE.test(character) ? 2 : 1;
    if (used > cells) return cells < 1 ? "" : `${text.slice(0, kept)}…`;
    // Room is left for the mark.
    if (used < cells) kept += character.length;
  }
  return text;
}
