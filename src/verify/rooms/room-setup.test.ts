import { createHash } from "node:crypto";
import { join } from "node:path";
import { expect, test } from "vitest";
import { checkFolder } from "../../../test/support/check.ts";
import type { SetUpPlan } from "../../core/proof/proof.ts";
import { type RoomCheckout, setUpOf } from "./room-setup.ts";

const LOCKED = { "package.json": "{}", "package-lock.json": "{}" };

/** The setup of a checkout with these files. */
function setUp(
  files: Record<string, string>,
  room: Partial<SetUpPlan> = {},
  more: Partial<RoomCheckout> & { below?: string } = {},
) {
  const { cwd: root, write } = checkFolder();
  for (const [name, content] of Object.entries(files)) write(name, content);
  const listed = Object.entries(files).map(([path, content]) => ({
    path,
    blob: createHash("sha256").update(content).digest("hex"),
  }));
  const { below = ".", ...checkout } = more;
  const found = setUpOf(
    { setup: null, cached: [], timeoutMs: 1_000, ...room },
    { root, cwd: join(root, below), files: listed, tree: "tree", nodeVersion: "v1", ...checkout },
  );
  return found && { ...found, folder: found.folder.slice(root.length + 1) };
}

test.each<[string, Record<string, string>, Partial<SetUpPlan>, object | null]>([
  ["no lockfile", { "package.json": "{}" }, {}, null],
  ["npm", LOCKED, {}, { command: "npm ci", cached: ["node_modules"] }],
  ["pnpm", { "pnpm-lock.yaml": "" }, {}, { command: "pnpm install --frozen-lockfile" }],
  ["yarn", { "yarn.lock": "" }, {}, { command: "yarn install --frozen-lockfile" }],
  [
    "every package may have its own modules",
    { ...LOCKED, "packages/a/package.json": "{}" },
    {},
    { cached: ["node_modules", "packages/a/node_modules"] },
  ],
  ["more folders are kept if they are named", LOCKED, { cached: [".cache"] }, { cached: ["node_modules", ".cache"] }],
  [
    "a custom setup",
    { "uv.lock": "" },
    { setup: "uv sync", cached: [".venv"] },
    { command: "uv sync", cached: [".venv"], key: expect.any(String) },
  ],
  ["without folders nothing is kept", { "uv.lock": "" }, { setup: "uv sync" }, { key: null }],
  ["nor without a lockfile", {}, { setup: "make deps", cached: ["deps"] }, { key: null }],
])("%s", (_name, files, room, expected) => {
  const found = setUp(files, room);
  if (expected === null) expect(found).toBeNull();
  else expect(found).toMatchObject(expected);
});

test("the nearest lockfile counts, up to the root", () => {
  const files = { ...LOCKED, "a/b/x": "", "c/yarn.lock": "" };
  expect(setUp(files, {}, { below: "a/b" })).toMatchObject({ command: "npm ci", folder: "" });
  expect(setUp(files, {}, { below: "c" })).toMatchObject({ command: "yarn install --frozen-lockfile", folder: "c" });
});

const keyOf = (...given: Parameters<typeof setUp>) => setUp(...given)?.key;

test("the same files have the same key, with any other files in the tree", () => {
  expect(keyOf(LOCKED)).toBe(keyOf(LOCKED, {}, { tree: "another" }));
});

const SCRIPTED = { ...LOCKED, "package.json": '{"scripts":{"postinstall" : "node x.js"}}' };
const ESCAPED = { ...LOCKED, "package.json": '{"scripts":{"post\\u0069nstall" : "node x.js"}}' };
const COPIED = { "yarn.lock": '"dep@file:./dep":\n  version "1.0.0"\n' };

test.each<[string, Parameters<typeof setUp>, Parameters<typeof setUp>]>([
  ["another lockfile", [LOCKED], [{ ...LOCKED, "package-lock.json": '{"a":1}' }]],
  ["another manifest", [LOCKED], [{ ...LOCKED, "package.json": '{"dependencies":{}}' }]],
  ["package manager settings", [LOCKED], [{ ...LOCKED, ".npmrc": "install-links=true" }]],
  ["another node", [LOCKED], [LOCKED, {}, { nodeVersion: "v2" }]],
  ["another setup", [LOCKED], [LOCKED, { setup: "npm ci", cached: ["node_modules"] }]],
  ["other files if install scripts may read them", [SCRIPTED], [SCRIPTED, {}, { tree: "another" }]],
  ["hidden install scripts", [ESCAPED], [ESCAPED, {}, { tree: "another" }]],
  ["other files if they are copied", [COPIED], [COPIED, {}, { tree: "another" }]],
])("%s: another key", (_name, one, other) => {
  expect(keyOf(...one)).not.toBe(keyOf(...other));
});
