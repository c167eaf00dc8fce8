import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { headOf } from "./repository.ts";
import { committedFiles, differs, uncommittedFiles } from "./tracked.ts";
import { addWorktree, forgetWorktree } from "./worktree.ts";

function repository() {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "ralph-worktree-")));
  onTestFinished(() => rmSync(home, { recursive: true, force: true, maxRetries: 5 }));
  const cwd = join(home, "repo");
  mkdirSync(cwd);
  const git = (...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" });
  const write = (name: string, content: string) => {
    mkdirSync(dirname(join(cwd, name)), { recursive: true });
    writeFileSync(join(cwd, name), content);
  };
  const commit = () => {
    git("add", "--all");
    git("commit", "--quiet", "--allow-empty", "-m", "more");
    return headOf(cwd);
  };
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Test");
  git("config", "user.email", "test@example.invalid");
  write("a.txt", "committed\n");
  write("sub/b.txt", "b\n");
  return { home, cwd, git, write, commit, path: join(home, "room") };
}

type Repository = ReturnType<typeof repository>;

test.each<[string, (repo: Repository) => void]>([
  ["without changes", () => undefined],
  ["with uncommitted changes", ({ write }) => write("a.txt", "changed\n")],
  [
    "with a hook",
    ({ cwd, write }) => {
      write(".git/hooks/post-checkout", "#!/bin/sh\necho hooked > a.txt\n");
      chmodSync(join(cwd, ".git/hooks/post-checkout"), 0o755);
    },
  ],
  [
    "with hooks elsewhere",
    ({ cwd, git, write }) => {
      write(".git/mine/post-checkout", "#!/bin/sh\necho hooked > a.txt\n");
      chmodSync(join(cwd, ".git/mine/post-checkout"), 0o755);
      git("config", "core.hooksPath", join(cwd, ".git/mine"));
    },
  ],
  [
    "with a filter",
    ({ git, write }) => {
      write(".git/info/attributes", "*.txt filter=evil.one\n");
      git("config", "filter.evil.one.smudge", "sed s/committed/filtered/");
      git("config", "filter.evil.one.required", "true");
    },
  ],
  [
    "with a filter in an included file",
    ({ git, write }) => {
      write(".git/info/attributes", "*.txt filter=evil\n");
      write(".git/more", '[filter "evil"]\n\tsmudge = sed s/committed/filtered/\n');
      git("config", "include.path", "more");
    },
  ],
  [
    "with a replaced object",
    ({ git, cwd }) => {
      const [old] = git("rev-parse", "HEAD:a.txt").split("\n");
      const other = execFileSync("git", ["hash-object", "-w", "--stdin"], {
        cwd,
        input: "replaced\n",
        encoding: "utf8",
      });
      git("replace", old ?? "", other.trim());
    },
  ],
  ["with a sparse checkout", ({ git }) => git("sparse-checkout", "set", "--no-cone", "sub/")],
])("a repository %s gives the committed files", async (_name, trick) => {
  const repo = repository();
  const commit = await repo.commit();
  trick(repo);
  expect(await addWorktree({ cwd: repo.cwd, path: repo.path, commit })).toBeNull();
  expect(readFileSync(join(repo.path, "a.txt"), "utf8")).toBe("committed\n");
  expect(existsSync(join(repo.path, "sub/b.txt"))).toBe(true);
  expect(await headOf(repo.path)).toBe(commit);
});

test("reports why it cannot be made", async () => {
  const { cwd, path, commit } = repository();
  await commit();
  expect(await addWorktree({ cwd, path, commit: "0".repeat(40) })).toMatch(/fatal: /);
});

test("a worktree whose folder is missing is pruned, others are not", async () => {
  const { home, cwd, git, path, commit } = repository();
  const head = await commit();
  const away = join(home, "unplugged");
  for (const one of [path, away]) {
    await addWorktree({ cwd, path: one, commit: head });
    rmSync(one, { recursive: true });
  }
  await forgetWorktree(cwd, path);
  expect(git("worktree", "list")).not.toContain(path);
  expect(git("worktree", "list")).toContain(away);
});

test("uncommitted files are listed, except Ralph's own", async () => {
  const { cwd, git, write, commit } = repository();
  await commit();
  write("a.txt", "changed");
  write("né w\n.txt", "new");
  write("folder/x", "new");
  write(".ralph/settings.json", "{}");
  write("sub/.ralph/guardrail_1.log", "");
  git("rm", "--quiet", "sub/b.txt");
  expect((await uncommittedFiles(join(cwd, "folder"))).sort()).toEqual(["a.txt", "folder/", "né w\n.txt", "sub/b.txt"]);
});

test("committed files are found by name, in any folder", async () => {
  const { cwd, write, commit } = repository();
  for (const path of ["package.json", "packages/a/package.json", "not-package.json", "yarn.lock"]) write(path, "{}");
  await commit();
  const found = await committedFiles(cwd, ["package.json", "yarn.lock"]);
  expect(found.map(({ path }) => path)).toEqual(["package.json", "packages/a/package.json", "yarn.lock"]);
  expect(found[0]?.blob).toMatch(/^100644 [0-9a-f]{40}$/);
});

test("two commits are compared by file", async () => {
  const { cwd, write, commit } = repository();
  const one = await commit();
  write("a.txt", "changed");
  const two = await commit();
  expect(await differs(cwd, [one, two], "a.txt")).toBe(true);
  expect(await differs(cwd, [one, two], "sub")).toBe(false);
  expect(await differs(cwd, [one, two], "not-there")).toBe(false);
});
