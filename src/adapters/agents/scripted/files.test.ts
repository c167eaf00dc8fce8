import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changeFile, type FileStep } from "./files.ts";

let folder = "";
let root = "";

beforeEach(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), "ralph-files-")));
  root = join(folder, "work");
  await mkdir(join(root, "real"), { recursive: true });
  await mkdir(join(folder, "outside"));
  await writeFile(join(folder, "outside/kept.txt"), "kept");
  await symlink("real", join(root, "inner-link"));
  await symlink(join(folder, "outside"), join(root, "linked"));
  await symlink("../outside/kept.txt", join(root, "linked-file"));
  await symlink("../outside/new.txt", join(root, "dangling"));
  await symlink("loop", join(root, "loop"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const change = (step: FileStep) => changeFile(step, root, (text) => text.replaceAll("{{n}}", "7"));
const inRoot = (path: string) => readFile(join(root, path), "utf8");

test("writes into new folders, appends, and fills in the run's values", async () => {
  expect(await change({ do: "write", path: "a/b/c.txt", content: "é {{n}}\n" })).toBe("wrote 5 bytes to a/b/c.txt");
  expect(await change({ do: "append", path: "a/b/c.txt", content: "{{n}}" })).toBe("appended 1 bytes to a/b/c.txt");
  expect(await change({ do: "append", path: "new.txt", content: "x" })).toBe("appended 1 bytes to new.txt");
  expect([await inRoot("a/b/c.txt"), await inRoot("new.txt")]).toEqual(["é 7\n7", "x"]);
});

test("replaces every occurrence, literally", async () => {
  await writeFile(join(root, "a"), "a.b axb a.b");
  expect(await change({ do: "replace", path: "a", old: "a.b", new: "$&{{n}}" })).toBe("replaced 2 × in a");
  expect(await inRoot("a")).toBe("$&7 axb $&7");
});

test("deletes files, folders and links, never a link's target", async () => {
  await change({ do: "delete", path: "linked" });
  await change({ do: "delete", path: "inner-link" });
  expect(existsSync(join(root, "real")) && existsSync(join(folder, "outside/kept.txt"))).toBe(true);
  expect(await change({ do: "delete", path: "real" })).toBe("deleted real");
  expect(existsSync(join(root, "real"))).toBe(false);
});

test("accepts paths inside: absolute paths, inner links, names that begin with dots", async () => {
  await change({ do: "write", path: join(root, "inner-link/a.txt"), content: "a" });
  await change({ do: "write", path: "..dotted", content: "b" });
  await change({ do: "write", path: "real/../c", content: "c" });
  expect([await inRoot("real/a.txt"), await inRoot("..dotted"), await inRoot("c")]).toEqual(["a", "b", "c"]);
});

test.each<[string, FileStep]>([
  ["a path upwards", { do: "write", path: "../out.txt", content: "x" }],
  ["a path upwards in disguise", { do: "write", path: "real/../../out.txt", content: "x" }],
  ["an absolute path", { do: "append", path: "/nowhere/out.txt", content: "x" }],
  ["a linked folder", { do: "write", path: "linked/deep/new.txt", content: "x" }],
  ["a linked file", { do: "replace", path: "linked-file", old: "kept", new: "x" }],
  ["a dangling link", { do: "write", path: "dangling", content: "x" }],
  ["a file behind a linked folder", { do: "delete", path: "linked/kept.txt" }],
  ["the folder itself", { do: "delete", path: "." }],
  ["a neighbour with a longer name", { do: "delete", path: "../work-2" }],
])("refuses %s", async (_name, step) => {
  await mkdir(join(folder, "work-2"));
  await expect(change(step)).rejects.toMatchObject({
    code: "scenario-path-outside",
    message: `${step.path}: is outside the working directory ${root}`,
  });
  expect(await readFile(join(folder, "outside/kept.txt"), "utf8")).toBe("kept");
  expect(existsSync(join(folder, "outside/new.txt")) || existsSync(join(folder, "out.txt"))).toBe(false);
  expect(existsSync(join(folder, "work-2"))).toBe(true);
});

test.each<[string, FileStep, RegExp]>([
  ["a missing file", { do: "delete", path: "missing" }, /ENOENT/],
  ["a text that is missing", { do: "replace", path: "a", old: "q", new: "y" }, /^a does not contain the text/],
  ["a file used as a folder", { do: "write", path: "a/b", content: "" }, /ENOTDIR/],
  ["a link to itself", { do: "write", path: "loop", content: "" }, /ELOOP/],
])("fails at %s", async (_name, step, message) => {
  await writeFile(join(root, "a"), "text");
  await expect(change(step)).rejects.toThrow(message);
});
