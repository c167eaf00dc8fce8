import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { full, sample } from "./support/effort.ts";
import { fakeClaude } from "./support/fake-claude.ts";
import { type Ended, type Sandbox, sandbox } from "./support/sandbox.ts";

const EXAMPLES = resolve("examples/scenarios");

/** The command in the comment at the top of an example, as a user would paste it. */
function commandOf(source: string): string {
  const lines = [...source.matchAll(/^# {3}(.*)$/gm)].map((match) => match[1] ?? "");
  return lines.join("\n").replaceAll("\\\n", " ");
}

/** The author that git needs on a new machine. */
const PERSON = ["AUTHOR", "COMMITTER"].map((who) => `export GIT_${who}_NAME=Ada GIT_${who}_EMAIL=ada@example.invalid`);

/** Runs a user's shell command line, in which `ralph` is the built one. */
function pasted(box: Sandbox, command: string): Promise<Ended> {
  box.program("ralph", `exec ${process.execPath} ${resolve("dist/ralph.js")} "$@"`);
  box.program("pasted", [...PERSON, command].join("\n"));
  return box.run("pasted");
}

/** The same, with the result of its last loop. */
async function paste(box: Sandbox, command: string): Promise<{ code: number; reason: string; iterations: number }> {
  const { code } = await pasted(box, `${command}\nexit $?`);
  const { reason, iteration } = (await box.json("status", "last")) as { reason: string; iteration: number };
  return { code: code ?? -1, reason, iterations: iteration };
}

const EXPECTED: Record<string, object> = {
  "chatty.yaml": { code: 0, reason: "verified", iterations: 2 },
  "crashes.yaml": { code: 1, reason: "agent-failed", iterations: 3 },
  "fixes-after-feedback.yaml": { code: 0, reason: "verified", iterations: 2 },
  "liar.yaml": { code: 1, reason: "iteration-limit", iterations: 3 },
  "rate-limited.yaml": { code: 0, reason: "verified", iterations: 1 },
};

test.each(sample(readdirSync(EXAMPLES), 1))("%s does what its comment says", async (name) => {
  const box = sandbox();
  cpSync(EXAMPLES, box.path("examples/scenarios"), { recursive: true });
  expect(await paste(box, commandOf(readFileSync(join(EXAMPLES, name), "utf8")))).toEqual(EXPECTED[name]);
});

full("the examples of `ralph run --help` work as printed", async () => {
  const { stdout } = await sandbox().ralph("run", "--help");
  const examples = [...stdout.matchAll(/^ {2}((?:cat .* \| )?ralph run .*)$/gm)].map((match) => match[1] ?? "");
  expect(examples.length).toBeGreaterThan(5);
  for (const example of examples) {
    const box = sandbox();
    box.initGit();
    box.program("claude", `mkdir -p src; echo x > src/work\n${fakeClaude("<promise>DONE</promise>")}`);
    if (example.includes("codex"))
      box.program("codex", `mkdir -p src; echo x > src/work\n${fakeCodex("<promise>DONE</promise>")}`);
    box.program("npm", ":");
    for (const prompt of ["task.md", "PROMPT.md"]) box.write(prompt, "Fix it.");
    box.write(
      "rehearsal.yaml",
      "iterations:\n  - steps: [{ write: { path: work, content: x } }, { say: <promise>DONE</promise> }]\n",
    );
    const { code, stderr } = await pasted(box, example);
    expect({ example, code, stderr }).toEqual({ example, code: 0, stderr: expect.anything() });
  }
});

/** A script that says this as Codex does. */
function fakeCodex(text: string): string {
  const lines = [
    { type: "thread.started", thread_id: "t" },
    { type: "item.completed", item: { id: "i", type: "agent_message", text } },
    { type: "turn.completed", usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } },
  ];
  return lines.map((line) => `echo '${JSON.stringify(line)}'`).join("\n");
}

const yamlIn = (path: string): string[] =>
  [...readFileSync(path, "utf8").matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1] ?? "");

test("the first workflow of the guide runs as printed", async () => {
  const box = sandbox();
  const [workflow = ""] = yamlIn("docs/workflows.md");
  const command = /^ralph workflow run tidy ".*"$/m.exec(readFileSync("docs/workflows.md", "utf8"))?.[0] ?? "";
  box.initGit();
  box.program("claude", `echo x > work\n${fakeClaude("<promise>TIDY</promise>")}`);
  box.program("npm", ":");
  box.write(".ralph/workflows/tidy.yaml", workflow);
  const { code, stderr } = await pasted(box, command);
  expect({ code, stderr }).toMatchObject({ code: 0, stderr: expect.stringContaining("**Loop complete**: tidy") });
});

full("the workflows of the guide are valid", async () => {
  const box = sandbox();
  const blocks = ["docs/workflows.md", "docs/workflow-files.md"].flatMap(yamlIn);
  expect(blocks).toHaveLength(3);
  for (const [i, block] of blocks.entries()) box.write(`.ralph/workflows/${i}.yaml`, block);
  for (const name of ["plan", "review"]) box.write(`.ralph/commands/${name}.md`, "Do it.");
  expect(await box.ralph("workflow", "validate")).toMatchObject({ code: 0 });
});

full("the guide to the scripted agent works as written", async () => {
  const box = sandbox();
  const guide = readFileSync("docs/scripted-agent.md", "utf8");
  const block = (language: string) => new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(guide)?.[1] ?? "";
  box.write(".ralph/rehearsal.yaml", block("yaml"));
  expect(await paste(box, block("sh"))).toEqual({ code: 0, reason: "verified", iterations: 2 });
});

test("the harness example does what its README says", async () => {
  const box = sandbox();
  const folder = resolve("examples/harness");
  cpSync(folder, box.cwd, { recursive: true });
  const commands = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(folder, "README.md"), "utf8"))?.[1] ?? "";
  expect(await paste(box, `set -e\n${commands}`)).toEqual({ code: 0, reason: "verified", iterations: 2 });
  const { iterations } = (await box.json("why", "last")) as { iterations: { n: number; agent: number }[] };
  expect(iterations.map(({ n, agent }) => [n, agent])).toEqual([
    [1, 0],
    [1, 1],
    [2, 1],
  ]);
  expect(box.git("log", "--format=%s")).toMatch(/^Write greet for iteration 2\n/);
  expect(box.read("stopped.txt")).toMatch(/verified/);
});

full("the verification example does what its README says", async () => {
  const box = sandbox();
  const folder = resolve("examples/verification");
  cpSync(folder, box.cwd, { recursive: true });
  const commands = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(folder, "README.md"), "utf8"))?.[1] ?? "";
  expect(await paste(box, `set -e\n${commands}`)).toEqual({ code: 0, reason: "verified", iterations: 3 });
  const { stdout } = await box.ralph("why", "last");
  expect(stdout).toContain("continued: claim not proven: node --test --test-name-pattern='by name': exit code 1");
  expect(stdout).toContain('test/greet.test.mjs: 1 test skipped: "refuses an empty name"');
  expect(stdout).toContain("stopped: verified (3 of 3 checks pass");
  expect(await box.json("status", "last")).toMatchObject({ proved: { proved: 3, of: 3 } });
});

test("the pipeline example does what its README says", async () => {
  const box = sandbox();
  const folder = resolve("examples/pipeline");
  cpSync(folder, box.cwd, { recursive: true });
  const commands = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(folder, "README.md"), "utf8"))?.[1] ?? "";
  const { code, stdout, stderr } = await pasted(box, `set -e\n${commands}`);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(stderr).toContain("greet.mjs:1 an empty name is greeted like a person");
  expect(stderr).toContain("GREET sent back to the coder (round 1 of 3)");
  expect(stderr).toMatch(/(GREET|PART) conflicts with main: index\.mjs/);
  expect(stdout.match(/^(GREET|PART|DOCS) +done/gm)).toHaveLength(6);
  expect(box.read("index.mjs")).toMatch(/greet\.mjs[\s\S]*part\.mjs|part\.mjs[\s\S]*greet\.mjs/);
  expect(box.git("log", "--first-parent", "--format=%s", "-1").trim()).toBe("Merge task/DOCS: Say what there is");
});

full("the workflows example does what its README says", async () => {
  const box = sandbox();
  const folder = resolve("examples/workflows");
  cpSync(folder, box.cwd, { recursive: true });
  const commands = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(folder, "README.md"), "utf8"))?.[1] ?? "";
  box.program("claude", "exit 1");
  // An interactive shell would read it as a history expansion.
  expect(commands).not.toMatch(/^[^'"\n]*"[^"\n]*!/m);
  const { code, stdout, stderr } = await pasted(box, `set -e\n${commands}`);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  // The promise after the second story is not true.
  expect(stderr.match(/not proven \(fail\): node check-prd\.mjs/g)).toHaveLength(1);
  expect(stderr).toMatch(/Rehearsed feature: none of your files changed.*\n.*✓ plan.*\n.*✓ implement.*\n.*✓ review/);
  expect(stderr).toContain("**Loop complete**: ralph (3 iterations)");
  expect(stderr).toContain("Step 3/3: review");
  expect(stderr).toContain("**Loop complete**: fix (2 iterations)");
  expect(stdout.match(/^[0-9a-f]{8} +(ralph|feature|fix-bug) +completed/gm)).toHaveLength(3);
  const { userStories } = JSON.parse(box.read("prd.json")) as { userStories: { passes: boolean }[] };
  expect(userStories.map(({ passes }) => passes)).toEqual([true, true, true]);
  expect(box.read("progress.txt").match(/^US-00\d/gm)).toEqual(["US-001", "US-002", "US-003"]);
  expect(box.git("log", "--format=%s")).toContain(
    "feat: US-003 - Shorten\nfeat: US-002 - Capitalise\nfeat: US-001 - Count words",
  );
  // An item that is struck out, or only said to pass, is not done.
  box.git("checkout", "--quiet", "HEAD", "--", "prd.json");
  box.write("prd.json", JSON.stringify({ userStories: userStories.slice(1) }));
  const check = await box.run("node", "check-prd.mjs");
  expect(check).toMatchObject({ code: 1, stdout: "US-001 Count words: is gone from prd.json\n" });
});

full("the host example does what its README says", async () => {
  const box = sandbox();
  const folder = resolve("examples/hook");
  cpSync(folder, box.cwd, { recursive: true });
  mkdirSync(box.path("node_modules"));
  symlinkSync(resolve("."), box.path("node_modules/ralph-engine"));
  const commands = /```sh\n([\s\S]*?)```/.exec(readFileSync(join(folder, "README.md"), "utf8"))?.[1] ?? "";
  const { code, stdout, stderr } = await pasted(box, `set -e\n${commands}`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout.match(/^> .*/gm)).toEqual([
    "> Write a greeting into greeting.txt",
    "> [RALPH LOOP - ITERATION 2/5]",
    "> [RALPH LOOP - ITERATION 3/5]",
  ]);
  expect(stdout).toContain(
    "[Ralph Loop Complete!] Task completed after 3 iteration(s) (verified; nothing was protected)",
  );
  expect(stdout).toMatch(/^[0-9a-f]{8} +verified +3\/5/m);
});
