import { expect, test } from "vitest";
import { scopeOf } from "./scope.ts";

const PLACE = { folder: "/repo", root: "/repo" };

test.each<[string, readonly string[], string, "all" | "add" | "nothing"]>([
  ["a file below a folder", ["src/**"], "src/a/b.ts", "all"],
  ["a folder means everything in it", ["src"], "src/a/b.ts", "all"],
  ["so does a folder with a slash", ["src/"], "src/a.ts", "all"],
  ["a file outside", ["src/**"], "test/a.ts", "nothing"],
  ["a name does not match in other folders", ["src"], "test/src/a.ts", "nothing"],
  ["an excluded file", ["src/**", "!src/generated/**"], "src/generated/a.ts", "nothing"],
  ["an exclusion wins wherever it is", ["!src/generated", "src/**"], "src/generated/a.ts", "nothing"],
  ["new files only", ["src/**", "+test/**"], "test/a.ts", "add"],
  ["a later pattern for all", ["+test/**", "test/mine/**"], "test/mine/a.ts", "all"],
  ["a later pattern for new files only", ["src/**", "+**/*.test.*"], "src/a.test.ts", "add"],
  ["names that start with a dot", ["src/**"], "src/.env", "all"],
  ["exact case", ["src/**"], "SRC/a.ts", "nothing"],
  ["a single file", ["./README.md"], "README.md", "all"],
  ["a name with brackets", ["app/[...slug]/**"], "app/[...slug]/page.tsx", "all"],
  ["a name in parentheses", ["app/(auth)"], "app/(auth)/page.tsx", "all"],
  ["a name with a newline", ["src/**"], "src/a\nb", "all"],
  ["an excluded name with a newline", ["src/*/*", "!src/generated/**"], "src/generated/a\nb", "nothing"],
  ["everything", ["**"], "a/b", "all"],
  ["the folder itself", ["."], "a/b", "all"],
])("%s", (_name, patterns, path, allowed) => {
  expect(scopeOf(patterns, PLACE).allows(path)).toBe(allowed);
});

test("patterns are relative to the loop's folder, paths to the checkout", () => {
  const scope = scopeOf(["src/**", "../shared/**"], { folder: "/repo/packages/a", root: "/repo" });
  expect(scope.allows("packages/a/src/x.ts")).toBe("all");
  expect(scope.allows("packages/shared/x.ts")).toBe("all");
  expect(scope.allows("src/x.ts")).toBe("nothing");
});

test.each(["!", "+", " "])("%j names no path", (pattern) => {
  expect(() => scopeOf(["src", pattern], PLACE)).toThrow(/names no path/);
});

test.each(["/etc/**", "../outside/**", "!../../x"])("%s leads out of the repository", (pattern) => {
  expect(() => scopeOf([pattern], PLACE)).toThrow(/leads out of the repository/);
});
