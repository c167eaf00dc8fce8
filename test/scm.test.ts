import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const RUN = ["run", "--prompt", "Write the greeting", "-m", "3"];

/** A repository whose agent works in every iteration and promises in the second. */
function rehearsed(scm: object, more: object = {}): Sandbox {
  const box = sandbox();
  box.initGit();
  box.write(
    ".ralph/scenario.yaml",
    [
      "answer: 'Add the greeting of iteration {{iteration}}.'",
      "iterations:",
      "  - steps: [{ write: { path: a.txt, content: one } }, { say: working }]",
      "  - steps: [{ write: { path: a.txt, content: two } }, { say: '<promise>DONE</promise>' }]",
    ].join("\n"),
  );
  const agent = { command: "scripted", flags: [".ralph/scenario.yaml"] };
  box.write(".ralph/settings.json", JSON.stringify({ agent, verify: ["grep -q two a.txt"], scm, ...more }));
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "the task");
  return box;
}

const subjects = (box: Sandbox): string[] => box.git("log", "--format=%s", "--reverse").trim().split("\n").slice(2);

interface Attempt {
  effects: { kind: string; is: string; detail: string }[];
}
const effectsOf = async (box: Sandbox): Promise<Attempt["effects"]> =>
  ((await box.json("why", "last")) as { iterations: Attempt[] }).iterations.flatMap(({ effects }) => effects);

/** A bare repository beside the sandbox's, as its `origin`. */
function withRemote(box: Sandbox): void {
  box.git(
    "init",
    "--quiet",
    "--bare",
    `--initial-branch=${box.git("branch", "--show-current").trim()}`,
    "../remote.git",
  );
  box.git("remote", "add", "origin", box.path("../remote.git"));
  box.git("push", "--quiet", "--set-upstream", "origin", "HEAD");
}

test("every iteration that passes is committed, with the agent's message", async () => {
  const box = rehearsed({ tasks: ["commit"] });
  expect((await box.ralph(...RUN)).code).toBe(0);
  expect(subjects(box)).toEqual(["Add the greeting of iteration 1", "Add the greeting of iteration 2"]);
});

full("no message is requested if nothing changed, and the title can be the message", async () => {
  const quiet = rehearsed({ tasks: ["commit"] }, { completion: { zero_work_guard: false } });
  quiet.write(".ralph/scenario.yaml", "iterations:\n  - say: '<promise>DONE</promise>'\n");
  quiet.git("commit", "--quiet", "-am", "another script");
  quiet.write("a.txt", "two");
  quiet.git("add", "a.txt");
  quiet.git("commit", "--quiet", "-m", "done already");
  expect((await quiet.ralph(...RUN)).code).toBe(0);
  expect(await effectsOf(quiet)).toEqual([{ kind: "commit", is: "skipped", detail: "nothing changed" }]);

  const titled = rehearsed({ tasks: ["commit"], message: "title" });
  expect((await titled.ralph(...RUN)).code).toBe(0);
  expect(subjects(titled)).toEqual(["Write the greeting (iteration 1)", "Write the greeting (iteration 2)"]);
});

full("an answer of 10 kB with quotes and newlines becomes one line that no shell sees", async () => {
  const box = rehearsed({ tasks: ["commit"] });
  const answer = `"Fix \\"it\\" $(touch ../owned) ; touch ../owned ${"x'\\n".repeat(3_000)}"`;
  box.write(".ralph/scenario.yaml", box.read(".ralph/scenario.yaml").replace(/answer: .*/, `answer: ${answer}`));
  expect((await box.ralph(...RUN)).code).toBe(0);
  expect(subjects(box)).toContainEqual('Fix "it" $(touch ../owned) ; touch ../owned x\'');
  expect(box.exists("../owned")).toBe(false);
});

test("changes from before the loop and secrets are left out and named; --allow-dirty includes the changes", async () => {
  const box = sandbox();
  box.initGit();
  for (const name of ["mine", "shared", "theirs"]) box.write(name, "1\n");
  box.write(".ralph/settings.json", JSON.stringify({ verify: ["grep -q 2 theirs"], scm: { tasks: ["commit"] } }));
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "the task");
  box.program(
    "agent",
    'echo "$RALPH_PURPOSE" >> calls; echo 2 | tee -a shared theirs .env; echo "<promise>DONE</promise>"',
  );
  box.write("mine", "my edit\n");
  box.write("shared", "my edit\n");
  box.write("notes.txt", "mine\n");
  const { code, stderr } = await box.ralph(...RUN, "--agent", "agent");
  expect([code, stderr]).toEqual([
    0,
    expect.stringContaining("3 files that were changed before the loop began: mine,"),
  ]);
  expect(stderr).toMatch(/! not committed: shared: changed before the loop began and by the agent too/);
  expect(stderr).toMatch(/! not committed: \.env: may contain secrets/);
  expect(box.git("show", "--format=%s", "--name-only").trim().split(/\n+/)).toEqual([
    "Write the greeting (iteration 1)",
    "calls",
    "theirs",
  ]);
  expect(box.git("status", "--porcelain")).toBe(" M mine\n M shared\n?? .env\n?? notes.txt\n");
  // An unknown agent is not asked for a message: it might work again.
  expect(box.read("calls")).toBe("work\n");
  expect(await effectsOf(box)).toMatchObject([
    { leftOut: { both: { named: ["shared"] }, secrets: { named: [".env"] } } },
  ]);

  box.git("checkout", "--quiet", "HEAD~1", "--", "theirs");
  expect((await box.ralph(...RUN, "--agent", "agent", "--allow-dirty")).code).toBe(0);
  expect(box.git("status", "--porcelain")).toBe("?? .env\n");
});

full("if an agent cannot answer, the title is used", async () => {
  const box = rehearsed({ tasks: ["commit"], message: "agent" });
  box.program(
    "sulky",
    `#!/bin/sh
[ "$RALPH_PURPOSE" = ask ] && exit 1
echo two > a.txt; echo '<promise>DONE</promise>'`,
  );
  expect((await box.ralph(...RUN, "--agent", "sulky")).code).toBe(0);
  expect(subjects(box)).toEqual(["Write the greeting (iteration 1)"]);
});

full("an answer counts even if a tool was refused before", async () => {
  const box = rehearsed({ tasks: ["commit"] }, { agent: { command: "claude" } });
  const lines = (text: string, more: object) =>
    [
      { type: "assistant", message: { id: "m", content: [{ type: "text", text }] } },
      { type: "result", subtype: "success", is_error: false, ...more },
    ].map((line) => `echo '${JSON.stringify(line)}'`);
  const refused = { permission_denials: [{ tool_name: "Bash", tool_use_id: "t", tool_input: { command: "git log" } }] };
  box.program(
    "claude",
    `cat > /dev/null\nif [ "$RALPH_PURPOSE" = ask ]; then\n${lines("Mend the greeting", refused).join("\n")}\nelse\necho two > a.txt\n${lines("<promise>DONE</promise>", {}).join("\n")}\nfi`,
  );
  expect((await box.ralph(...RUN)).code).toBe(0);
  expect(subjects(box)).toEqual(["Mend the greeting"]);
});

full("personal settings are in no commit, Ralph's or the agent's", async () => {
  const box = sandbox();
  box.initGit();
  box.write(".ralph/settings.local.json", JSON.stringify({ scm: { tasks: ["commit"], message: "title" } }));
  box.program(
    "agent",
    "echo one > a; git add --all; git commit -qm mine; echo two > b; echo '<promise>DONE</promise>'",
  );
  expect((await box.ralph(...RUN, "--agent", "agent")).code).toBe(0);
  expect(box.git("ls-files").trim().split("\n")).toEqual(["a", "b"]);
});

test("a push follows the verdict and sends the commits to the remote", async () => {
  const box = rehearsed({ tasks: ["commit", "push"] });
  withRemote(box);
  const { code, stderr } = await box.ralph(...RUN);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/✓ verified[\s\S]*✓ \w+ done/)]);
  expect(box.git("--git-dir", "../remote.git", "rev-parse", "HEAD")).toBe(box.git("rev-parse", "HEAD"));
  expect((await effectsOf(box)).map(({ kind, is }) => `${kind} ${is}`)).toEqual([
    "commit done",
    "push done",
    "commit done",
    "push done",
  ]);
});

full("a rejected push is reported, and the loop continues to its proof", async () => {
  const box = rehearsed({ tasks: ["commit", "push"] });
  withRemote(box);
  box.git("clone", "--quiet", "../remote.git", "../other");
  box.git("-C", "../other", "commit", "--quiet", "--allow-empty", "-m", "somebody was faster");
  box.git("-C", "../other", "push", "--quiet");
  const { code, stderr } = await box.ralph(...RUN);
  expect(code).toBe(0);
  expect(stderr).toMatch(/✗ \w+ failed: .*\[rejected\]/);
  expect(await effectsOf(box)).toContainEqual({
    kind: "push",
    is: "failed",
    detail: expect.stringMatching(/rejected.*fetch first/),
  });
});

full("a push without a remote says what is missing", async () => {
  const box = rehearsed({ tasks: ["push"] });
  const { code, stderr } = await box.ralph(...RUN);
  expect([code, stderr]).toEqual([0, expect.stringMatching(/failed: .*No configured push destination/)]);
});

full("any other task of the version control program runs with its arguments", async () => {
  const box = rehearsed({ tasks: ["commit", "tag --force proven", "branch nowhere HEAD~99"] });
  expect((await box.ralph(...RUN)).code).toBe(0);
  expect(box.git("rev-parse", "proven")).toBe(box.git("rev-parse", "HEAD"));
  expect((await effectsOf(box)).at(-1)).toMatchObject({ kind: "task", is: "failed" });
});

full("another version control program gets the message as one argument", async () => {
  const box = rehearsed({ command: "vc", tasks: ["commit", "push --all"] });
  box.program("vc", `#!/bin/sh\nfor word; do echo "[$word]"; done >> ../vc.log`);
  expect((await box.ralph(...RUN)).code).toBe(0);
  expect(box.read("../vc.log")).toMatch(
    /^\[commit\]\n\[-m\]\n\[Add the greeting of iteration 1\n\nRalph-Effect: \w+\/1\/0\]\n\[push\]\n\[--all\]\n/,
  );
});

full("git given by its path is git", async () => {
  const path = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const box = rehearsed({ command: path, tasks: ["commit"] });
  expect((await box.ralph(...RUN)).code).toBe(0);
  expect(subjects(box)).toEqual(["Add the greeting of iteration 1", "Add the greeting of iteration 2"]);
});

full("failing guardrails: no commit, no push", async () => {
  const box = rehearsed({ tasks: ["commit", "push"] }, { guardrails: [{ command: "false" }] });
  withRemote(box);
  expect((await box.ralph(...RUN)).code).toBe(1);
  expect(subjects(box)).toEqual([]);
  expect(await effectsOf(box)).toEqual([]);
});
