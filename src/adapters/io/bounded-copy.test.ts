import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyBounded } from "./bounded-copy.ts";

let root: string;
const at = (name: string) => join(root, name);

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "ralph-copy-"));
  mkdirSync(at("from/deep/node_modules"), { recursive: true });
  writeFileSync(at("from/deep/a.txt"), "0123456789");
  writeFileSync(at("from/deep/node_modules/b.txt"), "0123456789");
  symlinkSync("../../elsewhere", at("from/deep/link"));
  execFileSync("mkfifo", [at("from/pipe")]);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test("copies what fits, links as links, and no endless files", async () => {
  expect(await copyBounded(at("from"), at("to"), { bound: { files: 6, bytes: 20 } })).toBe(true);
  expect(readFileSync(at("to/deep/node_modules/b.txt"), "utf8")).toBe("0123456789");
  expect(readlinkSync(at("to/deep/link"))).toBe("../../elsewhere");
  expect(existsSync(at("to/pipe"))).toBe(false);
});

test("leaves out folders by name, at any depth", async () => {
  const bound = { files: 4, bytes: 10 };
  expect(await copyBounded(at("from"), at("to"), { bound, without: ["node_modules"] })).toBe(true);
  expect([existsSync(at("to/deep/a.txt")), existsSync(at("to/deep/node_modules"))]).toEqual([true, false]);
});

test.each([
  ["too many files", { files: 5, bytes: 20 }],
  ["too many bytes", { files: 6, bytes: 19 }],
])("copies nothing of a folder with %s", async (_name, bound) => {
  expect(await copyBounded(at("from"), at("to"), { bound })).toBe(false);
  expect(existsSync(at("to"))).toBe(false);
});
