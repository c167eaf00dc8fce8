import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { changedSince, takeFingerprints } from "./fingerprint.ts";
import { scriptsNamed } from "./scripts.ts";

const cwd = realpathSync(mkdtempSync(join(tmpdir(), "ralph-scripts-")));
const at = (name: string) => join(cwd, name);
const pinned = (name: string) => ["", "pre", "post"].map((when) => `package.json#scripts.${when}${name}`);

beforeEach(() => {
  rmSync(cwd, { recursive: true, force: true });
  mkdirSync(at("scripts"), { recursive: true });
  for (const name of ["check.mjs", "clamp.mjs", "scripts/verify.sh", "Makefile"]) writeFileSync(at(name), name);
  writeFileSync(at("package.json"), '{"scripts":{"test":"vitest","lint":"biome"},"dependencies":{}}');
});
afterAll(() => rmSync(cwd, { recursive: true, force: true }));

test.each([
  ["node check.mjs", ["check.mjs"]],
  ["./scripts/verify.sh --all", ["./scripts/verify.sh"]],
  ["bash -e scripts/verify.sh && node check.mjs", ["scripts/verify.sh", "check.mjs"]],
  ["CI=1 timeout 30 node --test check.mjs", ["check.mjs"]],
  ["! grep -n debugger clamp.mjs", []],
  ["test -f clamp.mjs; cat Makefile | wc -l", []],
  ["npm test", pinned("test")],
  ["npm run -s lint && pnpm t", [...pinned("lint"), ...pinned("test")]],
  ["make test", ["Makefile"]],
  ["node missing.mjs", []],
  ["sh /etc/profile", []],
])("%s runs %j", (command, scripts) => expect(scriptsNamed(command, cwd)).toEqual(scripts));

const PROTECTED = ["check.mjs", "scripts", "absent.txt", "package.json#scripts.test", "package.json#scripts.pretest"];

test.each<[string, () => void, string[]]>([
  ["nothing", () => undefined, []],
  ["another file", () => writeFileSync(at("clamp.mjs"), "other"), []],
  ["a file's content", () => writeFileSync(at("check.mjs"), "other"), ["check.mjs"]],
  ["a file that was not there", () => writeFileSync(at("absent.txt"), "new"), ["absent.txt"]],
  ["a deletion", () => rmSync(at("check.mjs")), ["check.mjs"]],
  ["a file deep in a folder", () => writeFileSync(at("scripts/new.sh"), "x"), ["scripts"]],
  ["a folder for a file", () => mkdirSync(at("absent.txt")), ["absent.txt"]],
  [
    "a link to an equal file",
    () => {
      renameSync(at("check.mjs"), at("moved.mjs"));
      symlinkSync("moved.mjs", at("check.mjs"));
    },
    ["check.mjs"],
  ],
  [
    "a pipe for a file, which is not read",
    () => {
      rmSync(at("check.mjs"));
      execFileSync("mkfifo", [at("check.mjs")]);
    },
    ["check.mjs"],
  ],
  [
    "a dependency",
    () => writeFileSync(at("package.json"), '{"scripts":{"test":"vitest"},"dependencies":{"a":"1"}}'),
    [],
  ],
  [
    "a script of package.json",
    () => writeFileSync(at("package.json"), '{"scripts":{"test":"true","pretest":"x"}}'),
    ["package.json#scripts.pretest", "package.json#scripts.test"],
  ],
  [
    "a package.json that is none",
    () => writeFileSync(at("package.json"), "{"),
    ["package.json#scripts.pretest", "package.json#scripts.test"],
  ],
])("sees %s", (_name, change, changed) => {
  const before = takeFingerprints(cwd, PROTECTED);
  change();
  expect(changedSince(cwd, before)).toEqual(changed);
});
