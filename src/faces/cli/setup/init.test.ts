import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import type { Settings } from "../../../core/schema/settings.ts";
import { schemaPlace, writeInit } from "./init.ts";

const NO_SCHEMA = { reference: null, source: null };
const settings: Settings = { maximumIterations: 3 };

/** A new folder with these files. */
function folder(files: Record<string, string> = {}): string {
  const root = mkdtempSync(join(tmpdir(), "ralph-init-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
  return root;
}

const files = (cwd: string): string[] => readdirSync(join(cwd, ".ralph")).sort();
const read = (cwd: string, name: string): string => readFileSync(join(cwd, ".ralph", name), "utf8");

test("the settings are written completely, without leftovers; git is told to ignore Ralph's own files", () => {
  const cwd = folder({ ".git/HEAD": "" });
  expect(writeInit(cwd, { settings, schema: NO_SCHEMA, force: false })).toEqual([
    ".ralph/settings.json",
    ".git/info/exclude",
  ]);
  expect(read(cwd, "settings.json")).toBe('{\n  "maximumIterations": 3\n}\n');
  expect(files(cwd)).toEqual(["settings.json"]);
});

test("an existing .gitignore is not changed", () => {
  const cwd = folder({ ".ralph/.gitignore": "mine\n" });
  expect(writeInit(cwd, { settings, schema: NO_SCHEMA, force: false })).toEqual([".ralph/settings.json"]);
  expect(read(cwd, ".gitignore")).toBe("mine\n");
});

test("existing settings are refused, and set aside with --force", () => {
  const cwd = folder({ ".ralph/settings.json": "old" });
  const write = (force: boolean) => () => writeInit(cwd, { settings, schema: NO_SCHEMA, force });
  expect(write(false)).toThrow(expect.objectContaining({ code: "settings-exist", exitCode: 2 }));
  expect(read(cwd, "settings.json")).toBe("old");
  expect(write(true)()).toContain(".ralph/settings.json.bak");
  expect(read(cwd, "settings.json.bak")).toBe("old");
  expect(write(true)).toThrow(expect.objectContaining({ code: "settings-kept", exitCode: 2 }));
  expect(read(cwd, "settings.json.bak")).toBe("old");
});

test("a dangling link counts as existing, too", () => {
  const cwd = folder({ ".ralph/x": "" });
  symlinkSync("nowhere", join(cwd, ".ralph/settings.json"));
  expect(() => writeInit(cwd, { settings, schema: NO_SCHEMA, force: false })).toThrow("settings already exist");
});

test("a file in place of the folder is reported with the folder's name", () => {
  const cwd = folder({ ".ralph": "" });
  expect(() => writeInit(cwd, { settings, schema: NO_SCHEMA, force: false })).toThrow(
    expect.objectContaining({ message: expect.stringContaining(".ralph"), hint: expect.stringContaining(".ralph/") }),
  );
});

const INSTALLED = "node_modules/ralph-engine/schema/settings.schema.json";

test("editors are pointed at the schema of the package installed in the project", () => {
  const cwd = folder({ [INSTALLED]: "{}", "own.json": "{}" });
  const schema = schemaPlace(cwd, join(cwd, "own.json"));
  expect(schema).toEqual({ reference: `../${INSTALLED}`, source: null });
  writeInit(cwd, { settings, schema, force: false });
  expect(files(cwd)).toEqual(["settings.json"]);
  expect(existsSync(join(cwd, ".ralph", String(schema.reference)))).toBe(true);
});

test("otherwise they get a copy of it, rewritten every time", () => {
  const cwd = folder({ "own.json": '{"new": 1}', ".ralph/settings.schema.json": "old" });
  const schema = schemaPlace(cwd, join(cwd, "own.json"));
  expect(schema.reference).toBe("./settings.schema.json");
  expect(writeInit(cwd, { settings, schema, force: false })).toContain(".ralph/settings.schema.json");
  expect(read(cwd, "settings.schema.json")).toBe('{"new": 1}');
  expect(files(cwd)).toEqual(["settings.json", "settings.schema.json"]);
});

test("without any schema there is no reference", () => {
  const cwd = folder();
  expect(schemaPlace(cwd, join(cwd, "own.json"))).toEqual(NO_SCHEMA);
});
