import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { leftOutOf } from "./left-out.ts";
import { isAsCaptured, openSnapshots } from "./snapshots.ts";

const NEVER = new AbortController().signal;

function repository() {
  const base = mkdtempSync(join(tmpdir(), "ralph-snapshots-"));
  onTestFinished(() => rmSync(base, { recursive: true, force: true, maxRetries: 5 }));
  const [cwd, folder] = [join(base, "work"), join(base, "state/loop/snapshots.git")];
  mkdirSync(cwd);
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8" });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.invalid");
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(join(cwd, name, ".."), { recursive: true });
    writeFileSync(join(cwd, name), content);
  };
  write("a.txt", "one\n");
  write("dir/b.txt", "two\n");
  write(".gitignore", "*.log\nnode_modules/\n");
  git("add", "--all");
  git("commit", "--quiet", "-m", "start");
  const { capture } = openSnapshots({ cwd, folder, without: [join(base, "state")] });
  const own = (...args: string[]) =>
    execFileSync("git", args, { cwd: folder, env: { ...process.env, GIT_DIR: folder }, encoding: "utf8" });
  const take = async () => (await capture(NEVER)) ?? "none";
  const files = (tree: string) => own("ls-tree", "-r", "-z", "--name-only", tree).split("\0").filter(Boolean).sort();
  return { cwd, folder, git, write, take, files, own };
}

type Repository = ReturnType<typeof repository>;

test("a clean checkout is the tree of its commit, and nothing is stored for it", async () => {
  const { take, git, folder } = repository();
  expect(await take()).toBe(git("rev-parse", "HEAD^{tree}").trim());
  expect(readdirSync(join(folder, "objects")).filter((name) => name.length === 2)).toEqual([]);
});

const START = [".gitignore", "a.txt", "dir/b.txt"];

test.each<[string, (repo: Repository) => void, readonly string[]]>([
  ["a changed file", ({ write }) => write("a.txt", "two\n"), START],
  ["a new file", ({ write }) => write("new/c.txt", "three\n"), [...START, "new/c.txt"]],
  ["a deleted file", ({ cwd }) => rmSync(join(cwd, "a.txt")), [".gitignore", "dir/b.txt"]],
  [
    "a renamed file",
    ({ cwd }) => renameSync(join(cwd, "a.txt"), join(cwd, "z.txt")),
    [".gitignore", "dir/b.txt", "z.txt"],
  ],
  [
    "a file that became a folder",
    ({ cwd, write }) => {
      rmSync(join(cwd, "a.txt"));
      write("a.txt/in", "x");
    },
    [".gitignore", "a.txt/in", "dir/b.txt"],
  ],
  [
    "a folder that became a file",
    ({ cwd, write }) => {
      rmSync(join(cwd, "dir"), { recursive: true });
      write("dir", "x");
    },
    [".gitignore", "a.txt", "dir"],
  ],
  ["another mode", ({ cwd }) => chmodSync(join(cwd, "a.txt"), 0o755), START],
  ["a link", ({ cwd }) => symlinkSync("a.txt", join(cwd, "link")), [...START, "link"]],
  ["a name with a line break and a quote", ({ write }) => write('né\n"w', "x"), [...START, 'né\n"w']],
  [
    "a change hidden by an index flag",
    ({ git, write }) => {
      git("update-index", "--assume-unchanged", "a.txt");
      write("a.txt", "two\n");
    },
    START,
  ],
  [
    "a change hidden by a filter and an attribute",
    ({ git, write }) => {
      git("config", "filter.same.clean", "cat /dev/null");
      write(".git/info/attributes", "*.txt filter=same text eol=crlf\n");
      write("a.txt", "two\r\n");
    },
    START,
  ],
  [
    "a committed file that matches the ignore rules",
    ({ git, write }) => {
      write("kept.log", "x");
      git("add", "--force", "kept.log");
      git("commit", "--quiet", "-m", "kept");
    },
    [...START, "kept.log"],
  ],
])("%s is another tree", async (_name, change, files) => {
  const repo = repository();
  const before = await repo.take();
  change(repo);
  const after = await repo.take();
  expect(after).not.toBe(before);
  expect(repo.files(after)).toEqual([...files].sort());
  expect(await repo.take()).toBe(after);
});

test("the first snapshot has earlier changes and untracked files; none has ignored files or Ralph's own", async () => {
  const { take, files, write, own } = repository();
  write("a.txt", "mine\n");
  write("notes.txt", "mine\n");
  write("x.log", "ignored");
  write("node_modules/m/index.js", "ignored");
  write(".ralph/receipts/1.json", "{}");
  write(".ralph/guardrail_1_x.log", "out");
  const tree = await take();
  expect(files(tree)).toEqual([...START, "notes.txt"].sort());
  expect(own("cat-file", "-p", `${tree}:a.txt`)).toBe("mine\n");
});

test("the bytes are those on disk, without any conversion", async () => {
  const { take, cwd, git, write, own } = repository();
  git("config", "core.autocrlf", "true");
  write(".gitattributes", "* text=auto ident\n");
  write("w.txt", "$Id$\r\n\0\xff");
  const tree = await take();
  expect(own("cat-file", "-p", `${tree}:w.txt`)).toBe(readFileSync(join(cwd, "w.txt"), "utf8"));
});

test.each<[string, (repo: Repository) => void, string]>([
  ["a repository without commits", ({ cwd, git }) => git("init", "--quiet", join(cwd, "inner")), "inner/"],
  [
    "a repository with commits",
    ({ cwd, git, write }) => {
      git("init", "--quiet", join(cwd, "inner"));
      write("inner/x.txt", "x");
      git("-C", "inner", "add", "--all");
      git("-C", "inner", "-c", "user.name=T", "-c", "user.email=t@e.invalid", "commit", "--quiet", "-m", "x");
    },
    "inner/",
  ],
  [
    "a new file that is too large",
    ({ cwd, write }) => {
      write("big.bin", "");
      truncateSync(join(cwd, "big.bin"), (20 << 20) + 1);
    },
    "big.bin",
  ],
])("%s is named and left out, and the rest is included", async (_name, change, path) => {
  const repo = repository();
  await repo.take();
  change(repo);
  repo.write("c.txt", "x");
  const tree = await repo.take();
  expect(repo.files(tree)).toEqual([...START, "c.txt"].sort());
  expect(leftOutOf(repo.folder, tree).map((one) => one.path)).toEqual([path]);
  expect(await isAsCaptured(repo.cwd, repo.folder, NEVER)).toBe(true);
});

test("nothing is written to the user's repository", async () => {
  const { take, cwd, git, write } = repository();
  write("a.txt", "two\n");
  write("c.txt", "x");
  const seen = () => [
    git("count-objects", "-v"),
    readdirSync(join(cwd, ".git"), { recursive: true }).sort(),
    statSync(join(cwd, ".git/index")).mtimeMs,
    git("--no-optional-locks", "status", "--porcelain"),
  ];
  const before = seen();
  await take();
  write("c.txt", "y");
  await take();
  expect(seen()).toEqual(before);
});

test("a change that keeps size and time is detected", async () => {
  const { take, cwd, write } = repository();
  const { atime, mtime } = statSync(join(cwd, "a.txt"));
  const before = await take();
  write("a.txt", "ONE\n");
  utimesSync(join(cwd, "a.txt"), atime, mtime);
  expect(await take()).not.toBe(before);
});

test("it continues after a killed one, and in another process", async () => {
  const { take, cwd, folder, write } = repository();
  const before = await take();
  writeFileSync(join(folder, "index.lock"), "");
  write("c.txt", "x");
  const after = await openSnapshots({ cwd, folder, without: [] }).capture(NEVER);
  expect([after === null, after === before]).toEqual([false, false]);
});

test("there is none after a timeout, when aborted, and without git", async () => {
  const { cwd, folder, write } = repository();
  const slow = openSnapshots({ cwd, folder, without: [], limitMs: 0 });
  await new Promise((resolve) => setImmediate(resolve));
  expect(await slow.capture(NEVER)).toBeNull();
  expect(await openSnapshots({ cwd, folder, without: [] }).capture(AbortSignal.abort())).toBeNull();
  write("../plain/a.txt", "x");
  const plain = openSnapshots({ cwd: join(cwd, "../plain"), folder: join(cwd, "../plain.git"), without: [] });
  expect(await plain.capture(NEVER)).toBeNull();
});

test("before the first commit every file is included", async () => {
  const { cwd, git, take, files, write } = repository();
  git("checkout", "--quiet", "--orphan", "fresh");
  git("rm", "-r", "--quiet", "--cached", ".");
  rmSync(join(cwd, ".gitignore"));
  write("c.txt", "x");
  expect(files(await take())).toEqual(["a.txt", "c.txt", "dir/b.txt"]);
});

test("detects whether the checkout has changed since", async () => {
  const { cwd, folder, take, write } = repository();
  expect(await isAsCaptured(cwd, folder, NEVER)).toBeNull();
  await take();
  expect(await isAsCaptured(cwd, folder, NEVER)).toBe(true);
  write("c.txt", "x");
  expect(await isAsCaptured(cwd, folder, NEVER)).toBe(false);
});
