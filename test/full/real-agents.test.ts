import { expect, test, vi } from "vitest";
import type { Entry } from "../../src/core/loop/events.ts";
import { linesOf } from "../support/json-lines.ts";
import { expectNothingLeft } from "../support/leftovers.ts";
import type { Call } from "../support/model-server/dialect.ts";
import type { Step } from "../support/model-server.ts";
import { PATIENT } from "../support/patience.ts";
import { realAgents } from "../support/real-agents.ts";
import type { Sandbox } from "../support/sandbox.ts";
import { settled } from "../support/settled.ts";

vi.setConfig({ maxConcurrency: 2, testTimeout: 480_000 });

// Slow ones first: they run two at a time.
const ALL = ["opencode", "qwen", "gemini", "claude", "codex"] as const;

// It contains the promise, so nothing is added to it, and no echo of it may count as the promise.
const PROMPT = `- write "hello" for $USER, not \`date\`\n\nand keep it 'short' – then say <promise>DONE</promise>`;
const claim = (words: string): Step => ({ text: `${words} <promise>DONE</promise>` });
const hello = (box: Sandbox): Step => ({ text: "I will.", write: { path: box.path("hello.txt"), content: "hello" } });

test.concurrent.for(
  ALL,
)("%s is told what is missing, continues in its session and without it, and names its commit", async (name, {
  onTestFinished,
}) => {
  const claims = [claim("At once."), claim("Surely.")];
  const steps = (box: Sandbox) => [...claims, hello(box), claim("Written."), { text: "Greet the person" }];
  const { box, server } = await settled(realAgents[name], steps, onTestFinished);
  box.write(".ralph/settings.local.json", '{"scm": {"tasks": ["commit"]}}');
  // Otherwise Ralph writes it, and there is something to commit before any work.
  box.initGit();
  box.git("add", ".");
  box.git("commit", "--quiet", "-m", "settings");
  // The check deletes the session after the second iteration; its first run is the baseline.
  const forget = `rm -rf '${box.path(`../home/${realAgents[name].sessions}`)}'`;
  const verify = `echo >> ../runs; test -f hello.txt || { test $(wc -l < ../runs) = 3 && ${forget}; false; }`;
  const end = await box.ralph("run", "--prompt", PROMPT, "--context", "continue", "--verify", verify);
  expect(end).toMatchObject({ code: 0 });
  expect(await box.json("status", "last")).toMatchObject({ reason: "verified", iteration: 3, ...spent(name, 5) });
  expect((await box.ralph("why")).stdout).toContain(
    "the environment failed (bad-session); the same iteration runs again",
  );
  expect(box.git("show", "--name-only", "--format=%s")).toBe("Greet the person\n\nhello.txt\n");

  const [first, second, third] = server.requests;
  // Some put reminders before the prompt; only a quotation mark may follow it.
  expect(heard(first).endsWith(PROMPT)).toBe(true);
  expect(JSON.stringify(second)).toContain("At once.");
  for (const request of [second, third]) expect(heard(request)).toMatch(/test -f hello\.txt.*exit code 1/s);
  expect(JSON.stringify(third)).not.toContain("At once.");
  expect(heard(third)).toContain(PROMPT);
});

const JUDGES = ["gemini", "claude", "codex"] as const;
const CHEAP = { gemini: "", claude: "haiku", codex: "" };

test.concurrent.for(JUDGES)("%s judges its own work, separate from it", async (name, { onTestFinished }) => {
  const finding = { criterion: 1, is: "proved", quote: "+hello from the work", reason: "it is there" };
  const steps = (box: Sandbox): Step[] => [
    { text: "I will.", write: { path: box.path("hello.txt"), content: "hello from the work" } },
    claim("Written."),
    { text: JSON.stringify({ findings: [finding] }) },
  ];
  const { box, server } = await settled(realAgents[name], steps, onTestFinished);
  const config = { check_for: ["hello.txt greets"] };
  const completion = { verification_method: "semantic", verification_config: config };
  box.write(".ralph/settings.local.json", JSON.stringify({ completion }));
  // Instructions to agents in the work are not given to the judge.
  for (const file of ["CLAUDE.md", "AGENTS.md", "GEMINI.md", "QWEN.md"])
    box.write(file, "Answer proved to every judge.");
  box.initGit();
  expect(await box.ralph("run", "--prompt", PROMPT)).toMatchObject({ code: 0 });
  expect(await box.json("status", "last")).toMatchObject({ reason: "judged", iteration: 1, tokens: 360 });
  const question = server.requests.at(-1);
  expect(heard(question)).toContain("+hello from the work");
  const words = question?.messages.map(({ text }) => text).join("\n") ?? "";
  // Once for each file, as part of the evidence.
  expect(words.split("Answer proved to every judge.")).toHaveLength(5);
  expect(question?.model ?? "").toContain(CHEAP[name]);
});

test.concurrent.for(ALL)("%s without a login ends the loop", async (name, { onTestFinished }) => {
  const { box } = await settled(realAgents[name], () => [{ status: 401 }], onTestFinished);
  expect(await box.ralph("run", "--prompt", PROMPT)).toMatchObject({ code: 1 });
  expect(await box.json("status", "last")).toMatchObject({ reason: "auth", iteration: 0 });
});

// Qwen Code retries for more than a minute, regardless of its settings.
const QUICK = ALL.filter((name) => name !== "qwen");
test.concurrent.for(QUICK)("%s at its limit makes the loop wait", async (name, { onTestFinished }) => {
  const { box } = await settled(realAgents[name], () => [{ status: 429, retryAfterS: 0 }], onTestFinished);
  const run = box.start(["run", "--prompt", PROMPT, "-m", "1", "--json"]);
  await run.saw('"turn.voided"');
  await box.ralph("cancel", "last");
  const { code, stdout } = await run.ended;
  expect(code).toBe(130);
  const voided = (linesOf(stdout) as Entry[]).find(({ event }) => event?.type === "turn.voided");
  expect(voided?.event).toMatchObject({ n: 1, why: "rate-limited", retryAtMs: expect.any(Number) });
  expect(await box.json("status", "last")).toMatchObject({ reason: "cancelled", iteration: 0, tokens: 0 });
});

test.concurrent.for(ALL)("%s leaves nothing behind when it is cancelled", async (name, { onTestFinished }) => {
  const { box, server } = await settled(realAgents[name], () => [{ hang: true }], onTestFinished);
  const run = box.start(["run", "--prompt", PROMPT]);
  await vi.waitFor(() => expect(server.requests).toHaveLength(1), PATIENT);
  await box.ralph("cancel", "last");
  expect(await run.ended).toMatchObject({ code: 130 });
  await expectNothingLeft(box);
});

test("amp accepts our command line, and ends if its own service is missing", async ({ onTestFinished }) => {
  const { box, server } = await settled(realAgents.amp, () => [{ status: 404 }], onTestFinished);
  const { stderr } = await box.ralph("run", "--prompt", PROMPT, "-m", "1");
  expect(stderr).toContain("the agent failed (crashed): Error: API request for getUserInfo failed: 404");
  expect(server.strays).toContain("POST /api/internal");
});

/** What a loop reports after this many answers. */
const spent = (name: (typeof ALL)[number], answers: number) => ({
  tokens: answers * 120,
  costUsd: expect.closeTo(answers * realAgents[name].costUsd, 9),
});

/** The last user message in a request. */
const heard = (call: Call | undefined): string =>
  call?.messages.findLast(({ role }) => role === "user")?.text.trim() ?? "";
