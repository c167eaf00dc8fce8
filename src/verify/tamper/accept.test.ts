import { expect, test } from "vitest";
import type { TestFile } from "../test-files/inventory.ts";
import { accepted } from "./accept.ts";
import type { FileState } from "./file-state.ts";
import type { ProtectedRecord } from "./record.ts";
import { kept } from "./values.ts";

const record = (more: Partial<ProtectedRecord>): ProtectedRecord => ({
  protect: [],
  files: {},
  values: {},
  git: null,
  tests: null,
  ...more,
});
const ABSENT: FileState = { is: "absent" };
const file = (sha: string): FileState => ({ is: "file", sha });
const tests = (sha: string): TestFile => ({ sha, tests: [], only: 0, assertions: 0 });

test.each<[string, FileState | undefined, FileState | undefined, FileState, FileState | undefined]>([
  ["added by the command", ABSENT, ABSENT, file("user"), file("user")],
  ["changed by the command", file("old"), file("old"), file("user"), file("user")],
  ["not changed at all", file("old"), file("old"), file("old"), file("old")],
  ["planted before it, and left", ABSENT, file("agent"), file("agent"), ABSENT],
  ["planted before it, and formatted by it", ABSENT, file("agent"), file("agent, neat"), ABSENT],
  ["changed before it, and changed further", file("old"), file("agent"), file("both"), file("old")],
  ["planted before it, and deleted by it", ABSENT, file("agent"), ABSENT, ABSENT],
  ["changed before it, and deleted by it", file("old"), file("agent"), ABSENT, ABSENT],
  ["changed before it, and restored by it", file("old"), file("agent"), file("old"), file("old")],
  ["first needed because of the command, and present", undefined, undefined, file("user"), file("user")],
  ["first needed because of the command, and missing", undefined, undefined, ABSENT, ABSENT],
  ["needed only since an agent worked, and kept", undefined, file("agent"), file("agent"), undefined],
  ["needed only since an agent worked, and changed", undefined, file("agent"), file("user"), file("user")],
])("a file that was %s", (_name, trusted, before, after, expected) => {
  const filesOf = (state: FileState | undefined) => record({ files: state ? { f: state } : {} });
  const { files } = accepted(filesOf(trusted), { before: filesOf(before), after: filesOf(after) });
  expect(files).toEqual(expected ? { f: expected } : {});
});

test("values are accepted one by one", () => {
  const { values } = accepted(record({ values: { test: kept("a"), pretest: null } }), {
    before: record({ values: { test: kept("a"), pretest: kept("planted") } }),
    after: record({ values: { test: kept("b"), pretest: kept("planted") } }),
  });
  expect(values).toEqual({ test: kept("b"), pretest: null });
});

test("so are test files, and files hidden from git", () => {
  const git = (...overlooked: string[]) => ({ hooks: true, overlooked });
  const next = accepted(record({ git: git(), tests: { a: tests("1"), b: tests("1"), c: tests("1") } }), {
    before: record({ git: git("agent"), tests: { a: tests("1"), b: tests("agent"), d: tests("agent") } }),
    after: record({ git: git("agent", "user"), tests: { b: tests("both"), d: tests("agent"), e: tests("user") } }),
  });
  expect(next.git).toEqual(git("user"));
  expect(next.tests).toEqual({ b: tests("1"), c: tests("1"), e: tests("user") });
});
