/** Whether a JSON text contains a key twice, of which the parser silently keeps the last. */
export const repeatsKeys = (source: string, value: unknown): boolean => keysWritten(source) !== keysRead(value);

function keysWritten(source: string): number {
  let keys = 0;
  for (const [, colon] of source.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"(\s*:)?/g)) if (colon !== undefined) keys++;
  return keys;
}

function keysRead(value: unknown): number {
  let keys = 0;
  for (const open = [value]; open.length > 0; ) {
    const next = open.pop();
    if (typeof next !== "object" || next === null) continue;
    if (!Array.isArray(next)) keys += Object.keys(next).length;
    for (const inner of Object.values(next)) open.push(inner);
  }
  return keys;
}
