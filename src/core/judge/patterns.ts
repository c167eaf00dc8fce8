export interface PatternHit {
  pattern: string;
  where: string;
}

export function patternWatch(patterns: readonly string[]) {
  const wanted = patterns.map((pattern) => ({ pattern, lower: pattern.toLowerCase() }));
  let hit: PatternHit | null = null;
  return {
    look(text: string, where: () => string) {
      if (hit || wanted.length === 0) return;
      const lower = text.toLowerCase();
      const found = wanted.find((one) => lower.includes(one.lower));
      if (found) hit = { pattern: found.pattern, where: where() };
    },
    hit: (): PatternHit | null => hit,
  };
}
