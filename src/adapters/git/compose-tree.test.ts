import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { runs } from "../../../test/support/effort.ts";
import { checkOutTree, composeTree } from "./compose-tree.ts";
import { ownGit } from "./own-git.ts";
import { openSnapshots } from "./snapshots.ts";
import { treeChanges } from "./tree-changes.ts";

const quit = new AbortController().signal;

type Content = { text: string; executable?: boolean } | { link: string };
/** Files by path. */
type Tree = Readonly<Record<string, Content>>;

function repository(start: Tree) {
  const base = mkdtempSync(join(tmpdir(), "ralph-compose-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
  const [cwd, folder] = [join(base, "work"), join(base, "state/snapshots.git")];
  mkdirSync(cwd);
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch=main");
  write(cwd, start);
  const snapshots = openSnapshots({ cwd, folder, without: [], decisive: true });
  const capture = async () => (await snapshots.capture(quit)) ?? "";
  /** The room of the start plus the changes that `isInside` allows. */
  const room = async (from: string, to: string, isInside: (path: string) => boolean) => {
    const run = ownGit(folder, folder);
    const changes = ((await treeChanges(run, from, to)) ?? []).filter(({ path }) => isInside(path));
    const composed = await composeTree({ folder, start: from, changes, quit });
    if (composed.is === "failed") return composed.why;
    const root = join(base, "room");
    rmSync(root, { recursive: true, force: true });
    expect(await checkOutTree({ folder, root, tree: composed.tree, parent: null, quit })).toBeNull();
    return root;
  };
  return { base, cwd, folder, git, capture, room };
}

function write(root: string, tree: Tree): void {
  for (const [path, content] of Object.entries(tree)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    if ("link" in content) symlinkSync(content.link, join(root, path));
    else {
      writeFileSync(join(root, path), content.text);
      chmodSync(join(root, path), content.executable ? 0o755 : 0o644);
    }
  }
}

function clear(root: string): void {
  for (const name of readdirSync(root)) if (name !== ".git") rmSync(join(root, name), { recursive: true, force: true });
}

function read(root: string, folder = ""): Record<string, Content> {
  const entries = readdirSync(join(root, folder)).flatMap((name): [string, Content][] => {
    const path = folder === "" ? name : `${folder}/${name}`;
    if (path === ".git") return [];
    const stats = lstatSync(join(root, path));
    if (stats.isSymbolicLink()) return [[path, { link: readlinkSync(join(root, path)) }]];
    if (stats.isDirectory()) return Object.entries(read(root, path));
    const executable = (stats.mode & 0o100) !== 0;
    return [[path, { text: readFileSync(join(root, path), "latin1"), ...(executable ? { executable } : {}) }]];
  });
  return Object.fromEntries(entries);
}

const isInside = (path: string) => path.startsWith("src/") || path === "src";

const FOLDERS = ["", "src/", "src/deep/", "test/", "Src/"];
const NAMES = ["a", "b", "A", "c d", "é"];
const content: fc.Arbitrary<Content> = fc.oneof(
  fc.record({ text: fc.constantFrom("", "1\n", "2\r\n", "\0\u00ff"), executable: fc.boolean() }),
  fc.constantFrom({ link: "a" }, { link: "../a" }),
);
const tree: fc.Arbitrary<Tree> = fc
  .dictionary(
    fc.tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES)).map((parts) => parts.join("")),
    content,
    { maxKeys: 8 },
  )
  // A name may be a file in one tree and a folder in another, but not both in one.
  .map((files) =>
    Object.fromEntries(
      Object.entries(files).filter(([path]) => !Object.keys(files).some((one) => one.startsWith(`${path}/`))),
    ),
  );

test("the room is the start outside the scope and the claim inside it, byte for byte", async () => {
  await fc.assert(
    fc.asyncProperty(tree, tree, async (start, claim) => {
      const { cwd, capture, room } = repository(start);
      const from = await capture();
      clear(cwd);
      write(cwd, claim);
      const to = await capture();
      const found = await room(from, to, isInside);
      const whole = { ...pick(read(cwd), isInside) };
      clear(cwd);
      write(cwd, start);
      const expected = { ...pick(read(cwd), (path) => !isInside(path)), ...whole };
      expect(existsSync(found) ? read(found) : found).toEqual(expected);
    }),
    { numRuns: runs(60) },
  );
});

const pick = (files: Tree, wanted: (path: string) => boolean): Tree =>
  Object.fromEntries(Object.entries(files).filter(([path]) => wanted(path)));

test("a path that needs a folder where the start has a file is refused", async () => {
  const { cwd, capture, room } = repository({ "a.js": { text: "oracle" } });
  const from = await capture();
  clear(cwd);
  write(cwd, { "a.js/in": { text: "work" } });
  expect(await room(from, await capture(), (path) => path.endsWith("/in"))).toMatch(
    /a file is where a folder has to be/,
  );
});

test.each<[string, (repo: ReturnType<typeof repository>) => void]>([
  ["a filter", ({ git }) => git("config", "filter.x.smudge", "echo evil")],
  ["line endings", ({ git }) => git("config", "core.autocrlf", "true")],
  [
    "attributes in the git directory",
    ({ cwd }) => writeFileSync(join(cwd, ".git/info/attributes"), "* text eol=crlf filter=x\n"),
  ],
  ["sparse checkout", ({ git }) => git("config", "core.sparseCheckout", "true")],
  [
    "a hook",
    ({ cwd }) => write(cwd, { ".git/hooks/post-checkout": { text: "#!/bin/sh\necho x > a.txt", executable: true } }),
  ],
])("settings of the repository have no effect on the room: %s", async (_name, configure) => {
  const start: Tree = {
    ".gitattributes": { text: "* text eol=crlf filter=x ident\n" },
    "a.txt": { text: "$Id$\none\n" },
  };
  const repo = repository(start);
  const from = await repo.capture();
  configure(repo);
  const before = repo.git("status", "--porcelain");
  const found = await repo.room(from, from, isInside);
  expect(read(found)).toEqual(start);
  expect(repo.git("status", "--porcelain")).toBe(before);
  expect(repo.git("count-objects")).toMatch(/^0 objects/);
});

test("git works in the room, and shows nothing as changed", async () => {
  const { capture, room } = repository({ "a.txt": { text: "one\r\n" } });
  const from = await capture();
  const cwd = await room(from, from, isInside);
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
  expect(git("status", "--porcelain")).toBe("");
  expect(git("ls-files")).toBe("a.txt\n");
  expect(git("log", "--format=%s")).toBe("the claim, within its scope\n");
});
