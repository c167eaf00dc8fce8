import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type Changes, changesText } from "../../core/judge/changes.ts";
import { changesSince } from "./diff.ts";

function repository() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-diff-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const cwd = join(root, "work");
  mkdirSync(cwd);
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" }).trim();
  const write = (name: string, content: string | Buffer) => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  };
  git("init", "--quiet");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.invalid");
  const commit = () => {
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "-m", "x");
    return git("rev-parse", "HEAD");
  };
  const added: string[] = [];
  const look = async (base: string) =>
    changesSince({
      cwd,
      base,
      scratch: join(root, "scratch"),
      quit: new AbortController().signal,
      fileChars: 4_000,
      added: (text, path, line) => added.push(`${path}:${line}:${text}`),
    });
  return { root, cwd, git, write, commit, look, added, path: (name: string) => join(cwd, name) };
}

const shown = (changes: Changes, chars = 10_000): string =>
  changes.is === "seen" ? changesText(changes, chars) : `failed: ${changes.why}`;

describe("what differs from a commit", () => {
  test("committed since, staged, changed, deleted and new files", async () => {
    const repo = repository();
    for (const name of ["committed", "staged", "changed", "deleted"]) repo.write(name, "one\n");
    const base = repo.commit();
    repo.write("committed", "one\ntwo committed\n");
    repo.write("new committed", "a new committed line\n");
    repo.commit();
    repo.write("staged", "one\ntwo staged\n");
    repo.git("add", "staged");
    repo.write("changed", "zero\none\n");
    repo.write("sub/new", "a new line\n");
    repo.write(".ralph/settings.json", "{}");
    rmSync(repo.path("deleted"));
    const text = shown(await repo.look(base));
    for (const line of ["+two committed", "+a new committed line", "+two staged", "+zero", "+a new line", "-one"]) {
      expect(text).toContain(line);
    }
    expect(repo.added.sort()).toEqual([
      "changed:1:zero",
      "committed:2:two committed",
      "new committed:1:a new committed line",
      "staged:2:two staged",
      "sub/new:1:a new line",
    ]);
  });

  test("before the first commit everything is new", async () => {
    const repo = repository();
    repo.write("a.txt", "first\n");
    repo.git("add", "a.txt");
    repo.write("b.txt", "second\n");
    expect(shown(await repo.look(""))).toMatch(/\+first[\s\S]*\+second/);
  });

  test("nothing", async () => {
    const repo = repository();
    repo.write("a.txt", "first\n");
    expect(shown(await repo.look(repo.commit()))).toBe("No file has changed since the loop started.");
  });

  test("ignored files are not part of the work, unless they were added anyway", async () => {
    const repo = repository();
    repo.write(".gitignore", "out/\n*.log\n");
    const base = repo.commit();
    repo.write("out/made", "made\n");
    repo.write("local", "local\n");
    writeFileSync(repo.path(".git/info/exclude"), "local\n");
    repo.write("forced.log", "forced\n");
    repo.git("add", "-f", "forced.log");
    expect(await repo.look(base)).toMatchObject({ files: [{ path: "forced.log", added: 1 }] });
  });

  test("binary and large files are named, and big patches summarised by numbers", async () => {
    const repo = repository();
    repo.write("image", Buffer.from([1, 0, 2, 10, 0]));
    repo.write("tracked", "x");
    const base = repo.commit();
    repo.write("image", Buffer.from([1, 0, 3, 10, 0]));
    repo.write("huge", "x\n".repeat(8 << 20));
    repo.write("tracked", "y\n".repeat(8 << 20));
    repo.write("long", "a line of it\n".repeat(1_000));
    repo.write("short", "a short one\n");
    const text = shown(await repo.look(base));
    expect(text).toContain("--- image: binary (left out)");
    expect(text).toContain("--- huge: 16777216 bytes, too large to inspect (left out)");
    expect(text).toContain("--- tracked: 16777216 bytes, too large to inspect (left out)");
    expect(text).toContain("--- long: 1000 lines added, 0 removed (left out)");
    expect(text).toContain("+a short one");
  });

  test("code is shown in every folder, including those of settings and receipts", async () => {
    const repo = repository();
    const base = repo.commit();
    repo.write("src/.ralph/receipts/code.js", "one\n");
    repo.write(".ralph/code.mjs", "two\n");
    repo.write(".ralph/receipts/3f2a91bc.json", "{}\n");
    await repo.look(base);
    expect(repo.added.sort()).toEqual([".ralph/code.mjs:1:two", "src/.ralph/receipts/code.js:1:one"]);
  });

  test("the content of a nested repository, and the target of a link", async () => {
    const repo = repository();
    const base = repo.commit();
    mkdirSync(repo.path("inner"));
    execFileSync("git", ["init", "--quiet"], { cwd: repo.path("inner") });
    repo.write("inner/x", "x\n");
    symlinkSync("/etc/passwd", repo.path("link"));
    const changes = await repo.look(base);
    expect(changes).toMatchObject({ is: "seen", files: [{ path: "link" }, { path: "inner/", unread: true }] });
    expect(shown(changes)).toContain("--- inner/: a separate repository, not inspected (left out)");
    expect(shown(changes)).toContain("+/etc/passwd");
  });

  test.each(["with space", "umläut", 'quo"te', "b/a b/c", "tab\there"])("a file called %s", async (name) => {
    const repo = repository();
    const base = repo.commit();
    repo.write(name, "x\n");
    const changes = await repo.look(base);
    const path = changes.is === "seen" ? changes.files[0]?.path : "";
    expect(JSON.parse(`"${path}"`)).toBe(name);
  });

  test("no content passes for another file", async () => {
    const repo = repository();
    const base = repo.commit();
    repo.write("a", "x\n--- a/z\n+++ b/z\n@@ -1 +1 @@\ndiff --git a/z b/z\nnew\n");
    expect(await repo.look(base)).toMatchObject({ files: [{ path: "a", added: 6, removed: 0 }] });
  });

  test("outside a repository, in a broken one, and from a missing commit", async () => {
    const repo = repository();
    expect(await repo.look("0123456789012345678901234567890123456789")).toMatchObject({ is: "failed" });
    rmSync(repo.path(".git/HEAD"));
    expect(await repo.look("")).toEqual({ is: "failed", why: "git cannot read this repository" });
    rmSync(repo.path(".git"), { recursive: true });
    expect(await repo.look("")).toEqual({ is: "failed", why: "not a git repository" });
  });
});

describe("tricks that do not hide a change", () => {
  const LIE = "#!/bin/sh\necho lie\n";
  type Repo = ReturnType<typeof repository>;
  const lie = (repo: Repo) => {
    const path = join(repo.root, "lie.sh");
    writeFileSync(path, LIE);
    chmodSync(path, 0o755);
    return path;
  };
  test.each<[string, (repo: Repo, base: string) => void]>([
    ["an attribute -diff", (repo) => repo.write(".gitattributes", "* -diff\n")],
    ["an attribute binary", (repo) => repo.write(".gitattributes", "* binary\n")],
    ["attributes inside .git", (repo) => repo.write(".git/info/attributes", "* -diff\n")],
    [
      "a diff driver",
      (repo) => {
        repo.write(".gitattributes", "* diff=lie\n");
        repo.git("config", "diff.lie.command", lie(repo));
      },
    ],
    [
      "a textconv",
      (repo) => {
        repo.write(".gitattributes", "* diff=lie\n");
        repo.git("config", "diff.lie.textconv", lie(repo));
      },
    ],
    [
      "a clean filter that returns the old content",
      (repo) => {
        repo.write(".gitattributes", "* filter=lie\n");
        repo.git("config", "filter.lie.clean", "git show HEAD:%f");
      },
    ],
    ["an encoding", (repo) => repo.write(".gitattributes", "* working-tree-encoding=UTF-7\n")],
    ["diff.external", (repo) => repo.git("config", "diff.external", lie(repo))],
    ["diff settings", (repo) => repo.git("config", "diff.ignoreSubmodules", "all")],
    ["--assume-unchanged", (repo) => repo.git("update-index", "--assume-unchanged", "code.js")],
    ["--skip-worktree", (repo) => repo.git("update-index", "--skip-worktree", "code.js")],
    ["another worktree in the settings", (repo) => repo.git("config", "core.worktree", repo.root)],
    ["an fsmonitor that reports no changes", (repo) => repo.git("config", "core.fsmonitor", lie(repo))],
    [
      "a replacement for the first commit",
      (repo, base) => {
        const now = repo.commit();
        repo.git("replace", base, now);
      },
    ],
    ["a missing index", (repo) => rmSync(repo.path(".git/index"))],
  ])("%s", async (_name, trick) => {
    const repo = repository();
    repo.write("code.js", "good\n");
    const base = repo.commit();
    // Set before the file changes, so that index flags record the old state.
    trick(repo, base);
    repo.write("code.js", "good\nbad +ADw-\n");
    const before = snapshot(repo.path(".git"));
    expect(shown(await repo.look(base))).toContain("+bad +ADw-");
    expect(snapshot(repo.path(".git"))).toEqual(before);
    expect(readdirSync(repo.root)).not.toContain("scratch");
  });
});

/** Every file of a folder with its content. */
const snapshot = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), "latin1")]),
  );
