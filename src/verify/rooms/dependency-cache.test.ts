import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { checkFolder } from "../../../test/support/check.ts";
import { dependencyCache } from "./dependency-cache.ts";

const quit = new AbortController().signal;

function boxes() {
  const { root } = checkFolder();
  const cache = dependencyCache(join(root, "cache"));
  const folder = (name: string, files: Record<string, string> = {}) => {
    mkdirSync(join(root, name), { recursive: true });
    for (const [file, content] of Object.entries(files)) {
      mkdirSync(dirname(join(root, name, file)), { recursive: true });
      writeFileSync(join(root, name, file), content);
    }
    return join(root, name);
  };
  const read = (path: string) => readFileSync(join(root, path), "utf8");
  return { root, cache, folder, read };
}

const MODULES = ["node_modules", "packages/a/node_modules"];

test("cached folders are copied in, links as links, replacing existing ones", async () => {
  const { cache, folder, read } = boxes();
  const one = folder("one", { "node_modules/dep/x": "dep", "packages/a/node_modules/y": "y", "other/z": "z" });
  symlinkSync("../other", join(one, "node_modules/linked"));
  await cache.keep({ key: "k", root: one, folders: MODULES, quit });
  const two = folder("two", { "node_modules/stale": "", "other/z": "another" });
  expect(await cache.copyIn({ key: "k", root: two, folders: MODULES, quit })).toBe(true);
  expect(read("two/node_modules/dep/x")).toBe("dep");
  expect(read("two/packages/a/node_modules/y")).toBe("y");
  expect(existsSync(join(two, "node_modules/stale"))).toBe(false);
  expect(readlinkSync(join(two, "node_modules/linked"))).toBe("../other");
  expect(read("two/node_modules/linked/z")).toBe("another");
});

test("changes that a check makes to its copy do not reach the next one", async () => {
  const { cache, folder, read } = boxes();
  const one = folder("one", { "node_modules/x": "good" });
  await cache.keep({ key: "k", root: one, folders: MODULES, quit });
  writeFileSync(join(one, "node_modules/x"), "bad");
  const two = folder("two");
  await cache.copyIn({ key: "k", root: two, folders: MODULES, quit });
  writeFileSync(join(two, "node_modules/x"), "bad");
  await cache.copyIn({ key: "k", root: folder("three"), folders: MODULES, quit });
  expect(read("three/node_modules/x")).toBe("good");
});

test("another key is not found, and nothing is copied", async () => {
  const { cache, folder } = boxes();
  const one = folder("one", { "node_modules/x": "mine" });
  expect(await cache.copyIn({ key: "k", root: one, folders: MODULES, quit })).toBe(false);
  expect(existsSync(join(one, "node_modules/x"))).toBe(true);
});

test("of several concurrent stores of one key the first wins, completely", async () => {
  const { root, cache, folder, read } = boxes();
  const files = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`node_modules/f${i}`, "x"]));
  const roots = ["a", "b", "c"].map((name) => folder(name, { ...files, "node_modules/who": name }));
  await Promise.all(roots.map((one) => cache.keep({ key: "k", root: one, folders: MODULES, quit })));
  expect(readdirSync(join(root, "cache"))).toEqual(["k"]);
  expect(readdirSync(join(root, "cache/k/node_modules"))).toHaveLength(51);
  expect(["a", "b", "c"]).toContain(read("cache/k/node_modules/who"));
});

test("only the few most recently used ones are kept", async () => {
  const { root, cache, folder } = boxes();
  const one = folder("one", { "node_modules/x": "" });
  const wait = () => new Promise((done) => setTimeout(done, 15));
  for (const key of ["1", "2", "3", "4", "5"]) {
    await cache.keep({ key, root: one, folders: MODULES, quit });
    await wait();
  }
  await cache.copyIn({ key: "1", root: folder("two"), folders: MODULES, quit });
  await wait();
  await cache.keep({ key: "6", root: one, folders: MODULES, quit });
  expect(readdirSync(join(root, "cache")).sort()).toEqual(["1", "3", "4", "5", "6"]);
});

test.each<[string, (kept: string) => void]>([
  ["changed in place", (kept) => writeFileSync(join(kept, "node_modules/x"), "evil")],
  [
    "changed with its times restored",
    (kept) => {
      const file = join(kept, "node_modules/x");
      const { atime, mtime } = lstatSync(file);
      writeFileSync(file, "evil");
      utimesSync(file, atime, mtime);
    },
  ],
  ["with a new file", (kept) => writeFileSync(join(kept, "node_modules/y"), "evil")],
  ["with a missing file", (kept) => rmSync(join(kept, "node_modules/x"))],
])("a kept folder that was %s since is not used", async (_, change) => {
  const { root, cache, folder } = boxes();
  await cache.keep({ key: "k", root: folder("one", { "node_modules/x": "good" }), folders: MODULES, quit });
  change(join(root, "cache/k"));
  expect(await cache.copyIn({ key: "k", root: folder("two"), folders: MODULES, quit })).toBe(false);
  await cache.keep({ key: "k", root: folder("one"), folders: MODULES, quit });
  expect(await cache.copyIn({ key: "k", root: folder("two"), folders: MODULES, quit })).toBe(true);
  expect(readFileSync(join(root, "two/node_modules/x"), "utf8")).toBe("good");
});

test.each([
  ["unchanged", "good", true],
  ["changed", "evil", false],
])("another process uses a folder only if it was not changed since it was made: %s", async (_, content, isUsed) => {
  const { root, cache, folder } = boxes();
  await cache.keep({ key: "k", root: folder("one", { "node_modules/x": "good" }), folders: MODULES, quit });
  // Under another path, this process does not know it.
  renameSync(join(root, "cache"), join(root, "later"));
  if (!isUsed) writeFileSync(join(root, "later/k/node_modules/x"), content);
  const request = { key: "k", root: folder("two"), folders: MODULES, quit };
  expect(await dependencyCache(join(root, "later")).copyIn(request)).toBe(isUsed);
});

test("a committed link cannot redirect files elsewhere", async () => {
  const { root, cache, folder, read } = boxes();
  await cache.keep({ key: "k", root: folder("one", { "packages/a/node_modules/y": "y" }), folders: MODULES, quit });
  folder("elsewhere/a", { "node_modules/precious": "kept" });
  const two = folder("two");
  symlinkSync(join(root, "elsewhere"), join(two, "packages"));
  expect(await cache.copyIn({ key: "k", root: two, folders: MODULES, quit })).toBe(true);
  expect(read("elsewhere/a/node_modules/precious")).toBe("kept");
  expect(lstatSync(join(two, "packages")).isSymbolicLink()).toBe(true);
});

test("an abort leaves nothing half done", async () => {
  const { root, cache, folder } = boxes();
  const one = folder("one", { "node_modules/x": "" });
  const stopped = AbortSignal.abort();
  await cache.keep({ key: "k", root: one, folders: MODULES, quit: stopped });
  expect(readdirSync(join(root, "cache"))).toEqual([]);
  await cache.keep({ key: "k", root: one, folders: MODULES, quit });
  const two = folder("two");
  expect(await cache.copyIn({ key: "k", root: two, folders: MODULES, quit: stopped })).toBe(false);
  expect(readdirSync(two)).toEqual([]);
});
