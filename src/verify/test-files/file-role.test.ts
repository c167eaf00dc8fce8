import { expect, test } from "vitest";
import { decidingKind } from "./file-role.ts";

test.each<[string, ReturnType<typeof decidingKind>]>([
  ["src/a.test.ts", "test"],
  ["tests/test_login.py", "test"],
  ["pkg/a_test.go", "test"],
  ["tests/cli.rs", "test"],
  ["t/basic.t", "test"],
  ["features/login.feature", "test"],
  ["src/__snapshots__/a.test.ts.snap", "snapshot"],
  ["tests/__snapshots__/test_a.ambr", "snapshot"],
  ["testdata/out.golden", "snapshot"],
  ["cmd/page.approved.txt", "snapshot"],
  ["test/fixtures/user.json", "fixture"],
  ["testdata/in.txt", "fixture"],
  ["tests/helpers/server.ts", "helper"],
  ["spec/support/login.rb", "helper"],
  ["src/setupTests.ts", "helper"],
  ["vitest.config.ts", "configuration"],
  ["packages/a/jest.config.js", "configuration"],
  ["spec/support/jasmine.json", "configuration"],
  [".cargo/config.toml", "configuration"],
  ["src/lib.rs", null],
  ["src/contest.js", null],
  ["src/latest.ts", null],
  ["docs/specs/login.md", null],
  ["specs/login.yaml", null],
  ["src/config.toml", null],
  ["tests/README.md", null],
  ["src/snapshots/store.ts", null],
])("%s: %s", (path, kind) => {
  expect(decidingKind(path)).toBe(kind);
});
