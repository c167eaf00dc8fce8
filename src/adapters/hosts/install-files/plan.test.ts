import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { claudeInstallation } from "../claude/installation.ts";
import { placesOf } from "../places.ts";
import { applyChanges, removeEmpty } from "./change.ts";
import { hooksIn } from "./hooks-json.ts";
import { hostFiles, installedIn, ownFiles } from "./installed.ts";
import { madeFolders, planInstall, planRemoval } from "./plan.ts";
import { keepRecord } from "./record.ts";

const root = mkdtempSync(join(tmpdir(), "ralph-install-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let cwd = "";
let settings = "";
let boxes = 0;
beforeEach(() => {
  cwd = join(root, String(boxes++));
  settings = join(cwd, ".claude", "settings.json");
  mkdirSync(cwd);
  vi.stubEnv("RALPH_STATE_DIR", join(cwd, "state"));
});

const places = () => placesOf("claude", "project", { cwd });
const filesFor = (line: string) => hostFiles(claudeInstallation, places(), { line, plugin: "" });
const LINE = "ralph hook event claude";
const MOVED = "/new/node /new/ralph.js hook event claude";

const install = (line = LINE, force = false) => applyChanges(planInstall(filesFor(line), { force }));
function uninstall() {
  const files = ownFiles(claudeInstallation, places());
  const folders = madeFolders(files);
  const done = applyChanges(planRemoval(files));
  removeEmpty(folders);
  return done;
}
const put = (path: string, content: string | Buffer) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
};
const read = (path = settings): string => readFileSync(path, "utf8");
const command = () => join(cwd, ".claude", "commands", "ralph.md");

const FORMS: fc.Arbitrary<string> = fc.constantFrom(
  "",
  "{}",
  "{ }\n",
  '\ufeff{\r\n\t"model": "opus"\r\n}\r\n',
  '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"mine"}]}]},"env":{"A":"1"}}',
  '{\n   // mine\n   "hooks": { "Stop": [ ], "Other": [] }, /* x */\n   "a": [1,2, 3],\n}\n\n',
  '{\n  "hooks": {}\n}',
);

test("every file is restored byte for byte; a second run, or another program, changes nothing else", () => {
  fc.assert(
    fc.property(FORMS, fc.array(fc.constantFrom(LINE, MOVED), { minLength: 1, maxLength: 3 }), (text, lines) => {
      put(settings, text);
      for (const line of lines) {
        install(line);
        const once = read();
        expect(install(line).every(({ did }) => did === "unchanged")).toBe(true);
        expect(read()).toBe(once);
        expect(hooksIn(once.replace("\ufeff", "")).map((hook) => hook.command)).toEqual([line, line, line]);
      }
      uninstall();
      expect(read()).toBe(text);
    }),
    { numRuns: 20 },
  );
});

test("new files, folders and records are gone afterwards", () => {
  expect(install().map(({ did }) => did)).toEqual(["made", "made", "made", "made"]);
  expect(installedIn(claudeInstallation, "project", { cwd })).toMatchObject({ starts: LINE, missing: [] });
  expect(uninstall().map(({ did }) => did)).toEqual(["removed", "removed", "removed", "removed"]);
  expect(existsSync(join(cwd, ".claude"))).toBe(false);
  expect(uninstall().every(({ did }) => did === "unchanged")).toBe(true);
});

test("changes made by the user in between stay, and only our part is removed", () => {
  put(settings, '{\n  "hooks": {\n    "Stop": []\n  }\n}\n');
  install();
  put(settings, read().replace('"hooks"', '"model": "opus",\n  "hooks"'));
  put(join(cwd, ".claude/commands/mine.md"), "mine");
  put(command(), `${read(command())}\nAnd mine.\n`);
  install(MOVED, true);
  expect(uninstall().find(({ path }) => path === settings)?.did).toBe("restored");
  expect(read()).toBe('{\n  "model": "opus",\n  "hooks": {\n    "Stop": []\n  }\n}\n');
  expect(read(command())).toMatch(/And mine\.\n$/);
  expect(existsSync(`${command()}.bak`)).toBe(false);
  expect(read(join(cwd, ".claude/commands/mine.md"))).toBe("mine");
});

test("without a record our part is still removed, and an empty file of ours with it", () => {
  put(settings, '{"model": "opus"}');
  install();
  rmSync(join(cwd, "state"), { recursive: true });
  uninstall();
  expect(read()).toBe('{"model": "opus"}');
  expect(existsSync(command())).toBe(false);
  rmSync(settings);
  install();
  rmSync(join(cwd, "state"), { recursive: true });
  uninstall();
  expect(existsSync(settings)).toBe(false);
});

test("another owner's command is refused before anything is written, or set aside with --force", () => {
  put(command(), "mine");
  expect(() => install()).toThrow(/commands\/ralph\.md differs from Ralph's version; nothing was changed/);
  expect(existsSync(settings)).toBe(false);
  expect(existsSync(join(cwd, "state"))).toBe(false);
  expect(install(LINE, true)[0]).toEqual({ path: command(), did: "changed", kept: `${command()}.bak` });
  expect(read(`${command()}.bak`)).toBe("mine");
  uninstall();
  expect(read(command())).toBe("mine");
  expect(existsSync(`${command()}.bak`)).toBe(false);
  put(`${command()}.bak`, "older");
  expect(() => install(LINE, true)).toThrow(/\.bak already exists/);
});

test("a command written by an older version is replaced, also with other line endings; an edited one stays", () => {
  install();
  put(command(), read(command()).replaceAll("\n", "\r\n"));
  expect(install().every(({ did }) => did === "unchanged")).toBe(true);
  put(command(), read(command()).replace("a Ralph loop", "some loop"));
  expect(() => install()).toThrow(/differs from Ralph's version/);
  expect(uninstall()[0]).toEqual({ path: command(), did: "kept" });
});

test("a link is written through, and a file keeps its mode", () => {
  const real = join(cwd, "dotfiles.json");
  writeFileSync(real, "{}\n");
  chmodSync(real, 0o640);
  linked("../dotfiles.json", settings);
  install();
  expect(lstatSync(settings).isSymbolicLink()).toBe(true);
  expect(hooksIn(read(real))).toHaveLength(3);
  expect(statSync(real).mode & 0o777).toBe(0o640);
  uninstall();
  expect(read(real)).toBe("{}\n");
});

const readOnly = (path: string) => {
  put(path, "{}");
  chmodSync(path, 0o444);
};
const linked = (to: string, path: string) => {
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(to, path);
};

test.each<[string, () => void, RegExp]>([
  ["read-only", () => readOnly(settings), /settings\.json is read-only; nothing/],
  ["a folder", () => mkdirSync(settings, { recursive: true }), /settings\.json is not a file/],
  ["a dangling link", () => linked("nowhere", settings), /is a symlink to a missing file/],
  ["a link to itself", () => linked("settings.json", settings), /is a symlink to a missing file/],
  ["a folder that is a link to itself", () => linked(".claude", join(cwd, ".claude")), /\.claude is not a folder/],
  ["a file in its place", () => put(join(cwd, ".claude"), ""), /\.claude is not a folder/],
  ["not UTF-8", () => put(settings, Buffer.from([0x7b, 0xff, 0x7d])), /is not UTF-8/],
  ["broken", () => put(settings, '{\n  "a": \n}'), /settings\.json:3:1: expected a value/],
])("refused, with nothing written: %s", (_name, make, message) => {
  make();
  expect(() => install()).toThrow(message);
  expect(existsSync(command())).toBe(false);
  expect(existsSync(join(cwd, "state"))).toBe(false);
});

const STEPS = [0, 1, 2, 3, 4].flatMap((steps) => [[steps, true] as const, [steps, false] as const]);
test.each(
  STEPS,
)("interrupted after %i files: installing again (%s) finishes it, uninstalling undoes it", (steps, again) => {
  const text = '{ "model": "opus" }\n';
  put(settings, text);
  const changes = planInstall(filesFor(LINE), { force: false });
  for (const { record } of changes) if (record) keepRecord(record);
  applyChanges(changes.slice(0, steps));
  if (again) install();
  if (again) expect(installedIn(claudeInstallation, "project", { cwd })).toMatchObject({ missing: [] });
  uninstall();
  expect(read()).toBe(text);
  expect(existsSync(join(cwd, ".claude", "commands"))).toBe(false);
});

test.each([true, false])("interrupted between setting a file aside and writing ours: again (%s)", (again) => {
  put(command(), "mine");
  const changes = planInstall(filesFor(LINE), { force: true });
  for (const { record } of changes) if (record) keepRecord(record);
  renameSync(command(), `${command()}.bak`);
  if (again) install();
  uninstall();
  expect(read(command())).toBe("mine");
  expect(existsSync(`${command()}.bak`)).toBe(false);
});
