/** How many letters must be changed, added or removed to turn one word into the other. */
export function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...a].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= b.length; column++) {
      const swap = (above[column - 1] ?? 0) + (letter === b[column - 1] ? 0 : 1);
      current.push(Math.min(swap, (above[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    above = current;
  }
  return above[b.length] ?? 0;
}

/** The known word that was probably meant: misspelt, or shortened (`maxCost`, `max_iterations`). */
export function closest(word: string, known: readonly string[]): string | null {
  const ranked = known.map((name) => ({ name, slips: editDistance(word.toLowerCase(), name.toLowerCase()) }));
  const best = ranked.sort((a, b) => a.slips - b.slips)[0];
  if (best !== undefined && best.slips <= slipsAllowed(best.name) && best.slips < best.name.length) return best.name;
  const [longer, another] = word.length > 3 ? known.filter((name) => name.startsWith(word)) : [];
  return longer !== undefined && another === undefined ? longer : null;
}

const slipsAllowed = (name: string): number => Math.max(2, Math.floor(name.length / 4));
