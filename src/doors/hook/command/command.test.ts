import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { sessionEntry } from "../../../adapters/hosts/session-index.ts";
import { inWorkspace, openWorkspace } from "../../../adapters/store/workspace.ts";
import type { HostAnswer, HostCommand, HostEvent, HostSession } from "../../../core/host.ts";
import type { Limits } from "../../../core/loop/spec.ts";
import { stopControl } from "../../../engine/stop-control.ts";
import { cancelLoop } from "../../../runtime/cancel-loop.ts";
import { UNSEEN } from "../../../runtime/loop-watcher.ts";
import { resumeLoop } from "../../../runtime/run-loop.ts";
import { beginHostLoop } from "../host-loop.ts";
import { answerHost } from "../open.ts";
import { hookLoop } from "../prepare.ts";

let session: HostSession;
beforeEach(() => {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-hook-"));
  process.env.RALPH_STATE_DIR = mkdtempSync(join(tmpdir(), "ralph-state-"));
  session = { host: "claude", id: "session-1", cwd };
});

const type = (command: HostCommand, typed = "", in_ = session): Promise<HostAnswer> =>
  answerHost(in_, { type: "command.typed", command, arguments: typed }, Date.now());

const say = (text: string, in_ = session): Promise<HostAnswer> => {
  const event: HostEvent = {
    type: "session.idle",
    events: [{ type: "text.said", text }, { type: "message.ended" }],
    tellsTools: false,
  };
  return answerHost(in_, event, Date.now());
};

const loops = () => inWorkspace(session, ({ store }) => store.summaries());

test("a loop starts with everything requested, and reports it", async () => {
  mkdirSync(join(session.cwd, ".ralph"));
  const agent = { command: "claude", price: { input: 4, output: 20 } };
  writeFileSync(join(session.cwd, ".ralph/settings.json"), JSON.stringify({ agent }));
  const { prompt, toasts, says, refused } = await type(
    "ralph",
    '"Fix it" --max-iterations=25 --completion-promise="ALL FIXED" --verify "test -e fixed" --max-cost 2 --timeout 30m',
  );
  const [loop] = await loops();
  expect(prompt).toEqual({
    text: expect.stringMatching(/^Fix it\n[\s\S]*<promise>ALL FIXED<\/promise>/),
    fresh: false,
  });
  expect(toasts).toMatchObject([
    { title: "Ralph Loop Started", message: "Max 25 iterations. Complete with <promise>ALL FIXED</promise>" },
  ]);
  expect(refused).toBe(false);
  expect(says.split("\n")).toEqual([
    `Ralph loop ${loop?.id} has started: up to 25 iterations, $2.00 at most, 30m at most.`,
    "It ends with <promise>ALL FIXED</promise> once it is proven. Checks: test -e fixed.",
    `/ralph-status shows its progress, /cancel-ralph stops it; from a terminal: ralph status ${loop?.id}, ralph cancel ${loop?.id}.`,
  ]);
  expect(loop).toMatchObject({ driver: "host", sessionId: "session-1", maxIterations: 25 });
});

test("an active loop of the session is not overwritten, another session has its own", async () => {
  await type("ralph", "First");
  const second = await type("ralph", "Second");
  expect(second).toMatchObject({ prompt: null, refused: true, toasts: [{ variant: "warning" }] });
  expect(second.says).toMatch(/^Loop \w+ is running in this session \(iteration 1\/100\): First\n.*\/cancel-ralph/);
  expect(await loops()).toHaveLength(1);
  expect((await type("ralph", "Second", { ...session, id: "session-2" })).prompt).not.toBeNull();
});

test.each<[string, RegExp]>([
  ["", /^The prompt is missing\./],
  ['"Fix it" --max-iterations soon', /^--max-iterations: expected a whole number/],
  ['"Fix it" --context reset', /^--context reset gives every iteration a new session[\s\S]*ralph run --agent claude/],
  [
    '"Fix it" --max-cost 2',
    /^a session of claude reports its tokens, but not their cost.*\ngive its price.*--max-tokens/,
  ],
  ["--resume 3f2a", /^there is no loop and no task 3f2a here\n/],
])("a mistake is answered and leaves nothing behind: %s", async (typed, says) => {
  expect(await type("ralph", typed)).toEqual({
    prompt: null,
    toasts: [],
    says: expect.stringMatching(says),
    refused: true,
  });
  expect(sessionEntry(session)).toBeNull();
  expect(await loops()).toEqual([]);
});

test("bad settings are reported with their file", async () => {
  mkdirSync(join(session.cwd, ".ralph"));
  writeFileSync(join(session.cwd, ".ralph/settings.json"), '{ "maximumIterations": "many" }');
  expect(await type("ralph", "Fix it")).toMatchObject({
    refused: true,
    says: expect.stringContaining("settings.json:1:"),
  });
  expect(sessionEntry(session)).toBeNull();
  expect(await loops()).toEqual([]);
});

test("a requested promise takes precedence over that of the criteria", async () => {
  mkdirSync(join(session.cwd, ".ralph"));
  writeFileSync(join(session.cwd, ".ralph/settings.json"), '{ "completion": { "promise": "OTHER" } }');
  const { prompt } = await type("ralph", "Fix it --completion-promise MINE");
  expect(prompt?.text).toContain("<promise>MINE</promise>");
});

test("a check that cannot run prevents a loop, and both say why", async () => {
  const answer = await type("ralph", '"Fix it" --verify no-such-command-here');
  expect(answer).toMatchObject({ prompt: null, refused: true, toasts: [{ title: "Ralph Loop Stopped" }] });
  expect(answer.says).toMatch(
    /^Ralph loop \w+ did not start: check-missing, .*no-such-command-here.*\nNext: install what is missing, then \/ralph --resume \w+; .*--missing-ok/,
  );
  expect(sessionEntry(session)).toBeNull();
  expect(await loops()).toMatchObject([{ status: "stopped", reason: "check-missing" }]);
});

test("/ralph --help answers without a loop", async () => {
  expect(await type("ralph", "--help")).toMatchObject({
    says: expect.stringMatching(/^Usage: \/ralph/),
    refused: false,
  });
  expect(existsSync(process.env.RALPH_STATE_DIR ?? "") && readdirSync(process.env.RALPH_STATE_DIR ?? "")).toEqual([]);
});

test("/cancel-ralph stops the loop of this session", async () => {
  expect(await type("cancel-ralph")).toMatchObject({
    refused: true,
    says: "No Active Loop: No Ralph Loop is currently running",
    toasts: [{ title: "No Active Loop", message: "No Ralph Loop is currently running", variant: "info" }],
  });
  await type("ralph", "Fix it");
  await say("Working.");
  expect(await type("cancel-ralph", "", { ...session, id: "session-2" })).toMatchObject({ refused: true });
  const [loop] = await loops();
  expect(await type("cancel-ralph")).toEqual({
    prompt: null,
    refused: false,
    toasts: [{ title: "Ralph Loop Cancelled", message: "Stopped at iteration 2", variant: "info", duration: 2000 }],
    says: `Ralph loop ${loop?.id} stopped: cancelled, by /cancel-ralph in claude\nNext: /ralph --resume ${loop?.id}`,
  });
  expect(await say("<promise>DONE</promise>")).toMatchObject({ prompt: null, toasts: [] });
});

test("/ralph-status shows the progress of the loop of this session, and how the last one ended", async () => {
  expect(await type("ralph-status")).toMatchObject({ refused: false, says: expect.stringContaining("No Active Loop") });
  await type("ralph", '"Fix it" --verify "test -e fixed" -m 2');
  await say("<promise>DONE</promise>");
  const { says } = await type("ralph-status");
  expect(says).toMatch(/^Ralph loop \w+: Fix it\niteration 2\/2, started \d+m?s ago\n.*Checks: test -e fixed\./);
  expect(says).toContain("test -e fixed");
  await say("I give up.");
  expect((await type("ralph-status")).says).toMatch(
    /No Ralph Loop is currently running. The last one stopped: iteration-limit/,
  );
});

test("--resume moves a loop to another session, and leaves the earlier session alone", async () => {
  await type("ralph", '"Fix it" -m 2');
  await say("Working.");
  const other = { ...session, host: "codex", id: "session-2" };
  const resumed = await type("ralph", "--resume last --max-iterations 7", other);
  expect(resumed.prompt?.text).toMatch(/^\[RALPH LOOP - ITERATION 2\/7\][\s\S]*Original task:\nFix it/);
  expect(resumed.says).toMatch(/^Ralph loop \w+ continues here, at iteration 2: up to 7 iterations\./);
  expect(await say("<promise>DONE</promise>")).toEqual({ prompt: null, toasts: [], says: "", refused: false });
  expect(sessionEntry(session)).toBeNull();
  expect(await type("cancel-ralph")).toMatchObject({ refused: true });
  expect(await say("<promise>DONE</promise>", other)).toMatchObject({ toasts: [{ title: "Ralph Loop Complete!" }] });
  expect(await type("ralph", "--resume last", other)).toMatchObject({
    refused: true,
    says: expect.stringContaining("promise-only"),
  });
});

test("a cancel from elsewhere is reported in the loop's session", async () => {
  await type("ralph", "Fix it");
  const workspace = await openWorkspace(session.cwd);
  const [loop] = await workspace.store.summaries();
  await cancelLoop(workspace, loop?.id ?? "", { by: "other" });
  workspace.close();
  expect(await say("Working.")).toMatchObject({ prompt: null, toasts: [{ title: "Ralph Loop Cancelled" }] });
  expect(await say("Working.")).toMatchObject({ prompt: null, toasts: [] });
});

test("a loop of a program with its own agent can be resumed by a session, and by nothing else", async () => {
  const program = { ...session, host: "my-editor" };
  const workspace = await openWorkspace(session.cwd, { create: true });
  const asked = {
    cwd: session.cwd,
    prompt: "Fix it",
    agent: null,
    context: "continue",
    session: null,
    flags: {},
  } as const;
  await beginHostLoop({ workspace, session: program }, { id: "ab12cd34", ...(await hookLoop(asked)) });
  const driving = { workspace, stops: stopControl(), view: UNSEEN };
  const same = { limits: (limits: Limits) => limits, acceptChanges: false };
  await expect(resumeLoop(driving, "ab12cd34", same)).rejects.toMatchObject({
    code: "no-agent",
    hint: expect.any(String),
  });
  workspace.close();
  expect((await type("ralph", "--resume ab12")).prompt).not.toBeNull();
});
