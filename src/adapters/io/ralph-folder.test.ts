import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { excludeRalphFiles, ralphFolder } from "./ralph-folder.ts";

function folder() {
  const root = mkdtempSync(join(tmpdir(), "ralph-folder-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const cwd = join(root, "main");
  mkdirSync(cwd);
  return { root, cwd };
}

function repository() {
  const { root, cwd } = folder();
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@e", ...args], { cwd, encoding: "utf8" });
  git("init", "--quiet", "--template=");
  const exclude = join(cwd, ".git/info/exclude");
  const write = (content: string | Buffer) => {
    mkdirSync(dirname(exclude), { recursive: true });
    writeFileSync(exclude, content);
  };
  return { root, cwd, git, exclude, write, text: () => readFileSync(exclude, "utf8") };
}

test("Ralph's own files are excluded once, in every folder and worktree of the repository", () => {
  const { root, cwd, git, text } = repository();
  git("commit", "--quiet", "--allow-empty", "-m", "start");
  git("worktree", "add", "--quiet", "../linked");
  const linked = join(root, "linked");
  mkdirSync(join(cwd, "below"));
  expect(excludeRalphFiles(join(cwd, "below"))).toBe("../.git/info/exclude");
  const lines = text();
  expect([excludeRalphFiles(cwd), excludeRalphFiles(linked), text()]).toEqual([null, null, lines]);
  for (const at of [cwd, join(cwd, "below"), linked]) {
    mkdirSync(join(at, ".ralph/receipts"), { recursive: true });
    for (const name of ["guardrail_1_lint.log", "execution.jsonl", "settings.local.json", "receipts/3f2a.json"])
      writeFileSync(join(at, ".ralph", name), "");
    writeFileSync(join(at, ".ralph/settings.json"), "");
    writeFileSync(join(at, ".ralph/receipts/code.js"), "");
  }
  const status = ["status", "--porcelain", "--untracked-files=all"];
  const files = ["?? .ralph/receipts/code.js", "?? .ralph/settings.json"];
  const below = ["?? below/.ralph/receipts/code.js", "?? below/.ralph/settings.json"];
  expect(
    git(...status)
      .trim()
      .split("\n"),
  ).toEqual([...files, ...below]);
  expect(
    git("-C", linked, ...status)
      .trim()
      .split("\n"),
  ).toEqual(files);
});

test("the user's lines stay byte for byte, with their permissions; what they remove is not added again", () => {
  const { cwd, exclude, write, text } = repository();
  const before = Buffer.from([0x66, 0xfc, 0xff, 0x0a, 0x61]);
  write(before);
  chmodSync(exclude, 0o600);
  excludeRalphFiles(cwd);
  expect(readFileSync(exclude).subarray(0, before.length)).toEqual(before);
  expect(statSync(exclude).mode & 0o777).toBe(0o600);
  const title =
    text()
      .split("\n")
      .find((line) => line.startsWith("#")) ?? "";
  write(`${title}\n`);
  expect([excludeRalphFiles(cwd), text()]).toEqual([null, `${title}\n`]);
  expect(readdirSync(dirname(exclude))).toEqual(["exclude"]);
});

test("without a repository, and with anything but a plain file, nothing is written", () => {
  const { cwd: plain } = folder();
  expect(excludeRalphFiles(plain)).toBeNull();
  expect(ralphFolder(plain)).toBe(join(plain, ".ralph"));
  expect(readdirSync(join(plain, ".ralph"))).toEqual([]);
  const { cwd, exclude, write } = repository();
  write("");
  rmSync(exclude);
  writeFileSync(join(cwd, "elsewhere"), "mine\n");
  symlinkSync("../../elsewhere", exclude);
  expect(excludeRalphFiles(cwd)).toBeNull();
  expect(readFileSync(join(cwd, "elsewhere"), "utf8")).toBe("mine\n");
});
