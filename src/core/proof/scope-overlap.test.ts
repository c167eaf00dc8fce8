import { expect, test } from "vitest";
import { type ScopePattern, scopesOverlap } from "./scope-overlap.ts";

const scope = (patterns: string): ScopePattern[] =>
  patterns
    .split(" ")
    .filter((pattern) => pattern !== "")
    .map((pattern) => ({ excludes: pattern.startsWith("!"), glob: pattern.replace(/^[!+]/, "") }));

test.each<[one: string, other: string, overlaps: boolean]>([
  // Without a scope, everything may change.
  ["", "", true],
  ["", "src/a/**", true],
  ["", "!src/**", false],
  ["**", "docs/**", true],
  // Folders and files.
  ["src/a/**", "src/b/**", false],
  ["src/a", "src/b", false],
  ["src/a/**", "src/a/**", true],
  ["src/a/**", "src/a/b/c.ts", true],
  ["src", "src/a/**", true],
  ["src/a", "src/ab", false],
  ["src/a/**", "src/A/**", true],
  ["README.md", "src/**", false],
  // Characters that Unicode writes in two ways.
  ["docs/\u00e9/**", "docs/e\u0301/**", true],
  // Several patterns.
  ["src/a/** test/a/**", "src/b/** test/b/**", false],
  ["src/a/** test/**", "src/b/** test/b/**", true],
  ["src/a/** +test/**", "src/b/** +test/**", true],
  // Wildcards in one name.
  ["packages/*/src/**", "packages/*/test/**", false],
  ["packages/*/src/**", "packages/a/**", true],
  ["packages/a*/**", "packages/b*/**", false],
  ["packages/a*/**", "packages/ab/**", true],
  ["src/*.ts", "src/*.css", false],
  ["src/*.ts", "src/*.test.ts", true],
  ["src/?.ts", "src/ab.css", false],
  ["*.ts", "src/**", false],
  ["*.ts", "a.ts/**", true],
  ["app/[slug]/a/**", "app/[slug]/b/**", false],
  ["app/[slug]/**", "app/s/**", true],
  ["app/[slug]/**", "app/[id]/**", true],
  // Wildcards that match any number of names.
  ["**/*.ts", "**/*.css", true],
  ["src/**/a", "src/**/b", true],
  ["src/**", "test/**", false],
  ["{src,test}/**", "docs/**", true],
  ["src/{a/x,b}/**", "src/a/**", true],
  ["src/a{1,2}/**", "src/b/**", false],
  ["src/a.@(ts|js)", "src/b.ts", false],
  ["src/@(a|b)/**", "src/c/**", true],
  ["src/\\a/**", "src/b/**", true],
  // Alternatives outside a group, and negations, may match anything.
  ["src|lib/**", "lib/**", true],
  ["src/a|lib/**", "lib/**", true],
  ["src/(a|lib", "lib", true],
  ["src/[(]a|lib)", "lib", true],
  ["src/\\(a|lib)", "lib", true],
  ["src/@(a|b|@(c|d))/**", "lib/**", false],
  ["+!gen", "*.txt", true],
  ["+!(gen)/**", "src/**", true],
  ["src/a|lib !src", "lib", true],
  ["** !src", "src/a|lib", true],
  // What one excludes, it cannot change.
  ["** !docs/**", "docs/**", false],
  ["** !docs", "docs/guide/*.md", false],
  ["** !docs/** !src/**", "docs/** src/a", false],
  ["** !docs/**", "docs/** src/**", true],
  ["** !docs/*.md", "docs/a.md", true],
  ["** !docs/guide/**", "docs/**", true],
  ["** !Docs/**", "docs/**", true],
])("%j and %j: %s", (one, other, overlaps) => {
  expect(scopesOverlap(scope(one), scope(other))).toBe(overlaps);
  expect(scopesOverlap(scope(other), scope(one))).toBe(overlaps);
});
