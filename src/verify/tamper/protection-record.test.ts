import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { provedBy, someSpec } from "../../../test/support/spec.ts";
import { fileBlobs } from "../../adapters/io/file-blobs.ts";
import type { Blobs } from "../../core/blobs.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import type { Proof } from "../../core/proof/proof.ts";
import type { LoopRole } from "../../core/task/role.ts";
import { protectFromRecord, recordProtection } from "./protection-record.ts";
import { tamperedWith } from "./tampering.ts";

let top: string;
let main: string;
let tree: string;
let blobs: Blobs;

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
    cwd,
    encoding: "utf8",
    stdio: "pipe",
  }).trim();
const write = (path: string, text: string) => {
  mkdirSync(dirname(join(tree, path)), { recursive: true });
  writeFileSync(join(tree, path), text);
};
const TESTS = 'test("a", () => { expect(1).toBe(1); });\ntest("b", () => { expect(2).toBe(2); });\n';

/** A repository with a check, and a linked worktree of it. */
beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), "ralph-trust-")));
  main = join(top, "main");
  tree = join(top, "tree");
  blobs = fileBlobs(join(top, "task"));
  mkdirSync(main);
  git(main, "init", "-q", "-b", "main");
  writeFileSync(join(main, "check.sh"), "exit 1\n");
  writeFileSync(join(main, "conftest.py"), "x = 1\n");
  writeFileSync(join(main, "a.test.js"), TESTS);
  writeFileSync(join(main, "package.json"), '{\n  "scripts": { "test": "node run.js" },\n  "dependencies": {}\n}\n');
  git(main, "add", "-A");
  git(main, "commit", "-qm", "base");
  git(main, "worktree", "add", "-q", "-b", "task/T", tree);
});

const COMMANDS = ["sh check.sh", "npm test", "pytest", "node tools/app.js"];

function specOf(
  place: LoopRole,
  proof: Partial<Proof> = {},
  protect: Partial<Record<LoopRole, string[]>> = {},
): LoopSpec {
  const { stages } = provedBy(COMMANDS);
  const watched = (["coder", "reviewer", "tester"] as const).map((one) => ({
    place: one,
    stages: one === "tester" ? stages : [],
    cleanRoom: null,
    protect: protect[one] ?? [],
  }));
  const part = { task: "T", place, execution: "e", description: "", method: "", watched };
  // The loop itself runs none of it.
  return someSpec({ cwd: tree, tracked: true, part, proof: { ...provedBy([]), ...proof } });
}

async function changesFor(
  spec: LoopSpec,
  fingerprints: Awaited<ReturnType<typeof recordProtection>>,
): Promise<string[]> {
  const own = fileBlobs(join(top, "loop"));
  const mine = await protectFromRecord(own, spec, { blobs, fingerprints });
  return (await tamperedWith({ spec, blobs: own, fingerprints: mine })).map(({ path, change }) => `${path}: ${change}`);
}

test("changes to another stage's checks in an earlier loop are found in the next one, and can be undone", async () => {
  const trusted = await recordProtection(blobs, specOf("coder"), []);
  expect(await changesFor(specOf("coder"), trusted)).toEqual([]);
  write("check.sh", "exit 0\n");
  write("package.json", '{ "scripts": { "test": "true" }, "dependencies": { "left-pad": "1" } }\n');
  rmSync(join(tree, "a.test.js"));
  git(tree, "commit", "-qam", "done");
  const found = await changesFor(specOf("reviewer"), trusted);
  expect(found).toEqual([
    expect.stringMatching(/^check\.sh: /),
    expect.stringMatching(/^package\.json#scripts\.test: /),
    expect.stringMatching(/^a\.test\.js: 2 tests deleted/),
  ]);
  git(tree, "checkout", "-q", "main", "--", ".");
  expect(await changesFor(specOf("coder"), trusted)).toEqual([]);
});

test("a copy of the trusted files is kept, whatever the checkout contains now", async () => {
  const trusted = await recordProtection(blobs, specOf("coder"), []);
  write("check.sh", "exit 0\n");
  const mine = await protectFromRecord(fileBlobs(join(top, "loop")), specOf("qa"), { blobs, fingerprints: trusted });
  const copies = execFileSync("sh", ["-c", `cat ${join(top, "loop")}/protected-*/copies/*`], { encoding: "utf8" });
  expect(copies).toContain("exit 1\n");
  expect(copies).not.toContain("exit 0\n");
  expect(mine["check.sh"]).toBe(trusted["check.sh"]);
});

test("verified files are trusted from then on", async () => {
  const before = await recordProtection(blobs, specOf("coder"), []);
  write("a.test.js", `${TESTS}test("c", () => { expect(3).toBe(3); });\n`);
  const after = await recordProtection(blobs, specOf("coder"), [], { before });
  write("a.test.js", TESTS);
  expect(await changesFor(specOf("coder"), before)).toEqual([]);
  expect(await changesFor(specOf("coder"), after)).toEqual([expect.stringContaining("1 test deleted")]);
});

test("if tests may change, test files and their shared files may", async () => {
  const trusted = await recordProtection(blobs, specOf("tester", { testsMayChange: true }), []);
  rmSync(join(tree, "a.test.js"));
  write("conftest.py", "collect_ignore = ['x']\n");
  // Other tests are allowed, fewer are not.
  expect(await changesFor(specOf("tester", { testsMayChange: true }), trusted)).toEqual([
    expect.stringContaining("2 ran before, none run now"),
  ]);
  write("b.test.js", 'test("x", () => {});\ntest("y", () => {});\n');
  expect(await changesFor(specOf("tester", { testsMayChange: true }), trusted)).toEqual([]);
  expect(await changesFor(specOf("coder"), trusted)).toHaveLength(2);
  const named = await recordProtection(blobs, specOf("tester"), ["conftest.py"]);
  write("conftest.py", "x = 3\n");
  expect(await changesFor(specOf("tester", { testsMayChange: true }), named)).toHaveLength(1);
});

test("the coder may change a file that it made, even if a check runs it; others may not", async () => {
  const before = await recordProtection(blobs, specOf("coder"), []);
  write("tools/app.js", "1\n");
  expect(await changesFor(specOf("coder"), before)).toEqual([]);
  const after = await recordProtection(blobs, specOf("coder"), [], { before });
  const again = await recordProtection(blobs, specOf("reviewer"), [], { before: after });
  write("tools/app.js", "2\n");
  expect(await changesFor(specOf("coder"), again)).toEqual([]);
  expect(await changesFor(specOf("reviewer"), again)).toEqual([expect.stringMatching(/^tools\/app\.js: /)]);
});

test("files protected by a single stage are protected from the start, and only in that stage", async () => {
  const protect = { reviewer: ["src/**"] };
  write("src/b.js", "1\n");
  const trusted = await recordProtection(blobs, specOf("coder", {}, protect), []);
  write("src/b.js", "2\n");
  expect(await changesFor(specOf("coder", {}, protect), trusted)).toEqual([]);
  expect(await changesFor(specOf("reviewer", {}, protect), trusted)).toEqual([expect.stringMatching(/^src\/b\.js: /)]);
});

test.each<[string, () => void, RegExp]>([
  ["a hook", () => writeFileSync(join(main, ".git/hooks/pre-commit"), "exit 0\n"), /^\.git\/hooks: /],
  ["a hooks folder", () => git(tree, "config", "core.hooksPath", "/tmp/x"), /^git config: /],
  [
    "a filter of the worktree only",
    () => {
      git(tree, "config", "extensions.worktreeConfig", "true");
      git(tree, "config", "--worktree", "filter.x.clean", "true");
    },
    /^git config: /,
  ],
  ["attributes", () => writeFileSync(join(main, ".git/info/attributes"), "* filter=x\n"), /^\.git\/info\/attributes: /],
  ["a file hidden from git", () => git(tree, "update-index", "--assume-unchanged", "check.sh"), /^\.git\/index: /],
])("in a linked worktree git's own files and settings are protected too: %s", async (_name, trick, told) => {
  const trusted = await recordProtection(blobs, specOf("coder"), []);
  trick();
  expect(await changesFor(specOf("coder"), trusted)).toEqual(expect.arrayContaining([expect.stringMatching(told)]));
});

test("a changed record is refused", async () => {
  const trusted = await recordProtection(blobs, specOf("coder"), []);
  const path = execFileSync("sh", ["-c", `ls ${join(top, "task")}/protected-*/record.json`], {
    encoding: "utf8",
  }).trim();
  writeFileSync(path, readFileSync(path, "utf8").replace("check.sh", "chock.sh"));
  await expect(changesFor(specOf("coder"), trusted)).rejects.toThrow("is gone or changed");
});

describe("after a merge with conflicts", () => {
  const torn = "<<<<<<< HEAD\nx\n=======\ny\n>>>>>>> main\n";

  async function merged() {
    const before = await recordProtection(blobs, specOf("coder"), []);
    writeFileSync(
      join(main, "package.json"),
      '{ "scripts": { "test": "node all.js" }, "dependencies": { "a": "1" } }\n',
    );
    writeFileSync(join(main, "a.test.js"), `${TESTS}test("theirs", () => { expect(3).toBe(3); });\n`);
    git(main, "commit", "-qam", "theirs");
    write("package.json", torn);
    write("a.test.js", torn);
    const conflicts = ["package.json", "a.test.js"];
    return recordProtection(blobs, specOf("conflict"), [], {
      before,
      merged: { onto: git(main, "rev-parse", "HEAD"), conflicts },
    });
  }

  test("the target's tests must be kept", async () => {
    const trusted = await merged();
    write("package.json", '{ "scripts": { "test": "node all.js" }, "dependencies": { "a": "1", "b": "2" } }\n');
    write(
      "a.test.js",
      `${TESTS}test("theirs", () => { expect(3).toBe(3); });\ntest("ours", () => { expect(4).toBe(4); });\n`,
    );
    expect(await changesFor(specOf("conflict"), trusted)).toEqual([]);
  });

  test("resolving conflicts cannot remove them", async () => {
    const trusted = await merged();
    write("package.json", '{ "scripts": { "test": "true" }, "dependencies": {} }\n');
    write("a.test.js", TESTS);
    expect(await changesFor(specOf("conflict"), trusted)).toEqual([
      expect.stringMatching(/^package\.json#scripts\.test: /),
      expect.stringMatching(/^a\.test\.js: 1 test deleted/),
    ]);
  });
});
