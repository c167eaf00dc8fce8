import { test } from "vitest";
import { type PipelineSandbox, pipeline } from "../support/pipeline.ts";
import type { Finished } from "../support/sandbox.ts";

/** Only the coder's promise and the rules about its work decide. The setup leaves a file behind. */
function unchecked(finished: Finished, more: object = {}): PipelineSandbox {
  const box = pipeline(finished, {
    ...more,
    ralph: {
      max_attempts: 2,
      stages: ["coder"],
      coder: { max_iterations: 2, verification_method: "string_match" },
      worktree: { setup: "echo made > generated.txt" },
    },
  });
  box.write("old.txt", "old\n");
  box.write("run.sh", "true\n");
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "files");
  return box;
}

const commit = (what: string) => `${what}; git add -f -A; git commit -qm mine`;

/** What does not count as work, by the name of the task. */
const NO_WORK: Record<string, string> = {
  FOUND: ":",
  FOUND_COMMITTED: commit(":"),
  EMPTY: "git commit -q --allow-empty -m done",
  LOGS: commit("mkdir -p .ralph; echo x > .ralph/guardrail_9_npm_test.log; echo '{}' > .ralph/execution.jsonl"),
  LOGS_LEFT: "mkdir -p sub/.ralph; echo x > sub/.ralph/guardrail_9_npm_test.log",
  RECEIPT: commit("mkdir -p .ralph/receipts; echo '{}' > .ralph/receipts/abcd1234.json"),
  IGNORE: commit("mkdir -p .ralph; echo '!*' > .ralph/.gitignore"),
  UNDONE: `${commit("echo x > new.txt")}; git rm -q new.txt; git commit -qm back`,
};
const WORK: Record<string, string> = {
  WRITES: "echo work > W.txt",
  COMMITS: commit("echo work > C.txt"),
  DELETES: "rm old.txt",
  MODE: "chmod +x run.sh",
  USES_FOUND: "echo more >> generated.txt",
  PLUGIN: "mkdir -p .ralph/plugins; echo 'export {};' > .ralph/plugins/x.mjs",
  BOTH: commit("mkdir -p .ralph; echo x > .ralph/guardrail_9_x.log; echo work > B.txt"),
};

test("only the agent's changes are work, and no run file is merged", async ({ expect, onTestFinished }) => {
  const box = unchecked(onTestFinished);
  // The user's own setting: nothing in .ralph is ignored.
  box.write(".gitignore", "!.ralph/**\n");
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "ignore nothing");
  for (const [id, plan] of Object.entries({ ...NO_WORK, ...WORK })) {
    box.plan(`${id}-coder`, plan);
    await box.task(id, {});
  }
  const { lines } = await box.execute("--max-parallel", "2");
  const ended = (ids: object, as: string) => Object.fromEntries(Object.keys(ids).map((id) => [id, as]));
  expect(lines.at(-1)?.tasks).toEqual({ ...ended(NO_WORK, "blocked"), ...ended(WORK, "done") });
  const reason = expect.stringMatching(/no commit since the task began contains work|no-work|no tool was used|no work/);
  for (const id of Object.keys(NO_WORK)) {
    expect(await box.status(id), id).toMatchObject({ metadata: { ralph_failure: { reason } } });
  }
  const merged = box.git("ls-tree", "-r", "--name-only", "main").trim().split("\n");
  expect(merged.filter((path) => path.startsWith(".ralph/") || path.includes("guardrail")).sort()).toEqual([
    ".ralph/plugins/x.mjs",
    ".ralph/settings.json",
  ]);
});

test("changes from the target are not work", async ({ expect, onTestFinished }) => {
  const box = unchecked(onTestFinished);
  const theirs = `(cd "${box.cwd}" && echo "$task" > "theirs-$task.txt" && git add -A && git commit -qm "theirs $task")`;
  const plans = {
    MERGED: `${theirs}; git merge -q --no-edit main`,
    PICKED: `${theirs}; git cherry-pick main > /dev/null`,
    COPIED: `${theirs}; git show main:theirs-COPIED.txt > theirs-COPIED.txt`,
    MORE: `${theirs}; git merge -q --no-edit main; echo work > MORE.txt`,
  };
  for (const [id, plan] of Object.entries(plans)) {
    box.plan(`${id}-coder`, `[ "$n" -gt 1 ] || { ${plan}; }`);
    await box.task(id, {});
  }
  const { lines } = await box.execute("--max-parallel", "1");
  expect(lines.at(-1)?.tasks).toEqual({ MERGED: "blocked", PICKED: "blocked", COPIED: "blocked", MORE: "done" });
});

test("marking the task in its source file is not work on it", async ({ expect, onTestFinished }) => {
  const box = unchecked(onTestFinished);
  const story = (id: string) => ({ id, title: `Story ${id}`, acceptanceCriteria: ["it works"], passes: false });
  const text = `${JSON.stringify({ project: "p", userStories: [story("US-1"), story("US-2")] }, null, 2)}\n`;
  box.write("prd.json", text);
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "prd");
  expect((await box.ralph("task", "import", "prd.json")).code).toBe(0);
  box.plan("US-1-coder", `[ "$n" -gt 1 ] || sed -i '0,/"passes": false/s//"passes": true/' prd.json`);
  box.plan("US-2-coder", "echo work > US-2.txt");
  const { lines } = await box.execute("--max-parallel", "1");
  expect(lines.at(-1)?.tasks).toEqual({ "US-1": "blocked", "US-2": "done" });
});

/** The text beside a promise if nothing checks the work. */
const SAID: [string, string, "blocked" | "done"][] = [
  ["FAIL", "Two tests still fail.", "blocked"],
  ["NEED", "I still need to write the parser.", "blocked"],
  ["STUB", "The parser is not yet implemented.", "blocked"],
  ["LEFT", "Remaining work: the login page.", "blocked"],
  ["CANNOT", "I could not complete the migration.", "blocked"],
  ["TODO", "TODO: handle errors.", "blocked"],
  ["GREEN", "All tests pass, 0 failed.", "done"],
  ["REMOVED", "I removed every TODO in the parser.", "done"],
];

test.for(["coder", "reviewer", "tester", "qa"])("without a check, contradicting text of the %s counts", async (role, {
  expect,
  onTestFinished,
}) => {
  const how = { max_iterations: 1, verification_method: "string_match" };
  const box = pipeline(onTestFinished, {
    ralph: { max_attempts: 1, stages: [...new Set(["coder", role])], coder: how, reviewer: how, tester: how, qa: how },
  });
  const said = role === "coder" ? SAID : SAID.filter(([id]) => id === "FAIL" || id === "GREEN");
  for (const [id, words] of said) {
    const work = role === "coder" ? `echo "$task" > "$task.txt"; ` : "";
    box.plan(`${id}-${role}`, `${work}echo "${words}"`);
    await box.task(id, {});
  }
  const { lines } = await box.execute("--max-parallel", "2");
  expect(lines.at(-1)?.tasks).toEqual(Object.fromEntries(said.map(([id, , as]) => [id, as])));
});

test("with a check, contradicting text is a note", async ({ expect, onTestFinished }) => {
  const box = pipeline(onTestFinished, { ralph: { max_attempts: 1, stages: ["coder"], coder: { max_iterations: 1 } } });
  box.plan("coder", 'echo work > "$task.txt"; echo "Two tests still fail."');
  await box.task("A", { coder: "test -f A.txt" });
  expect((await box.execute()).code).toBe(0);
});
