import { describe, expect, it, vi } from "vitest";
import { folders, host, library } from "./support/library-host.ts";
import { PATIENT } from "./support/patience.ts";

const { readState, writeState, clearState, incrementIteration, detectCompletionPromise } = library;

const STATE = {
  active: true,
  iteration: 1,
  maxIterations: 100,
  completionPromise: "DONE",
  startedAt: new Date().toISOString(),
  prompt: "Do it",
  sessionId: "session-1",
};

describe("RalphLoopStorage", () => {
  it("should write and read state", () => {
    const { workdir, stateDir } = folders();
    expect(readState(workdir, stateDir)).toBeNull();
    expect(writeState(workdir, STATE, stateDir)).toBe(true);
    expect(readState(workdir, stateDir)).toEqual(STATE);
    const later = { ...STATE, iteration: 7, description: "the same loop, later" };
    expect(writeState(workdir, later, stateDir)).toBe(true);
    expect(readState(workdir, stateDir)).toMatchObject({ iteration: 7, startedAt: STATE.startedAt });
    expect(writeState(workdir, { ...later, active: false }, stateDir)).toBe(true);
    expect(readState(workdir, stateDir)).toBeNull();
  });

  it("should increment iteration", () => {
    const { workdir, stateDir } = folders();
    expect(incrementIteration(workdir, stateDir)).toBeNull();
    writeState(workdir, { ...STATE, iteration: 4 }, stateDir);
    expect(incrementIteration(workdir, stateDir)).toMatchObject({ iteration: 5, lastIterationAt: expect.any(String) });
    expect(readState(workdir, stateDir)?.iteration).toBe(5);
  });

  it("should clear state", () => {
    const { workdir, stateDir } = folders();
    expect(clearState(workdir, stateDir)).toBe(true);
    writeState(workdir, STATE, stateDir);
    writeState(workdir, { ...STATE, sessionId: "session-2" }, stateDir);
    expect(clearState(workdir, stateDir)).toBe(true);
    expect(readState(workdir, stateDir)).toBeNull();
  });
});

describe("detectCompletionPromise", () => {
  it("should detect <promise>DONE</promise>", () => {
    expect(detectCompletionPromise("All done.\n\n<promise>DONE</promise>", "DONE")).toBe(true);
    expect(detectCompletionPromise("I shall output `<promise>DONE</promise>` when it is.", "DONE")).toBe(false);
    expect(detectCompletionPromise("Working on it.", "DONE")).toBe(false);
  });

  it("should handle whitespace variations", () => {
    expect(detectCompletionPromise("<promise> DONE </promise>", "DONE")).toBe(true);
    expect(detectCompletionPromise("<promise>\n  DONE\n</promise>", "DONE")).toBe(true);
  });

  it("should be case insensitive", () => {
    expect(detectCompletionPromise("<PROMISE>done</PROMISE>", "DONE")).toBe(true);
  });

  it("should handle custom promises", () => {
    expect(detectCompletionPromise("<promise>ALL_FIXED</promise>", "ALL_FIXED")).toBe(true);
    expect(detectCompletionPromise("<promise>It works. (really?)</promise>", "It works. (really?)")).toBe(true);
    expect(detectCompletionPromise("<promise>DONE</promise>", "ALL_FIXED")).toBe(false);
  });
});

describe("RalphLoopHook", () => {
  it("should start loop and save state", () => {
    const { hook, toasts, workdir, stateDir } = host();
    const options = { maxIterations: 25, completionPromise: "ALL_FIXED", description: "Types" };
    expect(hook.startLoop("s", "Fix all TypeScript errors", options)).toBe(true);
    const state = {
      active: true,
      iteration: 1,
      maxIterations: 25,
      completionPromise: "ALL_FIXED",
      startedAt: expect.stringMatching(/^\d{4}-.*Z$/),
      prompt: "Fix all TypeScript errors",
      sessionId: "s",
      description: "Types",
    };
    expect(hook.getState("s")).toEqual(state);
    expect(readState(workdir, stateDir)).toEqual(state);
    expect([hook.isLoopActive("s"), hook.isLoopActive("another"), hook.getState("another")]).toEqual([
      true,
      false,
      null,
    ]);
    expect(toasts).toEqual([
      {
        title: "Ralph Loop Started",
        message: "Max 25 iterations. Complete with <promise>ALL_FIXED</promise>",
        variant: "info",
        duration: 3000,
      },
    ]);
    expect(hook.startLoop("s", "Something else")).toBe(false);
    expect(toasts.at(-1)).toMatchObject({
      message: expect.stringMatching(/^Loop [0-9a-f]{8} is already running here \(iteration 1\/25\)$/),
      variant: "warning",
    });
    expect(hook.cancelLoop("another")).toBe(false);
    expect(hook.cancelLoop("s")).toBe(true);
    expect(toasts.at(-1)).toEqual({
      title: "Ralph Loop Cancelled",
      message: "Stopped at iteration 1",
      variant: "info",
      duration: 2000,
    });
    expect([hook.getState(), hook.isLoopActive("s"), hook.cancelLoop("s")]).toEqual([null, false, false]);
  });

  it("should detect completion and clear state", async () => {
    const { hook, toasts, injected, say, idle, workdir, stateDir } = host();
    hook.startLoop("s", "Do it");
    say("s", "All done.\n\n<promise>DONE</promise>");
    await idle("s");
    expect([hook.getState(), readState(workdir, stateDir), injected]).toEqual([null, null, []]);
    expect(toasts.at(-1)).toEqual({
      title: "Ralph Loop Complete!",
      message: "Task completed after 1 iteration(s) (promise-only)",
      variant: "success",
      duration: 5000,
    });
  });

  it("should increment on session.idle without completion", async () => {
    const { hook, toasts, injected, say, idle } = host();
    const task = "Replace $& and $1 by {{MAX}}\n---\nand {{PROMPT}}, too";
    hook.startLoop("s", task);
    say("s", "Working on it.");
    await idle("s");
    expect(hook.getState("s")).toMatchObject({ iteration: 2, lastIterationAt: expect.any(String) });
    const { iteration, maxIterations, completionPromise } = {
      iteration: 2,
      maxIterations: 100,
      completionPromise: "DONE",
    };
    const filled = library.CONTINUATION_PROMPT_TEMPLATE.replace("{{ITERATION}}", String(iteration))
      .replace("{{MAX}}", String(maxIterations))
      .replace("{{PROMISE}}", completionPromise)
      .replace("{{PROMPT}}", () => task);
    expect(injected).toEqual([{ sessionId: "s", prompt: filled }]);
    expect(toasts.at(-1)).toEqual({ title: "Ralph Loop", message: "Iteration 2/100", variant: "info", duration: 2000 });
  });

  it("should stop at max iterations", async () => {
    const { hook, toasts, injected, say, idle } = host();
    hook.startLoop("s", "Do it", { maxIterations: 2 });
    for (const words of ["Working on it.", "Still at it."]) {
      say("s", words);
      await idle("s");
    }
    expect([hook.getState(), injected.length]).toEqual([null, 1]);
    expect(toasts.at(-1)).toEqual({
      title: "Ralph Loop Stopped",
      message: "Max iterations (2) reached without completion",
      variant: "warning",
      duration: 5000,
    });
  });

  it("should cancel on user abort", async () => {
    const { hook, injected, say, idle, error } = host();
    hook.startLoop("s", "Do it");
    await error("s", { name: "MessageAbortedError" });
    expect(hook.getState()).toBeNull();
    say("s", "I was cut sh");
    await idle("s");
    expect(injected).toEqual([]);
  });

  it("should skip during recovery", async () => {
    const { hook, injected, lines, say, idle, error } = host();
    hook.startLoop("s", "Do it");
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      say("s", "Working on it.");
      await error("s", { name: "ProviderError", data: { message: "overloaded" } });
      const looked = idle("s");
      await vi.advanceTimersByTimeAsync(4_900);
      await looked;
      expect([hook.getState("s")?.iteration, injected]).toEqual([1, []]);
      expect(lines.at(-1)).toContain("[ralph-loop] Skipped: in recovery");
      await vi.advanceTimersByTimeAsync(200);
      await vi.waitFor(async () => {
        await vi.advanceTimersByTimeAsync(10);
        expect(injected).toHaveLength(1);
      }, PATIENT);
      expect(hook.getState("s")?.iteration).toBe(2);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("Ralph Loop Integration", () => {
  it("should complete after agent outputs promise", async () => {
    const { hook, titles, say, idle } = host();
    expect(await hook.beginLoop("s", "Do it")).toMatchObject({
      started: true,
      prompt: expect.stringContaining("Do it"),
    });
    say("s", "Working on it.");
    await idle("s");
    say("s", "All done.\n\n<promise>DONE</promise>");
    await idle("s");
    expect(titles()).toEqual(["Ralph Loop Started", "Ralph Loop", "Ralph Loop Complete!"]);
  });

  it("should continue for multiple iterations", async () => {
    const { hook, injected, say, idle } = host();
    await hook.beginLoop("s", "Do it", { maxIterations: 5 });
    for (let n = 1; n < 5; n++) {
      say("s", `Step ${n}.`);
      await idle("s");
    }
    expect(injected.map(({ prompt }) => prompt.split("\n")[0])).toEqual(
      [2, 3, 4, 5].map((n) => `[RALPH LOOP - ITERATION ${n}/5]`),
    );
  });

  it("should persist state across restarts", async () => {
    const first = host();
    first.hook.startLoop("s", "Do it", { maxIterations: 9 });
    first.say("s", "Working on it.");
    await first.idle("s");
    first.hook.close();
    const second = host({}, first);
    expect(second.hook.getState()).toMatchObject({ iteration: 2, maxIterations: 9, prompt: "Do it", sessionId: "s" });
    second.messages("s").push(...first.messages("s"), { role: "assistant", content: "<promise>DONE</promise>" });
    await second.idle("s");
    expect(second.titles()).toEqual(["Ralph Loop Complete!"]);
  });
});
