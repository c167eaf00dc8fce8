import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, test } from "vitest";
import { fileBlobs } from "../../adapters/io/file-blobs.ts";
import { RECORD } from "../../core/fingerprints.ts";
import { tamperSince } from "./changes.ts";
import { openLook } from "./file-state.ts";
import { type KeptRecord, type ProtectedRecord, readRecord, writeRecord } from "./record.ts";
import { restoreFrozen } from "./restore.ts";
import { readValue } from "./values.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "ralph-record-")));
const root = join(top, "work");
const at = (name: string) => join(root, name);
const FILES = ["check.sh", "scripts/a.mjs", "absent.txt"];
const VALUES = [
  "package.json#scripts.test",
  "package.json#scripts.pretest",
  "package.json#jest",
  "setup.cfg#tool:pytest",
];

beforeEach(() => {
  rmSync(top, { recursive: true, force: true });
  mkdirSync(at("scripts"), { recursive: true });
  writeFileSync(at("check.sh"), "one\ntwo\n");
  chmodSync(at("check.sh"), 0o755);
  writeFileSync(at("scripts/a.mjs"), "a\n");
  writeFileSync(at("package.json"), '{"scripts":{"test":"vitest"}}');
  writeFileSync(at("setup.cfg"), "[metadata]\nname = x\n[tool:pytest]\naddopts = -q\n");
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

async function take(): Promise<KeptRecord & { folder: string; read(): Promise<KeptRecord | null> }> {
  const look = openLook(root);
  const record: ProtectedRecord = {
    protect: [],
    files: Object.fromEntries(FILES.map((path) => [path, look.state(path)])),
    values: Object.fromEntries(VALUES.map((key) => [key, readValue(root, key)])),
    git: null,
    tests: null,
  };
  const blobs = fileBlobs(join(top, "state"));
  const fingerprints = await writeRecord(blobs, { root, record });
  const known = await readRecord(blobs, fingerprints);
  if (!known) throw new Error("no record");
  expect(known.record).toEqual(record);
  expect(Object.keys(fingerprints).sort()).toEqual(
    ["check.sh", "package.json#scripts.test", "scripts/a.mjs", "setup.cfg#tool:pytest", RECORD].sort(),
  );
  const folder = join(top, "state", `protected-${fingerprints[RECORD]?.slice(0, 16)}`);
  return { ...known, folder, read: () => readRecord(blobs, fingerprints) };
}

test.each<[string, () => void, string[]]>([
  ["nothing", () => undefined, []],
  ["another file", () => writeFileSync(at("other"), "x"), []],
  ["a line", () => writeFileSync(at("check.sh"), "one\nthree\n"), ["check.sh: changed: 1 line added, 1 removed"]],
  [
    "the order",
    () => writeFileSync(at("check.sh"), "two\none\n"),
    ["check.sh: changed: its lines are in another order"],
  ],
  ["bytes", () => writeFileSync(at("check.sh"), "a\0b"), ["check.sh: changed: 8 → 3 bytes"]],
  ["a deletion", () => rmSync(at("check.sh")), ["check.sh: deleted"]],
  ["a file that was missing", () => writeFileSync(at("absent.txt"), "x"), ["absent.txt: added"]],
  [
    "a folder for a file",
    () => {
      rmSync(at("check.sh"));
      mkdirSync(at("check.sh"));
    },
    ["check.sh: became a folder"],
  ],
  [
    "a file for its folder",
    () => {
      rmSync(at("scripts"), { recursive: true });
      writeFileSync(at("scripts"), "");
    },
    ["scripts/a.mjs: deleted"],
  ],
  [
    "a pipe",
    () => {
      rmSync(at("check.sh"));
      execFileSync("mkfifo", [at("check.sh")]);
    },
    ["check.sh: became a pipe or a device"],
  ],
  [
    "a link to an equal file",
    () => {
      renameSync(at("check.sh"), at("b"));
      symlinkSync("b", at("check.sh"));
    },
    ["check.sh: became a symlink to b"],
  ],
  [
    "a folder that is a link",
    () => {
      renameSync(at("scripts"), at("b"));
      symlinkSync("b", at("scripts"));
    },
    [`scripts/a.mjs: now at another path: ${at("b/a.mjs")}`],
  ],
  ["the executable bit", () => chmodSync(at("check.sh"), 0o644), ["check.sh: no longer executable"]],
  [
    "a variant of the name",
    () => writeFileSync(at("CHECK.sh"), ""),
    ["check.sh: a file whose name differs only in case was added: CHECK.sh"],
  ],
  [
    "a dependency",
    () => writeFileSync(at("package.json"), '{"scripts":{"test":"vitest"},"dependencies":{"a":"1"}}'),
    [],
  ],
  [
    "scripts",
    () => writeFileSync(at("package.json"), '{"scripts":{"test":"true","pretest":"x"}}'),
    ['package.json#scripts.test: changed: "vitest" → "true"', 'package.json#scripts.pretest: added: "x"'],
  ],
  ["an invalid package.json", () => writeFileSync(at("package.json"), "{"), ["package.json#scripts.test: deleted"]],
  [
    "a section",
    () => writeFileSync(at("setup.cfg"), "[tool:pytest]\n# why\naddopts = -q --co\n"),
    ['setup.cfg#tool:pytest: changed: tool:pytest.addopts: "-q" → "-q --co"'],
  ],
  [
    "another section",
    () => writeFileSync(at("setup.cfg"), "[metadata]\nname = y\n\n[tool:pytest]\naddopts = -q\n"),
    [],
  ],
])("reports %s", async (_name, change, told) => {
  const known = await take();
  change();
  expect((await tamperSince(known, root, { git: null })).map((tamper) => `${tamper.path}: ${tamper.change}`)).toEqual(
    told,
  );
});

test("the frozen files are restored in another checkout, replacing anything in their place", async () => {
  const known = await take();
  const target = join(top, "room");
  mkdirSync(join(target, "check.sh"), { recursive: true });
  mkdirSync(join(top, "outside"));
  symlinkSync(join(top, "outside"), join(target, "scripts"));
  expect(await restoreFrozen(known, target)).toEqual({ restored: ["check.sh", "scripts/a.mjs"], left: [] });
  expect(readFileSync(join(target, "check.sh"), "utf8")).toBe("one\ntwo\n");
  expect(statSync(join(target, "check.sh")).mode & 0o777).toBe(0o755);
  expect(readFileSync(join(target, "scripts/a.mjs"), "utf8")).toBe("a\n");
  expect(() => statSync(join(top, "outside/a.mjs"))).toThrow(/ENOENT/);
});

test("a changed record is invalid, and a changed copy is not restored", async () => {
  const known = await take();
  const { folder, record } = known;
  writeFileSync(join(folder, "copies", record.files["check.sh"]?.sha ?? ""), "evil");
  expect(await restoreFrozen(known, join(top, "work"))).toMatchObject({ left: ["check.sh"] });
  expect(await known.read()).not.toBeNull();
  writeFileSync(join(folder, "record.json"), "{}");
  expect(await known.read()).toBeNull();
});
