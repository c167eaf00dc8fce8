import { expect, test } from "vitest";
import { scopeFor } from "./scope.ts";

/** A project with these files. */
const project = (...files: string[]) => ({
  has: (file: string) => files.includes(file),
  hasAbove: () => false,
  read: () => "",
  runs: () => false,
  folders: (folder: string) => {
    const prefix = folder === "" ? "" : `${folder}/`;
    const below = files.filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length));
    return [...new Set(below.filter((file) => file.includes("/")).map((file) => file.split("/")[0] ?? ""))].sort();
  },
});

test.each<[string, string[], string[]]>([
  ["nothing without sources", ["index.js", "test/a.js"], []],
  ["sources and new tests", ["src/a.ts", "test/a.test.ts", "package.json"], ["src/**", "+test/**"]],
  ["texts", ["lib/a.rb", "README.md", "docs/a.md", "spec/a_spec.rb"], ["lib/**", "docs/**", "README.md", "+spec/**"]],
  ["a python package", ["mypkg/__init__.py", "tests/__init__.py"], ["mypkg/**", "+tests/**"]],
  ["packages of a workspace", ["packages/a/src/x.ts", "packages/b/src/y.ts"], ["packages/*/src/**"]],
  ["go", ["cmd/x/main.go", "internal/y/y.go", "go.mod"], ["cmd/**", "internal/**"]],
])("%s", (_name, files, scope) => expect(scopeFor(project(...files))).toEqual(scope));
