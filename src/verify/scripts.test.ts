import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { changedSince, takeFingerprints } from "./fingerprint.ts";
import { scriptsNamed } from "./scripts.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "ralph-scripts-")));
mkdirSync(join(cwd, "scripts"));
for (const name of ["check.mjs", "clamp.mjs", "scripts/verify.sh", "Makefile"]) writeFileSync(join(cwd, name), name);

test.each([
  ["node check.mjs", ["check.mjs"]],
  ["./scripts/verify.sh --all", ["./scripts/verify.sh"]],
  ["bash -e scripts/verify.sh && node check.mjs", ["scripts/verify.sh", "check.mjs"]],
  ["CI=1 timeout 30 node --test check.mjs", ["check.mjs"]],
  ["! grep -n debugger clamp.mjs", []],
  ["test -f clamp.mjs; cat Makefile | wc -l", []],
  ["npm test", []],
  ["node missing.mjs", []],
  ["sh /etc/profile", []],
])("%s runs %j", (command, scripts) => expect(scriptsNamed(command, cwd)).toEqual(scripts));

test("a changed, deleted or replaced file no longer has its fingerprint", () => {
  const before = takeFingerprints(cwd, ["check.mjs", "clamp.mjs", "absent.txt"]);
  expect(changedSince(cwd, before)).toEqual([]);
  writeFileSync(join(cwd, "clamp.mjs"), "other");
  writeFileSync(join(cwd, "absent.txt"), "new");
  expect(changedSince(cwd, before)).toEqual(["absent.txt", "clamp.mjs"]);
});
