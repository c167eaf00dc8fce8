import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { inProcess } from "./support/in-process.ts";
import { linesOf } from "./support/json-lines.ts";
import type { Sandbox } from "./support/sandbox.ts";

/** A sandbox with one verified loop in it. */
async function withLoop(): Promise<Sandbox> {
  const box = inProcess();
  box.write(
    "s.yaml",
    "iterations:\n  - say: not yet\n  - steps: [{ write: { path: work, content: x } }, { say: <promise>DONE</promise> }]\n",
  );
  expect((await box.ralph("run", "--prompt", "x", "--scenario", "s.yaml", "--verify", "test -f work")).code).toBe(0);
  return box;
}

test("run prints the journal entry by entry, then the result", async () => {
  const box = inProcess();
  box.program("agent", "echo talk; echo trouble >&2; echo '<promise>DONE</promise>'");
  const { code, stdout, stderr } = await box.ralph(
    "run",
    "--prompt",
    "x",
    "--agent",
    "agent",
    "--verify",
    "echo check",
    "--json",
  );
  const lines = linesOf(stdout) as { event?: { type: string }; type?: string }[];
  expect(lines.map((line) => line.event?.type ?? line.type)).toEqual([
    // Nothing decides `echo check`.
    "checks.unprotected",
    "baseline.taken",
    "turn.began",
    "turn.ended",
    "claim.judged",
    "receipt.made",
    "loop.stopped",
    "result",
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test("every view prints one document", async () => {
  const box = await withLoop();
  const [{ id } = { id: "" }] = (await box.json("list")) as { id: string }[];
  expect(await box.json("status")).toEqual([]);
  expect(await box.json("status", "last")).toMatchObject({ id, reason: "verified" });
  expect(await box.json("why")).toMatchObject({
    id,
    iterations: [
      { n: 1, decision: "continued: no claim" },
      { n: 2, decision: "stopped: verified (1 of 1 checks pass)" },
    ],
  });
  expect(await box.json("doctor")).toContainEqual(expect.objectContaining({ name: "journal", is: "ok" }));
  expect(await box.json("cancel")).toMatchObject({ id, cancelled: false });
});

full("logs prints lines, and so does the resume of a complete loop, which is refused", async () => {
  const box = await withLoop();
  const [logs, resume] = await Promise.all([box.ralph("logs", "--json"), box.ralph("resume", "--json")]);
  expect(linesOf(logs.stdout)).toMatchObject([
    { iteration: 1, attempt: 1, text: "not yet\n" },
    { iteration: 2, attempt: 1, text: "  → write work\n<promise>DONE</promise>\n" },
  ]);
  expect(resume.code).toBe(2);
  expect(resume.stdout + resume.stderr).toContain("loop-complete");
});

full("logs keep characters intact, wherever a long line is cut", async () => {
  const box = inProcess();
  box.program("agent", "yes 'für' | head -n 40000 | tr -d '\\n'");
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "-m", "1", "-q");
  for (const raw of [[], ["--raw"]]) {
    const { stdout } = await box.ralph("logs", "--json", ...raw);
    const texts = (linesOf(stdout) as { text: string }[]).map(({ text }) => text);
    expect(texts.join("") === "für".repeat(40_000)).toBe(true);
  }
});

full("the demo prints lines", async () => {
  const { code, stdout, stderr } = await inProcess().ralph("demo", "--json");
  expect(linesOf(stdout).at(-1)).toMatchObject({ type: "result", reason: "verified", iterations: 3 });
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
});

test.each<[string, string[], number, string]>([
  ["a usage error", ["run", "--nope", "--json"], 2, "usage"],
  ["an unknown command", ["rnu", "--json"], 2, "usage"],
  ["a bad number", ["run", "--prompt", "x", "-m", "0", "--json"], 2, "usage"],
  ["a missing prompt", ["run", "--json"], 2, "prompt-missing"],
  ["a missing agent", ["run", "--prompt", "x", "--agent", "nope", "--json"], 2, "agent-missing"],
  ["an unknown loop", ["status", "nope", "--json"], 2, "loop-unknown"],
  ["no loop to resume", ["resume", "--json"], 2, "loop-unknown"],
  ["no loop to explain", ["why", "--json"], 2, "loop-unknown"],
  ["no loop to cancel", ["cancel", "--json"], 2, "loop-unknown"],
  ["no loop to read", ["logs", "--json"], 2, "loop-unknown"],
])("%s is JSON too", async (_name, args, exitCode, errorCode) => {
  const { code, stdout, stderr } = await inProcess().ralph(...args);
  expect(linesOf(stdout)).toMatchObject([
    { type: "error", code: errorCode, message: expect.any(String), hint: expect.any(String) },
  ]);
  expect(stderr).toMatch(/^error: /);
  expect(code).toBe(exitCode);
});

full("an error in the middle of a loop follows the earlier lines", async () => {
  const box = inProcess();
  box.program("agent", "rm task.md");
  box.write("task.md", "x");
  const { code, stdout } = await box.ralph("run", "--prompt-file", "task.md", "--agent", "agent", "--json");
  const lines = linesOf(stdout) as { event?: { type: string; reason?: string }; type?: string; code?: string }[];
  expect(lines.at(-2)?.event).toMatchObject({ type: "loop.stopped", reason: "interrupted" });
  expect(lines.at(-1)).toMatchObject({ type: "error", code: "prompt-unreadable" });
  expect(code).toBe(2);
});
