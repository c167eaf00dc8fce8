import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { digestOf, placeAt, taskRepository } from "../../../test/support/task-repository.ts";
import { makeCandidate } from "./candidate.ts";
import { moveTarget, targetCheckout } from "./move-target.ts";

type Repository = ReturnType<typeof taskRepository>;

/** A task with a commit, and the commit that the target should move to. */
async function proven(
  repo: Repository,
  files: Record<string, string | null> = { "new.txt": "new\n", "a.txt": "changed\n" },
) {
  const { work, at } = await repo.task();
  const head = at.commit(files);
  const made = await makeCandidate({ worktree: at.cwd, task: "T-1", title: "x", head, onto: work.base });
  const commit = made.is === "made" ? made.commit : "";
  return {
    commit,
    onto: work.base,
    move: () => moveTarget({ cwd: repo.cwd, target: "main", commit, onto: work.base }),
  };
}

test("a clean checkout moves along; a second move changes nothing", async () => {
  const repo = taskRepository({ name: "wörk ing" });
  const { commit, onto, move } = await proven(repo);
  for (const name of ["post-merge", "reference-transaction", "post-checkout"]) {
    repo.hook(name, `touch ${JSON.stringify(join(repo.home, "ran"))}; sleep 100; exit 1`);
  }
  repo.git("config", "branch.main.mergeOptions", "--no-ff --no-commit");
  repo.git("config", "merge.ff", "false");
  repo.write("untracked.txt", "mine\n");
  expect(await move()).toEqual({ is: "moved" });
  expect([
    repo.git("rev-parse", "HEAD"),
    repo.read("a.txt"),
    repo.read("new.txt"),
    repo.git("status", "--porcelain"),
  ]).toEqual([commit, "changed\n", "new\n", "?? untracked.txt"]);
  expect(existsSync(join(repo.home, "ran"))).toBe(false);
  expect(await move()).toEqual({ is: "there" });
  repo.git("-c", "core.hooksPath=/dev/null", "commit", "--quiet", "--allow-empty", "-m", "later");
  expect(await move()).toEqual({ is: "there" });
  expect(await moveTarget({ cwd: repo.cwd, target: "main", commit: onto, onto })).toEqual({ is: "there" });
});

test("a target that is not checked out is moved alone, and only from its expected commit", async () => {
  const repo = taskRepository();
  const { commit, onto, move } = await proven(repo);
  repo.git("switch", "--quiet", "--create", "elsewhere");
  repo.write("a.txt", "dirty\n");
  const before = digestOf(join(repo.cwd, "a.txt"));
  expect(await move()).toEqual({ is: "moved" });
  expect([repo.git("rev-parse", "main"), digestOf(join(repo.cwd, "a.txt"))]).toEqual([commit, before]);
  repo.git("update-ref", "refs/heads/main", repo.git("commit-tree", "-p", onto, "-m", "another", "HEAD^{tree}"));
  expect(await move()).toEqual({ is: "outdated", now: repo.git("rev-parse", "main") });
  repo.git("branch", "-D", "main");
  expect(await move()).toMatchObject({ is: "failed", why: "the branch main is gone" });
});

test("a target that is checked out in another worktree moves along there", async () => {
  const repo = taskRepository();
  const { commit, move } = await proven(repo);
  repo.git("switch", "--quiet", "--create", "elsewhere");
  const other = join(repo.home, "the öther");
  repo.git("worktree", "add", "--quiet", other, "main");
  expect(await move()).toEqual({ is: "moved" });
  const there = placeAt(other);
  expect([there.git("rev-parse", "HEAD"), there.read("new.txt"), there.git("status", "--porcelain")]).toEqual([
    commit,
    "new\n",
    "",
  ]);
  expect(existsSync(join(repo.cwd, "new.txt"))).toBe(false);
});

test.each<[string, (repo: Repository) => void, string[]]>([
  ["a change", (repo) => repo.write("a.txt", "mine\n"), ["a.txt"]],
  [
    "something staged",
    (repo) => {
      repo.write("new.txt", "mine\n");
      repo.git("add", "new.txt");
    },
    ["new.txt"],
  ],
  ["something deleted", (repo) => repo.git("rm", "--quiet", "a.txt"), ["a.txt"]],
  [
    "the same change",
    (repo) => {
      repo.write("a.txt", "changed\n");
      repo.git("add", "a.txt");
    },
    ["a.txt"],
  ],
  ["an untracked file in the way", (repo) => repo.write("new.txt", "mine\n"), ["new.txt"]],
  [
    "an ignored file in the way",
    (repo) => {
      repo.write(".git/info/exclude", "new.txt\n");
      repo.write("new.txt", "mine\n");
    },
    ["new.txt"],
  ],
  ["an untracked file where a folder is needed", (repo) => repo.write("dir", "mine\n"), ["dir"]],
])("a checkout with something in the way is left byte for byte unchanged: %s", async (_name, harm, files) => {
  const repo = taskRepository();
  const { onto, move } = await proven(repo, { "new.txt": "new\n", "a.txt": "changed\n", "dir/x": "new\n" });
  harm(repo);
  repo.git("status");
  const names = [...readdirSync(repo.cwd).filter((name) => name !== ".git"), ".git/index", ".git/HEAD", ".git/refs"];
  const digests = () => [readdirSync(repo.cwd), ...names.map((name) => digestOf(join(repo.cwd, name)))];
  const was = digests();
  expect(await move()).toMatchObject({ is: "dirty", checkout: repo.cwd, files });
  expect(digests()).toEqual(was);
  expect(repo.git("rev-parse", "main")).toBe(onto);
});

test("a checkout moves along beside changes of other files, which stay as they are", async () => {
  const repo = taskRepository();
  repo.commit({ "gone.txt": "x\n", "both.txt": "x\n" });
  const { commit, move } = await proven(repo);
  repo.write("b.txt", "mine\n");
  repo.write("both.txt", "staged\n");
  repo.write("stäged file", "mine\n");
  repo.git("add", "both.txt", "stäged file");
  repo.write("both.txt", "edited\n");
  repo.git("rm", "--quiet", "gone.txt");
  repo.write("untracked.txt", "mine\n");
  const before = repo.git("status", "--porcelain");
  const files = ["b.txt", "both.txt", "gone.txt", "stäged file"];
  expect(await targetCheckout(repo.cwd, "main")).toEqual({ path: repo.cwd, files, busy: null });
  expect(await move()).toEqual({ is: "moved" });
  expect([repo.git("rev-parse", "HEAD"), repo.read("a.txt"), repo.read("new.txt")]).toEqual([
    commit,
    "changed\n",
    "new\n",
  ]);
  expect([repo.git("status", "--porcelain"), repo.read("b.txt"), repo.read("both.txt")]).toEqual([
    before,
    "mine\n",
    "edited\n",
  ]);
  expect(repo.git("show", ":both.txt").trim()).toBe("staged");
});

test.each<[string, (repo: Repository) => unknown, RegExp]>([
  ["a lock", (repo) => writeFileSync(join(repo.cwd, ".git/index.lock"), ""), /index\.lock/],
  [
    "a locked worktree on a volume that is away",
    (repo) => {
      repo.git("switch", "--quiet", "--create", "side");
      repo.git("worktree", "add", "--quiet", join(repo.home, "away"), "main");
      repo.git("worktree", "lock", join(repo.home, "away"));
      rmSync(join(repo.home, "away"), { recursive: true });
    },
    /locked worktree is not there/,
  ],
  [
    "a merge",
    (repo) => {
      repo.git("switch", "--quiet", "--create", "side");
      repo.commit({ "c.txt": "c\n" });
      repo.git("switch", "--quiet", "main");
      repo.git("merge", "--quiet", "--no-ff", "--no-commit", "side");
    },
    /a merge is in progress/,
  ],
  ["a bisect", (repo) => repo.git("bisect", "start"), /a bisect is in progress/],
  [
    "a rebase that will return to it",
    (repo) => repo.git("-c", "sequence.editor=echo break >", "rebase", "--interactive", "--root"),
    /a rebase is in progress/,
  ],
  [
    "checked out twice",
    (repo) => repo.git("worktree", "add", "--quiet", "--force", join(repo.home, "twice"), "main"),
    /another worktree has it/,
  ],
])("a checkout with an operation in progress is left alone: %s", async (_name, begin, why) => {
  const repo = taskRepository();
  const { onto, move } = await proven(repo);
  await begin(repo);
  expect(await move()).toMatchObject({ is: "busy", checkout: expect.any(String), why: expect.stringMatching(why) });
  const known = await targetCheckout(repo.cwd, "main");
  if (/in progress/.test(why.source)) expect(known?.busy).toMatch(why);
  expect(repo.git("rev-parse", "main")).toBe(onto);
});

test("a short-lived lock is waited for", async () => {
  const repo = taskRepository();
  const { move } = await proven(repo);
  const lock = join(repo.cwd, ".git/index.lock");
  writeFileSync(lock, "");
  setTimeout(() => rmSync(lock), 300);
  expect(await move()).toEqual({ is: "moved" });
});

test.each([["checked out"], ["checked out nowhere"]])("of two concurrent moves one wins: %s", async (where) => {
  const repo = taskRepository();
  const two = await Promise.all(
    ["T-1", "T-2"].map(async (task) => {
      const { work, at } = await repo.task(task);
      const head = at.commit({ [`${task}.txt`]: task });
      const made = await makeCandidate({ worktree: at.cwd, task, title: task, head, onto: work.base });
      return { cwd: repo.cwd, target: "main", commit: made.is === "made" ? made.commit : "", onto: work.base };
    }),
  );
  // Left behind by a killed process.
  writeFileSync(join(repo.cwd, ".git/ralph-moving.lock"), "");
  if (where === "checked out nowhere") repo.git("switch", "--quiet", "--create", "elsewhere");
  const ends = await Promise.all(two.map(moveTarget));
  const now = repo.git("rev-parse", "main");
  expect(ends.map(({ is }) => is).sort()).toEqual(["moved", "outdated"]);
  expect(two.find(({ commit }) => commit === now)).toBe(two[ends.findIndex(({ is }) => is === "moved")]);
  expect(repo.git("status", "--porcelain")).toBe("");
  expect(existsSync(join(repo.cwd, ".git/ralph-moving.lock"))).toBe(false);
});
