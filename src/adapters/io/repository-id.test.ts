import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderName, identityOf, keepIdentity } from "./repository-id.ts";
import { repositoryIdentity, stateFolder } from "./state-folder.ts";

function machine() {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "ralph-id-")));
  onTestFinished(() => rmSync(top, { recursive: true, force: true }));
  const states = join(top, "states/ralph");
  const at = (path: string) => join(top, path);
  const look = (folder: string) => repositoryIdentity(at(folder), states);
  return {
    at,
    states,
    look,
    /** A folder with a git directory. */
    make(folder: string) {
      mkdirSync(at(`${folder}/.git`), { recursive: true });
    },
    write(path: string, text: string) {
      mkdirSync(dirname(at(path)), { recursive: true });
      writeFileSync(at(path), text);
    },
    /** What a start of a loop does. */
    start(folder: string) {
      const found = look(folder);
      if (!found) throw new Error("no repository");
      mkdirSync(join(states, found.id), { recursive: true });
      keepIdentity(found, states);
      return found;
    },
  };
}

test("the first id is the name that earlier versions gave the state folder", () => {
  const { at, make, start, look } = machine();
  make("a");
  expect(start("a")).toMatchObject({ is: "new", id: folderName(at("a")) });
  expect(look("a")).toMatchObject({ is: "known", id: folderName(at("a")) });
  expect(stateFolder(at("a"), { XDG_STATE_HOME: at("states") }).root).toBe(at(`states/ralph/${folderName(at("a"))}`));
});

test("back and forth between two places, each repository keeps its own id", () => {
  const { at, make, start, look } = machine();
  make("a");
  const { id } = start("a");
  renameSync(at("a"), at("b"));
  expect(start("b")).toMatchObject({ is: "moved", id });
  cpSync(at("b"), at("a"), { recursive: true });
  const copy = start("a");
  expect(copy.is).toBe("copied");
  expect(copy.id).not.toBe(id);
  expect(look("a")).toMatchObject({ is: "known", id: copy.id });
  expect(look("b")).toMatchObject({ is: "known", id });
  make("c");
  rmSync(at("b"), { recursive: true });
  // Copied before the original was removed, started after.
  cpSync(at("a"), at("d"), { recursive: true });
  renameSync(at("a"), at("e"));
  start("e");
  expect(start("d")).toMatchObject({ is: "copied" });
});

test("a linked worktree has the id of its repository, a submodule its own", () => {
  const { at, make, write, start, look } = machine();
  make("a");
  const { id } = start("a");
  write("a/.git/worktrees/w/commondir", "../..\n");
  write("w/.git", `gitdir: ${at("a/.git/worktrees/w")}\n`);
  expect(look("w")).toMatchObject({ is: "known", id });
  write("a/.git/modules/sub/HEAD", "ref: refs/heads/main\n");
  write("a/sub/.git", "gitdir: ../.git/modules/sub\n");
  const sub = start("a/sub");
  expect(sub.id).toBe(folderName(at("a/sub")));
  renameSync(at("a"), at("b"));
  expect(look("b/sub")).toMatchObject({ is: "moved", id: sub.id });
  expect(look("b")).toMatchObject({ is: "moved", id });
  cpSync(at("b"), at("c"), { recursive: true });
  start("b");
  start("b/sub");
  expect([look("c")?.is, look("c/sub")?.is]).toEqual(["copied", "copied"]);
});

test("worktrees of two bare repositories in one folder do not share an id", () => {
  const { at, write, start } = machine();
  const ids = ["one", "two"].map((name) => {
    write(`${name}.git/worktrees/w/commondir`, "../..\n");
    write(`w-${name}/.git`, `gitdir: ${at(`${name}.git/worktrees/w`)}\n`);
    return start(`w-${name}`).id;
  });
  expect(new Set(ids).size).toBe(2);
});

test("of two first starts at once, both have the same id; a file that is no id is replaced", () => {
  const { at, make, look, states, start } = machine();
  make("a");
  const [one, two] = [look("a"), look("a")];
  if (!one || !two) throw new Error("no repository");
  mkdirSync(join(states, one.id), { recursive: true });
  for (const each of [one, two]) keepIdentity(each, states);
  expect(look("a")).toMatchObject({ is: "known", id: one.id });
  writeFileSync(at("a/.git/ralph-id"), '{"id": "../../etc", "gitDir": "/", "root": "/", "inode": ""}');
  expect(start("a")).toMatchObject({ is: "new", id: one.id });
  expect(look("a")).toMatchObject({ is: "known", id: one.id });
});

test("outside a repository, and where nothing can be written, the path decides", () => {
  const { at, states, look } = machine();
  mkdirSync(at("plain"));
  expect(look("plain")).toBeNull();
  const nowhere = { gitDir: at("gone/.git"), root: at("gone"), states };
  keepIdentity(identityOf(nowhere), states);
  expect(identityOf(nowhere)).toMatchObject({ is: "new", id: folderName(at("gone")) });
  expect(() => readFileSync(at("gone/.git/ralph-id"))).toThrow("ENOENT");
});

test.each<[string, (on: ReturnType<typeof machine>) => { first: string; others: string[] }]>([
  [
    "a clone where the repository was, which has not been used since",
    ({ at, make, start, look }) => {
      const { id } = start("shop");
      renameSync(at("shop"), at("shop-old"));
      make("shop");
      expect(look("shop")).toMatchObject({ is: "new", from: { root: at("shop") } });
      const other = start("shop").id;
      expect(look("shop-old")).toMatchObject({ is: "moved", id });
      return { first: start("shop-old").id, others: [other, start("shop").id] };
    },
  ],
  [
    "a clone where a repository was that has moved twice",
    ({ at, make, start }) => {
      start("shop");
      renameSync(at("shop"), at("b"));
      start("b");
      renameSync(at("b"), at("c"));
      make("shop");
      const others = [start("shop").id];
      return { first: start("c").id, others };
    },
  ],
  [
    "a copy that was used while the volume of its original was away",
    ({ at, start, look }) => {
      const { id } = start("shop");
      cpSync(at("shop"), at("copy"), { recursive: true });
      renameSync(at("shop"), at("away"));
      expect(start("copy")).toMatchObject({ is: "moved", id });
      cpSync(at("away"), at("shop"), { recursive: true });
      rmSync(at("away"), { recursive: true });
      expect(look("shop")).toMatchObject({ is: "copied", from: { root: at("copy") } });
      return { first: start("copy").id, others: [start("shop").id] };
    },
  ],
  [
    "an id that names the state folder of another repository, with its own path and inode",
    ({ at, make, write, start, look }) => {
      const { id } = start("shop");
      make("foreign");
      const own = { gitDir: at("foreign/.git"), root: at("foreign"), inode: look("foreign")?.inode };
      const others = [{ ...own }, { ...own, inode: "1:1" }].map((mine) => {
        write("foreign/.git/ralph-id", JSON.stringify({ id, ...mine }));
        return start("foreign").id;
      });
      return { first: start("shop").id, others };
    },
  ],
  [
    "a copy in the place of an original that was moved",
    ({ at, start }) => {
      start("shop");
      renameSync(at("shop"), at("b"));
      cpSync(at("b"), at("shop"), { recursive: true });
      const first = start("b").id;
      return { first, others: [start("shop").id] };
    },
  ],
])("two repositories do not share an id: %s", (_name, act) => {
  const on = machine();
  on.make("shop");
  const { id } = on.look("shop") ?? { id: "" };
  const { first, others } = act(on);
  expect(first).toBe(id);
  for (const other of others) expect(other).not.toBe(id);
  expect(new Set(others).size).toBe(1);
});

test("moved to another file system, and restored in its place, a repository keeps its id", () => {
  const { at, make, start, look } = machine();
  make("a");
  const { id } = start("a");
  cpSync(at("a"), at("b"), { recursive: true });
  rmSync(at("a"), { recursive: true });
  expect(start("b")).toMatchObject({ is: "moved", id });
  cpSync(at("b"), at("backup"), { recursive: true });
  rmSync(at("b"), { recursive: true });
  renameSync(at("backup"), at("b"));
  expect(look("b")).toMatchObject({ is: "known", id });
});
