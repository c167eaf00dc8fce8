import { test } from "vitest";
import { factsOf, type PipelineSandbox, pipeline } from "../support/pipeline.ts";
import type { Finished } from "../support/sandbox.ts";

const QUICK = {
  max_attempts: 1,
  max_rounds: 1,
  stages: ["coder", "qa"],
  coder: { max_iterations: 2 },
  qa: { max_iterations: 2 },
};

/** A repository whose check is a script, and a coder with a plan. */
function guarded(finished: Finished, ralph: object = {}): PipelineSandbox {
  const box = pipeline(finished, { ralph: { ...QUICK, ...ralph } });
  box.write("verify.sh", "grep -q work *.txt\n");
  box.write("shared.txt", "start\n");
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "checks");
  return box;
}

const CHECKS = { coder: "sh verify.sh", qa: "true" };
const verifyOf = (box: PipelineSandbox) => box.git("show", "main:verify.sh");

test.concurrent("only the verified commit is merged", async ({ expect, onTestFinished }) => {
  const box = guarded(onTestFinished);
  await box.task("MOVED", CHECKS);
  await box.task("LOOSE", CHECKS);
  await box.task("INNER", { coder: "test -f inner/work.txt" });
  // The checks see a nested repository, of which git would store only the name: it is not committed.
  box.plan(
    "INNER-coder",
    "git init -q inner; cd inner; echo work > work.txt; git add -A; git -c user.name=x -c user.email=x@y commit -qm inner; cd ..",
  );
  // The checks see the detached commit, the branch is another one.
  box.plan(
    "MOVED-qa",
    `git checkout -q --detach; good=$(git rev-parse HEAD); echo true > verify.sh; git commit -qam lie
git update-ref refs/heads/task/MOVED HEAD; git checkout -q --detach $good`,
  );
  // The checks see the files, which cannot be committed over a conflict.
  box.plan(
    "LOOSE-coder",
    `echo work > LOOSE.txt
b=$(git rev-parse HEAD:verify.sh); printf '100644 %s 1\\tx\\n100644 %s 2\\tx\\n' $b $b | git update-index --index-info`,
  );
  const { code, lines } = await box.execute();
  expect(code).toBe(1);
  expect(lines.at(-1)).toMatchObject({ tasks: { MOVED: "blocked", LOOSE: "blocked", INNER: "blocked" } });
  expect(factsOf(lines, "MOVED")).toContain("merge.refused");
  expect(await box.status("LOOSE")).toMatchObject({
    metadata: { ralph_failure: { reason: expect.stringContaining("the checked files are not committed (x)") } },
  });
  expect(await box.status("INNER")).toMatchObject({
    metadata: { ralph_failure: { reason: expect.stringContaining("no commit was made since the task began") } },
  });
  expect(verifyOf(box)).toBe("grep -q work *.txt\n");
});

test.concurrent("an agent that deletes its worktree, or undoes its merge, harms no other task", async ({
  expect,
  onTestFinished,
}) => {
  const box = guarded(onTestFinished, { stages: ["coder"] });
  await box.task("GONE", { coder: "sh verify.sh" }, "--priority", "1");
  await box.task("BACK", { coder: "grep -q BACK shared.txt" }, "--priority", "2");
  box.plan("GONE-coder", '[ "$n" = 1 ] && git worktree remove --force "$PWD" || echo work > GONE.txt');
  // Another task changes the same line meanwhile.
  const theirs = `cd "${box.cwd}" && echo theirs > shared.txt && git commit -qam theirs`;
  box.plan("BACK-coder", `echo BACK > shared.txt; (${theirs})`);
  box.plan("BACK-conflict", "git reset -q --hard HEAD^1");
  const { code, lines, stderr } = await box.execute();
  expect([code, stderr]).toEqual([1, ""]);
  expect(lines.at(-1)).toMatchObject({ tasks: { GONE: "blocked", BACK: "blocked" } });
  expect(box.calls().filter((call) => call === "BACK conflict").length).toBeLessThanOrEqual(5);
  expect(box.read("shared.txt")).toBe("theirs\n");
  // Its branch still exists, and the user can retry it.
  expect((await box.execute("--task", "GONE")).code).toBe(0);
  expect(box.read("GONE.txt")).toBe("work\n");
});

test.concurrent("an agent decides neither other tasks nor later stages of its own", async ({
  expect,
  onTestFinished,
}) => {
  const box = guarded(onTestFinished);
  box.program("ralph", `exec "${process.execPath}" "${box.ralphPath}" "$@"`);
  await box.task("A", CHECKS);
  await box.task("B", { coder: "false" }, "--depends-on", "A");
  box.plan(
    "A-coder",
    `echo work > A.txt
for words in "task update B --coder-verify-cmd true" "task delete B" "cancel B" "execute --task B" "worktrees prune"; do
  ralph $words >> ../said 2>&1; echo "exit $?" >> ../said
done
ralph task followup C A "More" --outcome o --acceptance a > "../followup-$n" 2>&1
[ "$n" = 2 ] || { mkdir -p .specflow; echo "ralph: { enabled: false }" > .specflow/config.yaml; }
[ "$n" = 1 ] || rm -r .specflow`,
  );
  const { code } = await box.execute("--task", "A");
  expect([code, (await box.status("A")).status]).toEqual([0, "done"]);
  // The settings that it added were refused, so that it needed another iteration to remove them.
  expect(box.calls()).toEqual(["A coder", "A coder", "A qa"]);
  expect(box.git("ls-tree", "-r", "--name-only", "main")).not.toContain("specflow");
  const said = box.read(`${box.worktree("x")}/../said`);
  expect(said.match(/exit 2/g)).toHaveLength(2 * 5);
  expect(said).toContain("only the user may run ralph task update");
  expect(box.read(`${box.worktree("x")}/../followup-1`)).toContain("Created C");
  expect(await box.status("B")).toMatchObject({
    status: "todo",
    completion_spec: { coder: { verification_config: { command: "false" } } },
  });
});

test.concurrent("a tester may change tests, and not remove them", async ({ expect, onTestFinished }) => {
  const box = guarded(onTestFinished, { stages: ["coder", "tester"] });
  box.write("a.test.js", 'test("one", () => {});\ntest("two", () => {});\n');
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "tests");
  await box.task("NONE", { coder: "sh verify.sh", tester: "true" });
  await box.task("OTHER", { coder: "sh verify.sh", tester: "true" });
  box.plan("NONE-tester", "git rm -q --ignore-unmatch a.test.js");
  box.plan("OTHER-tester", `git rm -q a.test.js; printf 'test("%s", () => {});\\n' first second > b.test.js`);
  const { lines } = await box.execute();
  expect(lines.at(-1)).toMatchObject({ tasks: { NONE: "blocked", OTHER: "done" } });
  expect(await box.status("NONE")).toMatchObject({
    metadata: { ralph_failure: { reason: expect.stringContaining("2 ran before, none run now") } },
  });
});
