import { expect, test } from "vitest";
import { scopeFor } from "./scope.ts";

/** A project with these files. */
const project = (...files: string[]) => ({
  has: (file: string) => files.includes(file),
  hasAbove: () => false,
  read: () => "",
  runs: () => false,
  files: () => files,
});

test.each<[string, string[], string[]]>([
  ["nothing without sources", ["index.js", "test/a.js"], []],
  ["sources and new tests", ["src/a.ts", "test/a.test.ts", "package.json"], ["src/**", "+test/**"]],
  ["texts", ["lib/a.rb", "README.md", "docs/a.md", "spec/a_spec.rb"], ["lib/**", "docs/**", "README.md", "+spec/**"]],
  ["a python package", ["mypkg/__init__.py", "tests/__init__.py"], ["mypkg/**", "+tests/**"]],
  ["packages of a workspace", ["packages/a/src/x.ts", "packages/b/src/y.ts"], ["packages/*/src/**"]],
  [
    "go",
    ["main.go", "internal/y/y.go", "internal/y/y_test.go", "y/testdata/a", "go.mod"],
    ["internal/**", "**/*.go", "+**/testdata/**", "+**/*_test.*"],
  ],
  [
    "tests beside the sources",
    ["src/a.ts", "src/a.test.ts", "src/__snapshots__/a.test.ts.snap"],
    ["src/**", "+**/__snapshots__/**", "+**/*.test.*"],
  ],
  ["java", ["pom.xml", "src/main/java/A.java", "src/test/java/ATest.java"], ["src/**", "+**/src/test/**"]],
  [
    "modules with their own manifest",
    ["app/build.gradle", "app/src/main/A.kt", "core/build.gradle", "core/src/test/B.kt", "buildSrc/src/x.kt"],
    ["app/src/**", "core/src/**", "+**/src/test/**"],
  ],
  ["tests in a python package", ["p/__init__.py", "p/tests/test_a.py"], ["p/**", "+**/tests/**", "+**/test_*.py"]],
  [
    "tests of packages",
    ["packages/a/src/x.ts", "packages/b/lib/y.js", "packages/a/test/x.js"],
    ["packages/*/src/**", "packages/*/lib/**", "+packages/*/test/**"],
  ],
  [
    "rust",
    ["Cargo.toml", "crates/a/src/lib.rs", "crates/a/tests/t.rs"],
    ["crates/*/src/**", "+crates/*/tests/**", "+**/tests/**"],
  ],
])("%s", (_name, files, scope) => expect(scopeFor(project(...files))).toEqual(scope));
