/** Splits a text that arrives in pieces into lines. Only the beginning of a very long line is kept. */
export function textLines(mostChars: number, take: (line: string) => void) {
  let held = "";
  const end = () => {
    if (held !== "") take(held);
    held = "";
  };
  const add = (text: string) => {
    const parts = text.split("\n");
    for (const [i, part] of parts.entries()) {
      if (held.length < mostChars) held += part.slice(0, mostChars);
      if (i === parts.length - 1) return;
      take(held);
      held = "";
    }
  };
  return { add, end };
}
