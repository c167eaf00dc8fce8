import { cpSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { expectRefusal } from "./support/refusal.ts";
import { type Ended, sandbox } from "./support/sandbox.ts";

/** Repositories in a folder, and the state folders where users have them. */
function machine() {
  const box = sandbox();
  const at = (name: string) => join(box.cwd, name);
  box.program("worker", "echo x > made-$$; echo '<promise>DONE</promise>'");
  const shell = (folder: string, ...args: string[]): Promise<Ended> =>
    box.shell(`unset RALPH_STATE_DIR; cd '${at(folder)}' && XDG_STATE_HOME='${box.state}' exec "$@"`, ...args).ended;
  return {
    box,
    at,
    ralph: shell,
    run: (folder: string) => shell(folder, "run", "x", "--agent", "worker", "-q", "--force"),
    /** The ids of the loops that a folder shows, and what it warns of. */
    async loops(folder: string) {
      const { stdout, stderr } = await shell(folder, "list", "--json");
      return { loops: (JSON.parse(stdout) as { cwd: string }[]).map(({ cwd }) => cwd), says: stderr };
    },
    repository(folder: string) {
      mkdirSync(at(folder), { recursive: true });
      box.initGit();
      renameSync(box.path(".git"), join(at(folder), ".git"));
    },
  };
}

test("a moved repository keeps its history, a copy begins its own", { timeout: 120_000 }, async () => {
  const { box, at, run, loops, ralph, repository } = machine();
  repository("shop");
  await Promise.all([run("shop"), run("shop")]);
  expect((await run("shop")).code).toBe(0);
  const before = (await loops("shop")).loops.length;

  renameSync(at("shop"), at("moved"));
  expect((await ralph("moved", "doctor")).stdout).toMatch(/repository {2,}id shop-[0-9a-f]{12} \(moved from .*shop\)/);
  const moved = await loops("moved");
  expect(moved.says).toBe(`! this repository was in ${at("shop")}: its loops and tasks have moved with it\n`);
  expect(moved.loops).toEqual(Array(before).fill(at("moved")));
  // Said once; and its loops are found there.
  expect(await loops("moved")).toEqual({ loops: moved.loops, says: "" });
  expect((await ralph("moved", "resume")).stderr).toContain("is already complete");

  // A new repository in the former place does not find it.
  repository("shop");
  expect((await run("shop")).code).toBe(0);
  expect((await loops("shop")).loops).toEqual([at("shop")]);
  expect((await loops("moved")).loops).toHaveLength(before);

  cpSync(at("moved"), at("copy"), { recursive: true });
  const first = await run("copy");
  expect(first.stderr).toContain(`! this repository is a copy of ${at("moved")}, which keeps its loops and tasks`);
  expect((await run("copy")).stderr).not.toContain("copy of");
  expect((await loops("copy")).loops).toHaveLength(2);
  expect((await loops("moved")).loops).toHaveLength(before);

  // To another file system: the inode changes, and the old place is empty.
  cpSync(at("moved"), at("far"), { recursive: true });
  rmSync(at("moved"), { recursive: true });
  expect((await loops("far")).loops).toEqual(Array(before).fill(at("far")));

  box.git("clone", "--quiet", at("far"), at("clone"));
  expect((await loops("clone")).loops).toEqual([]);
  box.git("-C", at("far"), "worktree", "add", "--quiet", at("linked"));
  expect(await loops("linked")).toMatchObject({ says: "" });
  expect((await loops("linked")).loops).toHaveLength(before);
});

test("relink attaches a history that cannot be found by itself", { timeout: 120_000 }, async () => {
  const { box, at, run, loops, ralph, repository } = machine();
  repository("shop");
  expect((await run("shop")).code).toBe(0);
  repository("other");
  expect((await run("other")).code).toBe(0);
  const clone = async () => box.git("clone", "--quiet", at("shop"), at("again"));
  await clone();
  expectRefusal(await ralph("again", "relink", at("shop")), /belongs to the repository in .*shop, which still exists/);
  expectRefusal(await ralph("again", "relink", "nothing"), /no state folder for nothing/);
  rmSync(at("shop"), { recursive: true });
  expect((await run("again")).code).toBe(0);
  const listed = JSON.parse((await ralph("again", "relink", "--json")).stdout);
  expect(listed).toHaveLength(3);
  expect(listed).toContainEqual(expect.objectContaining({ path: at("shop"), is: "free" }));
  expect(listed).toContainEqual(expect.objectContaining({ path: at("other"), is: "used" }));
  expect((await ralph("again", "relink")).stdout).toContain("can be attached");

  const linked = await ralph("again", "relink", at("shop"));
  expect([linked.code, linked.stderr]).toEqual([0, ""]);
  expect(linked.stdout).toMatch(/has the history of .*shop.*\n?.*stays in again-/s);
  expect(await loops("again")).toEqual({ loops: [at("again")], says: "" });
  const back = /`ralph relink (again-[0-9a-f]+)`/.exec(linked.stdout.replace(/\s+/g, " "))?.[1] ?? "";
  expect((await ralph("again", "relink", back)).code).toBe(0);
  expectRefusal(await box.ralph("relink"), /RALPH_STATE_DIR sets the state folder/);
});
