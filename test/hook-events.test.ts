import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { type Ended, type Finished, type Sandbox, sandbox } from "./support/sandbox.ts";

type Host = "claude" | "codex";

/** The recorded payloads of a host, and our answers. */
function host(name: Host, finished: Finished) {
  const box = sandbox(finished);
  let told = 0;
  const run = async (payload: string, env = ""): Promise<Ended> => {
    const file = box.write(`../payload-${++told}.json`, payload);
    return box.shell(`${env} "$@" < '${file}'`, "hook", "event", name).ended;
  };
  const tell = async (event: string, more: object = {}, env = ""): Promise<unknown> => {
    const recorded = readFileSync(`test/fixtures/host-events/${name}/${event}.json`, "utf8");
    const session = { session_id: "our session", cwd: box.cwd, transcript_path: box.path("../record.jsonl") };
    const payload = { ...JSON.parse(recorded), prompt_id: `${told}`, turn_id: `${told}`, ...session, ...more };
    const { stdout, stderr, code } = await run(JSON.stringify(payload), env);
    expect({ stderr, code }).toEqual({ stderr: "", code: 0 });
    return stdout === "" ? null : JSON.parse(stdout);
  };
  return { box, run, tell, status: (): Promise<unknown> => box.json("status", "last") };
}

const said = (text: string) => ({ last_assistant_message: text });
const PROMISE = said("All done.\n\n<promise>DONE</promise>");
const context = (text: unknown) => ({ hookSpecificOutput: expect.objectContaining({ additionalContext: text }) });

test.concurrent("Claude Code: a loop from its command to its proof", async ({ onTestFinished }) => {
  const { box, tell, status } = host("claude", onTestFinished);
  // The check runs until the other report of the same stop is answered.
  box.write("check.sh", "until test -e ../answered; do sleep 0.05; done; test -f hello.txt\n");
  box.write("../answered", "");
  const prompt = '/ralph:ralph "Write hello" --verify "sh check.sh" --max-iterations 5';
  const typed = { prompt, prompt_id: "the same" };
  const begun = await Promise.all([tell("UserPromptSubmit-slash", typed), tell("UserPromptSubmit-slash", typed)]);
  // The hooks are installed twice: one of the two answers.
  expect(begun.filter((answer) => answer !== null)).toEqual([
    { ...context(expect.stringMatching(/^Write hello\n/)), systemMessage: expect.stringContaining("Max 5 iterations") },
  ]);
  expect(await tell("Stop-background-task", PROMISE)).toBeNull();
  expect(await tell("SubagentStop", PROMISE)).toBeNull();
  expect(await tell("Stop", { ...PROMISE, session_id: "another session" })).toBeNull();
  // An agent started by a loop, even in the same session, belongs to that loop.
  expect(await tell("Stop", PROMISE, "RALPH_RUN=loop/1")).toBeNull();
  rmSync(box.path("../answered"));
  const told = [tell("Stop", PROMISE), tell("Stop", PROMISE)];
  await Promise.race(told);
  box.write("../answered", "");
  const answers = await Promise.all(told);
  expect(answers.filter((answer) => answer !== null)).toEqual([
    {
      decision: "block",
      reason: expect.stringMatching(/^\[RALPH LOOP - ITERATION 2\/5\].*sh check\.sh.*exit code 1/s),
      systemMessage: "Ralph Loop: Iteration 2/5",
    },
  ]);
  box.write("hello.txt", "hello");
  expect(await tell("Stop-active", PROMISE)).toEqual({
    systemMessage: expect.stringContaining("Ralph Loop Complete!"),
  });
  expect(await tell("Stop-active", PROMISE)).toBeNull();
  expect(await status()).toMatchObject({ reason: "verified", iteration: 2 });
});

test.concurrent("Claude Code: the cap, tokens, and a session that ends", async ({ onTestFinished }) => {
  const { box, tell, status } = host("claude", onTestFinished);
  const record = readFileSync("test/fixtures/host-events/claude/transcript.jsonl", "utf8").split("\n");
  box.write("../record.jsonl", record.slice(0, 4).join("\n"));
  await tell("UserPromptSubmit-slash", { prompt: "/ralph Do it --max-iterations 50" });
  expect(await tell("Stop", said("A0"))).toMatchObject({ decision: "block" });
  // It was kept from stopping nine times in a row, while Claude Code allows eight.
  box.write("../record.jsonl", record.join("\n"));
  const answer = await tell("Stop-active", said("A14"));
  expect(answer).toEqual({
    systemMessage: expect.stringMatching(/^Ralph Loop Stopped: interrupted: .*BLOCK_CAP.*\nNext: \/ralph --resume /),
  });
  expect(await status()).toMatchObject({ reason: "interrupted", tokens: 14 * 120 });
  const { id } = Object(await status());
  expect(await tell("UserPromptSubmit-slash", { prompt: `/ralph --resume ${id}` })).toMatchObject(
    context(expect.stringContaining("ITERATION 3/50")),
  );
  expect(await tell("SessionEnd")).toBeNull();
  expect(await status()).toMatchObject({ reason: "interrupted", detail: expect.stringContaining("session is gone") });
  expect(await tell("Stop", PROMISE)).toBeNull();
});

test.concurrent("Claude Code: the cap is known although the transcript lacks what was just said", async ({
  onTestFinished,
}) => {
  const { box, tell, status } = host("claude", onTestFinished);
  const record = readFileSync("test/fixtures/host-events/claude/transcript.jsonl", "utf8").split("\n");
  box.write("../record.jsonl", record.slice(0, 4).join("\n"));
  await tell("UserPromptSubmit-slash", { prompt: "/ralph Do it --max-iterations 50" });
  expect(await tell("Stop", said("A0"))).toMatchObject({ decision: "block" });
  for (let n = 1; n < 7; n++) expect(await tell("Stop-active", said(`A${n}`))).toMatchObject({ decision: "block" });
  const last = { decision: "block", systemMessage: expect.stringContaining("This is the last time for now") };
  expect(await tell("Stop-active", said("A7"))).toMatchObject(last);
  expect(await tell("Stop-active", said("A8"))).not.toHaveProperty("decision");
  expect(await status()).toMatchObject({ reason: "interrupted", iteration: 9 });
});

test.concurrent("Codex: an answer has only fields that it knows", async ({ onTestFinished }) => {
  const { box, tell, status } = host("codex", onTestFinished);
  box.write("../record.jsonl", readFileSync("test/fixtures/host-events/codex/rollout.jsonl", "utf8"));
  const refused = await tell("UserPromptSubmit-slash", { prompt: "/ralph --max-iterations none Do it" });
  expect(refused).toEqual(context(expect.stringMatching(/^The user typed.*--max-iterations/s)));
  await tell("UserPromptSubmit-slash", { prompt: "$ralph Do it" });
  const systemMessage = "Ralph Loop: Iteration 2/100";
  const reason = expect.stringContaining("ITERATION 2/100");
  expect(await tell("Stop", said("D"))).toEqual({ decision: "block", reason, systemMessage });
  expect(await tell("Stop-active", PROMISE)).toEqual({ systemMessage: expect.stringContaining("Complete!") });
  expect(await status()).toMatchObject({ reason: "promise-only", iteration: 2 });
});

full.concurrent("errors of ours never block a session", async ({ onTestFinished }) => {
  const { box, run, tell } = host("claude", onTestFinished);
  for (const payload of ["", "{", "null", '"Stop"', "\0"])
    expect(await run(payload)).toMatchObject({ code: 0, stdout: "", stderr: "" });
  await tell("UserPromptSubmit-slash", { prompt: "/ralph Do it" });
  breakJournal(box);
  const us = { session_id: "our session", cwd: box.cwd };
  const payload = { ...us, hook_event_name: "Stop", ...PROMISE };
  const { code, stdout, stderr } = await run(JSON.stringify(payload));
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ systemMessage: `Ralph Loop: ${stderr.trim()}` });
  const typed = { ...us, hook_event_name: "UserPromptSubmit", prompt: "/ralph Do it", prompt_id: "one" };
  expect(await run(JSON.stringify(typed), `RALPH_STATE_DIR='${box.write("file", "")}'`)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\{"decision":"block","reason":"cannot write /),
  });
});

/** A journal that cannot be opened. */
function breakJournal(box: Sandbox): void {
  for (const name of ["ralph.db", "ralph.db-wal", "ralph.db-shm"])
    rmSync(box.path(`../state/${name}`), { force: true });
  mkdirSync(box.path("../state/ralph.db"), { recursive: true });
}
