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
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isTracked } from "../../../adapters/git/tracked.ts";
import { markableSource, writePassed } from "./mark-source-done.ts";

/** A checkout in a folder with other files beside it. */
function checkout() {
  const above = mkdtempSync(join(tmpdir(), "ralph-passed-"));
  onTestFinished(() => rmSync(above, { recursive: true, force: true }));
  const root = join(above, "repo");
  mkdirSync(join(root, "docs"), { recursive: true });
  const write = (name: string, text: string) => writeFileSync(join(root, name), text);
  return { above, root, write, read: (name: string) => readFileSync(join(root, name), "utf8") };
}

const PRD = '{"userStories": [{"id": "US-1", "title": "a", "passes": false}]}\n';
const prd = (path: string, story = "US-1") => ({ kind: "prd" as const, path, story });

test("marks a story in place, and keeps mode and byte order mark", async () => {
  const { root, write, read } = checkout();
  write("docs/prd.json", `\uFEFF${PRD}`);
  chmodSync(join(root, "docs/prd.json"), 0o640);
  expect(await writePassed(root, prd("docs/prd.json"))).toEqual({ is: "written", path: "docs/prd.json" });
  expect(read("docs/prd.json")).toBe(`\uFEFF${PRD.replace("false", "true")}`);
  expect(statSync(join(root, "docs/prd.json")).mode & 0o777).toBe(0o640);
  expect(await writePassed(root, prd("docs/prd.json"))).toEqual({ is: "there", path: "docs/prd.json" });
  expect(readdirSync(join(root, "docs"))).toEqual(["prd.json"]);
});

test("ticks a box, and writes through a link that stays inside", async () => {
  const { root, write, read } = checkout();
  write("docs/plan.md", "- [ ] A-1: x\n- [ ] A-2: y\n");
  symlinkSync("docs/plan.md", join(root, "TODO.md"));
  expect(await writePassed(root, { kind: "markdown", path: "TODO.md", story: "A-2" })).toMatchObject({ is: "written" });
  expect(read("docs/plan.md")).toBe("- [ ] A-1: x\n- [x] A-2: y\n");
});

test.each<[string, string, RegExp]>([
  ["a path that leads outside", "../outside.json", /outside the repository/],
  ["a link that leads outside", "link.json", /outside the repository/],
  ["a folder behind a link that leads outside", "away/outside.json", /outside the repository/],
  ["an absolute path", "/etc/hostname", /outside the repository/],
  ["git's own files", ".git/prd.json", /git's own/],
  ["a folder", "docs", /not a file that contains tasks/],
  ["a missing file", "gone.json", /ENOENT/],
  ["a NUL in the path", "a\0b", /null bytes/i],
  ["an unknown story", "other.json", /US-1 is not in it/],
])("refuses %s", async (_name, path, why) => {
  const { above, root, write } = checkout();
  writeFileSync(join(above, "outside.json"), PRD);
  mkdirSync(join(root, ".git"));
  write(".git/prd.json", PRD);
  write("other.json", "[]");
  symlinkSync("../outside.json", join(root, "link.json"));
  symlinkSync("..", join(root, "away"));
  expect(await writePassed(root, prd(path))).toEqual({ is: "refused", path, why: expect.stringMatching(why) });
  expect(readFileSync(join(above, "outside.json"), "utf8")).toBe(PRD);
});

test.each<[unknown, boolean]>([
  [{ kind: "prd", path: "prd.json", story: "US-1" }, true],
  [{ kind: "markdown", path: "a.md", story: "x" }, true],
  [{ kind: "prd", path: null, story: "US-1" }, false],
  [{ kind: "github", path: "i.json", story: "GH-1" }, false],
  [{ kind: "prd", path: 3, story: "US-1" }, false],
  [{ kind: "other", path: "x", story: "y" }, false],
  ["prd", false],
  [undefined, false],
])("whether %j can be marked: %s", (source, can) => {
  expect(markableSource({ source }) !== null).toBe(can);
});

test("finds files tracked by git, and reads no name as a pattern or an option", async () => {
  const { root, write } = checkout();
  execFileSync("git", ["init", "--quiet"], { cwd: root });
  write("prd.json", PRD);
  write("other.json", PRD);
  execFileSync("git", ["add", "prd.json"], { cwd: root });
  const answers = await Promise.all(
    ["prd.json", "other.json", "*.json", "--help", "docs"].map((path) => isTracked(root, path)),
  );
  expect(answers).toEqual([true, false, false, false, false]);
});
