import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { SessionMessage } from "../src/doors/hook/library/library.ts";
import { folders, host, library, pause } from "./support/library-host.ts";
import { PATIENT } from "./support/patience.ts";

const STATE_FILE = "ralph-loop-state.json";

/** The loops of a folder in the journal, latest first. */
function loopsIn({ workdir, stateDir }: { workdir: string; stateDir: string }) {
  const env = { ...process.env, RALPH_STATE_DIR: stateDir };
  const args = [resolve("dist/ralph.js"), "list", "--json"];
  const listed: unknown = JSON.parse(execFileSync(process.execPath, args, { cwd: workdir, env, encoding: "utf8" }));
  return listed as { id: string; reason: string | null; iteration: number; status: string }[];
}

test("an idle that is reported twice is answered once: at once, before, and after the prompt is injected", async () => {
  const box = host({ config: { continuationDelay: 60 } });
  await box.hook.beginLoop("s", "Do it");
  box.say("s", "Working on it.");
  await Promise.all([box.idle("s"), box.idle("s")]);
  await box.idle("s");
  await vi.waitFor(() => expect(box.injected).toHaveLength(1), PATIENT);
  await box.idle("s");
  await pause(100);
  expect([box.injected.length, box.hook.getState("s")?.iteration]).toEqual([1, 2]);
  box.say("s", "Going on.");
  await box.idle("s");
  await vi.waitFor(() => expect(box.injected).toHaveLength(2), PATIENT);
  expect(box.titles()).toEqual(["Ralph Loop Started", "Ralph Loop", "Ralph Loop"]);
});

test("a host whose injection takes as long as the agent's turn is answered in the meantime", async () => {
  const prompts: string[] = [];
  const box = host({
    injectPrompt: (sessionId, prompt) => {
      prompts.push(prompt);
      // The prompt is not among the messages yet, so there is no answer to it.
      return box
        .idle(sessionId)
        .then(() => box.messages(sessionId).push({ role: "user", content: prompt }))
        .then(() => box.say(sessionId, prompts.length === 1 ? "Going on." : "<promise>DONE</promise>"))
        .then(() => box.idle(sessionId));
    },
  });
  await box.hook.beginLoop("s", "Do it");
  box.say("s", "Working on it.");
  await box.idle("s");
  await vi.waitFor(() => expect(box.hook.getState()).toBeNull(), PATIENT);
  expect([prompts.length, box.titles().at(-1)]).toEqual([2, "Ralph Loop Complete!"]);
});

test("a promise must be proven, and the reason why it was not is in the next prompt", async () => {
  const box = host({ verify: "test -e proof || { echo there is no proof; exit 1; }" });
  const begun = await box.hook.beginLoop("s", "Prove it");
  expect(begun).toMatchObject({ started: true, prompt: expect.stringContaining("<promise>DONE</promise>") });
  box.say("s", "<promise>DONE</promise>");
  await box.idle("s");
  expect(box.injected.at(-1)?.prompt).toMatch(/^\[RALPH LOOP - ITERATION 2\/100\][\s\S]*there is no proof/);
  // No new message: the earlier claim must not be verified again.
  writeFileSync(join(box.workdir, "proof"), "");
  box.say("s", "I have written it down.");
  await box.idle("s");
  box.say("s", "<promise>DONE</promise>");
  await box.idle("s");
  expect(box.toasts.at(-1)?.message).toBe("Task completed after 3 iteration(s) (verified; nothing was protected)");
  expect(loopsIn(box)).toMatchObject([{ reason: "verified", iteration: 3 }]);
});

test("a host without user messages: a claim before the last prompt does not count again", async () => {
  const said = ["<promise>DONE</promise>"];
  const box = host({
    getMessages: async () => said.map((content) => ({ role: "assistant", content })),
    injectPrompt: async () => undefined,
    verify: "test -e proof",
  });
  await box.hook.beginLoop("s", "Prove it");
  await box.idle("s");
  writeFileSync(join(box.workdir, "proof"), "");
  await box.idle("s");
  expect(box.hook.getState()?.iteration).toBe(3);
  said.push("Now. <promise>DONE</promise>");
  await box.idle("s");
  expect(box.hook.getState()).toBeNull();
});

test("cancelled while a check runs: at once, and nothing more is injected", async () => {
  const box = host({ verify: "touch started; sleep 60", completion: { baseline: false } });
  await box.hook.beginLoop("s", "Do it");
  box.say("s", "<promise>DONE</promise>");
  const answered = box.idle("s");
  await vi.waitFor(() => expect(existsSync(join(box.workdir, "started"))).toBe(true), PATIENT);
  await box.idle("s");
  // Advancing the loop meanwhile would detach the check from its journal.
  expect(library.incrementIteration(box.workdir, box.stateDir)).toBeNull();
  expect([box.hook.cancelLoop("s"), box.hook.isLoopActive("s"), box.hook.cancelLoop("s")]).toEqual([
    true,
    false,
    false,
  ]);
  await answered;
  expect(box.titles()).toEqual(["Ralph Loop Started", "Ralph Loop Cancelled"]);
  expect([box.injected, loopsIn(box)]).toMatchObject([[], [{ reason: "cancelled", status: "stopped" }]]);
});

test("a prompt that cannot be injected is retried, and uses no iteration", async () => {
  let broken = true;
  const told: string[] = [];
  const box = host({
    async injectPrompt(sessionId, prompt) {
      if (broken) throw new Error("the host is busy");
      told.push(prompt);
      box.messages(sessionId).push({ role: "user", content: prompt });
    },
  });
  await box.hook.beginLoop("s", "Do it");
  box.say("s", "Working on it.");
  await box.idle("s");
  expect(box.lines.at(-1)).toMatch(/^error \[ralph-loop] Failed to inject continuation .*the host is busy/);
  broken = false;
  await box.idle("s");
  await box.idle("s");
  expect([told.length, box.hook.getState()?.iteration]).toEqual([1, 2]);
  expect(told[0]).toMatch(/^\[RALPH LOOP - ITERATION 2\/100]/);
});

test("a prompt lost with its process is injected by the next one", async () => {
  const first = host({ config: { continuationDelay: 60_000 } });
  await first.hook.beginLoop("s", "Do it");
  first.messages("s").push({ role: "user", content: "Do it" }, { role: "assistant", content: "Working on it." });
  await first.idle("s");
  first.hook.close();
  const second = host({}, first);
  second.messages("s").push(...first.messages("s"));
  await second.idle("s");
  await second.idle("s");
  expect(second.injected.map(({ prompt }) => prompt.split("\n")[0])).toEqual(["[RALPH LOOP - ITERATION 2/100]"]);
});

test("after an error without an answer the same iteration is prompted again", async () => {
  const box = host();
  await box.hook.beginLoop("s", "Do it");
  box.say("s", "Working on it.");
  await box.idle("s");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
  try {
    await box.error("s", { name: "APIError", data: { message: "fetch failed" } });
    const looked = box.idle("s");
    await vi.waitFor(async () => {
      await vi.advanceTimersByTimeAsync(1_000);
      expect(box.injected).toHaveLength(2);
    }, PATIENT);
    await looked;
  } finally {
    vi.useRealTimers();
  }
  expect(box.injected[1]).toEqual(box.injected[0]);
  box.say("s", "<promise>DONE</promise>");
  await box.idle("s");
  expect(box.toasts.at(-1)?.message).toBe("Task completed after 2 iteration(s) (promise-only)");
});

test("sessions have loops side by side; a loop without its session is stopped by another session's idle", async () => {
  const alive = new Set(["a", "b"]);
  const box = host({ checkSessionExists: async (id) => alive.has(id) });
  for (const id of ["a", "b", "c"]) await box.hook.beginLoop(id, `The work of ${id}`);
  expect(box.hook.getState()).toMatchObject({ sessionId: "c" });
  box.say("a", "Working on it.");
  await box.idle("a");
  expect(["a", "b", "c"].map((id) => box.hook.getState(id)?.iteration)).toEqual([2, 1, undefined]);
  await box.deleted("elsewhere", { sessionId: "b" });
  expect(box.hook.isLoopActive("b")).toBe(false);
  expect(loopsIn(box).map(({ reason }) => reason)).toEqual(["interrupted", "interrupted", null]);
  expect(box.titles().filter((title) => title !== "Ralph Loop Started")).toEqual(["Ralph Loop"]);
});

test("another process sees a loop, and can stop it before its prompt is injected", async () => {
  const box = host({ config: { continuationDelay: 60_000 } });
  await box.hook.beginLoop("s", "Do it");
  box.say("s", "Working on it.");
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const looked = box.idle("s");
  await vi.waitFor(async () => {
    await vi.advanceTimersByTimeAsync(20);
    expect(box.titles().at(-1)).toBe("Ralph Loop");
  }, PATIENT);
  const code = `import { createRalphLoopHook } from ${JSON.stringify(resolve("dist/hook.js"))};
const hook = createRalphLoopHook({ config: { stateDir: ${JSON.stringify(box.stateDir)} } });
console.log(hook.getState("s").iteration, hook.cancelLoop("s"), hook.getState());`;
  const args = ["--input-type=module", "-e", code];
  expect(execFileSync(process.execPath, args, { cwd: box.workdir, encoding: "utf8" })).toBe("2 true null\n");
  await vi.advanceTimersByTimeAsync(120_000);
  await looked;
  expect([box.hook.getState(), box.injected]).toEqual([null, []]);
});

test("a process that is killed during a check: the next one continues at the check", async () => {
  const at = folders();
  const said = [{ role: "assistant", content: "<promise>DONE</promise>" }];
  const code = `import { createRalphLoopHook } from ${JSON.stringify(resolve("dist/hook.js"))};
const hook = createRalphLoopHook({
  config: { stateDir: ${JSON.stringify(at.stateDir)} },
  getMessages: async () => (${JSON.stringify(said)}),
  verify: "if [ -e ran ]; then exit 0; fi; touch ran; sleep 60",
  completion: { baseline: false },
});
await hook.beginLoop("s", "Do it");
await hook.handler({ event: "session.idle", sessionId: "s" });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { cwd: at.workdir, stdio: "ignore" });
  const ended = once(child, "exit");
  await vi.waitFor(() => expect(existsSync(join(at.workdir, "ran"))).toBe(true), PATIENT);
  child.kill("SIGKILL");
  await ended;
  const box = host({ getMessages: async () => said }, at);
  expect(box.hook.getState()?.iteration).toBe(1);
  await box.idle("s");
  expect(box.toasts.map(({ message }) => message)).toEqual([
    "Task completed after 1 iteration(s) (still-green; nothing was protected; no baseline was taken)",
  ]);
});

test("a state file of another program is imported once, and kept", async () => {
  const at = folders();
  const folder = join(at.workdir, ".supercoin");
  mkdirSync(folder);
  const state = {
    active: true,
    iteration: 3,
    maxIterations: 9,
    completionPromise: "READY",
    startedAt: "2026-01-02T03:04:05.000Z",
    prompt: "Do it",
    sessionId: "s",
  };
  writeFileSync(join(folder, STATE_FILE), JSON.stringify(state));
  vi.stubEnv("RALPH_STATE_DIR", at.stateDir);
  try {
    expect(library.readState(at.workdir)).toMatchObject(state);
    expect(JSON.parse(readFileSync(join(folder, `${STATE_FILE}.imported`), "utf8"))).toEqual(state);
    expect(library.clearState(at.workdir)).toBe(true);
    expect(library.readState(at.workdir)).toBeNull();
  } finally {
    vi.unstubAllEnvs();
  }
});

test("an unreadable state file is reported, and has no effect", async () => {
  const box = host();
  for (const content of ["{ not JSON", '{"active": true}', "[]"]) {
    mkdirSync(box.stateDir, { recursive: true });
    writeFileSync(join(box.stateDir, STATE_FILE), content);
    expect(box.hook.getState()).toBeNull();
    expect(box.lines.at(-1)).toContain("warn [ralph-loop] Failed to read state: ");
    expect(readFileSync(join(box.stateDir, `${STATE_FILE}.imported`), "utf8")).toBe(content);
  }
});

test("a loop started at once uses the settings of its folder; options take precedence", async () => {
  const box = host();
  mkdirSync(join(box.workdir, ".ralph"));
  const settings = { maximumIterations: 7, completion: { promise: "READY" }, verify: ["test -e proof"] };
  writeFileSync(join(box.workdir, ".ralph/settings.json"), JSON.stringify(settings));
  expect(box.hook.startLoop("s", "Do it", { completionPromise: "SHIPPED" })).toBe(true);
  expect(box.hook.getState()).toMatchObject({ maxIterations: 7, completionPromise: "SHIPPED" });
  box.say("s", "<promise>SHIPPED</promise>");
  await box.idle("s");
  expect(box.injected.at(-1)?.prompt).toContain("Command: test -e proof");
  writeFileSync(join(box.workdir, ".ralph/settings.json"), "{}");
  writeFileSync(join(box.workdir, "proof"), "");
  box.say("s", "<promise>SHIPPED</promise>");
  await box.idle("s");
  expect(box.injected.at(-1)?.prompt).toContain(".ralph/settings.json");
});

test("an impossible request is refused with a reason", async () => {
  const box = host({ verify: "no-such-program-here" });
  const refusal = async (options: object) => {
    const begun = await box.hook.beginLoop("s", "Do it", options);
    return begun.started ? null : begun.reason;
  };
  expect(await refusal({})).toMatch(/^check-missing: /);
  expect(await refusal({ maxIterations: 0 })).toContain("maximumIterations: expected a whole number from 1");
  expect(await refusal({ maxCostUsd: 1 })).toContain("set the option getUsage");
  expect(await refusal({ context: "reset" })).toContain("createSession");
  expect(box.hook.startLoop("s", " ")).toBe(false);
  expect(box.toasts.at(-1)).toMatchObject({
    title: "Ralph Loop Not Started",
    message: expect.stringContaining("the prompt is empty"),
  });
  expect(box.hook.getState()).toBeNull();
});

test("turned off, it does nothing", async () => {
  const box = host({ config: { enabled: false } });
  expect(box.hook.startLoop("s", "Do it")).toBe(false);
  expect(await box.hook.beginLoop("s", "Do it")).toMatchObject({ started: false });
  await box.idle("s");
  expect([box.hook.getState(), box.injected, existsSync(box.stateDir)]).toEqual([null, [], false]);
});

test("a session's earlier usage does not count; later usage stops the loop at its limit", async () => {
  let costUsd = 5;
  const box = host({ getUsage: () => ({ costUsd, inputTokens: costUsd * 1_000 }), maxCostUsd: 2 });
  await box.hook.beginLoop("s", "Do it");
  for (const more of [1.5, 1]) {
    costUsd += more;
    box.say("s", "Working on it.");
    await box.idle("s");
  }
  expect(box.toasts.at(-1)).toMatchObject({ title: "Ralph Loop Stopped", message: "cost-limit: $2.50 spent" });
});

test("with context reset each iteration has its own session", async () => {
  let opened = 0;
  const box = host({ context: "reset", createSession: async (from) => `${from[0]}${++opened}` });
  await box.hook.beginLoop("s", "Do it");
  box.say("s", "Working on it.");
  await box.idle("s");
  await vi.waitFor(() => expect(box.injected).toHaveLength(1), PATIENT);
  expect([box.injected.at(-1)?.sessionId, box.hook.isLoopActive("s")]).toEqual(["s1", false]);
  box.say("s1", "Going on.");
  await box.idle("s1");
  await vi.waitFor(() => expect(box.injected).toHaveLength(2), PATIENT);
  expect(box.hook.getState()).toMatchObject({ sessionId: "s2", iteration: 3 });
  box.say("s2", "<promise>DONE</promise>");
  await box.idle("s2");
  expect(box.titles().at(-1)).toBe("Ralph Loop Complete!");
});

test("a host that fails everywhere: nothing is thrown or left to crash it, and the loop continues", async () => {
  const loose: unknown[] = [];
  const onLoose = (error: unknown) => loose.push(error);
  process.on("unhandledRejection", onLoose);
  onTestFinished(() => void process.off("unhandledRejection", onLoose));
  const told: unknown = [null, 7, { role: "user", content: 1n }, { role: "assistant", content: { toJSON: fail } }];
  const prompts: string[] = [];
  const { hook } = host({
    getMessages: async () => told as SessionMessage[],
    injectPrompt: async (_, prompt) => void prompts.push(prompt),
    getUsage: () => ({ inputTokens: Number.NaN, costUsd: "much" }) as never,
    checkSessionExists: fail,
    showToast: async () => fail(),
    log: fail,
  });
  expect(await hook.beginLoop("s", "Do it", null as never)).toMatchObject({ started: true });
  for (const context of [undefined, null, {}, { event: "session.deleted" }, { event: "session.idle", sessionId: 7 }])
    await hook.handler(context as never);
  expect([hook.cancelLoop(undefined as never), hook.isLoopActive("")]).toEqual([false, false]);
  await hook.handler({ event: "session.idle", sessionId: "s" });
  await vi.waitFor(() => expect(prompts).toHaveLength(1), PATIENT);
  expect(hook.getState("s")?.iteration).toBe(2);
  expect(await hook.beginLoop("", "Do it")).toEqual({ started: false, reason: "a loop needs the id of its session" });
  expect(hook.startLoop("t", {} as never)).toBe(false);
  expect(host({ getUsage: fail }).hook.startLoop("t", "Do it")).toBe(true);
  expect(host({ getUsage: async () => fail() }).hook.startLoop("t", "Do it")).toBe(true);
  await pause(20);
  expect(loose).toEqual([]);
});

function fail(): never {
  throw new Error("the host failed");
}

test("a loop that is cancelled while a session is opened for it injects nothing more", async () => {
  const box = host({
    context: "reset",
    async createSession() {
      box.hook.cancelLoop("s");
      return "fresh";
    },
  });
  await box.hook.beginLoop("s", "Do it");
  box.say("s", "Working on it.");
  await box.idle("s");
  await vi.waitFor(() => expect(box.titles().at(-1)).toBe("Ralph Loop Cancelled"), PATIENT);
  expect(box.injected).toEqual([]);
  await box.idle("fresh");
  expect(box.lines.filter((line) => line.startsWith("error"))).toEqual([]);
});
