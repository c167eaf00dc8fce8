const SPELLINGS: Record<string, readonly string[]> = {
  "ralph-status": ["status"],
  "ralph-cancel": ["cancel"],
};

/** What a `specflow` command line is called in `ralph`. */
export function fromSpecflow([command = "--help", ...rest]: readonly string[]): string[] {
  return [...(SPELLINGS[command] ?? [command]), ...rest];
}
