import { expect, test } from "vitest";
import type { Entry, LoopEvent } from "../src/core/loop/events.ts";
import { full, sampled } from "./support/effort.ts";
import { linesOf } from "./support/json-lines.ts";
import { expectNothingLeft } from "./support/leftovers.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const DONE = "<promise>DONE</promise>";
const SCRIPTED = (scenario: string) => ({ command: "scripted", flags: [scenario] });
const limited = (retryAfter: string, kind = "rate-limited") =>
  `{ fail: { kind: ${kind}, detail: come back, retryAfter: ${retryAfter} } }`;

const WORK = "{ write: { path: work, content: done } }";

function withSettings(settings: object): Sandbox {
  const box = sandbox();
  box.write(".ralph/settings.json", JSON.stringify(settings));
  return box;
}

/** The journal of a run with `--json`, without its last line, the result. */
const entriesOf = (stdout: string) => linesOf(stdout).slice(0, -1) as Entry[];
const ofType = <Type extends LoopEvent["type"]>(entries: readonly Entry[], type: Type) =>
  entries.filter((entry): entry is Entry & { event: LoopEvent & { type: Type } } => entry.event.type === type);
const turnsOf = (entries: readonly Entry[]) =>
  ofType(entries, "turn.began").map(({ event }) => `${event.n}.${event.attempt} by ${event.agent}`);

full("the second agent takes over at once while the first is limited, and uses no iteration", async () => {
  const box = withSettings({ agents: [SCRIPTED("s.yaml"), { command: "second" }], maximumIterations: 2 });
  box.write("s.yaml", `iterations:\n  - steps: [{ say: I am the first }, ${limited("1h")}]\n`);
  box.program("second", `echo "{I am plain text}"; [ "$RALPH_ITERATION" = 1 ] || echo '${DONE}'`);
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--verify", "true");
  expect(code).toBe(0);
  expect(stderr).toMatch(/agent scripted, then second/);
  expect(stderr.match(/── .* ──|scripted is limited.*/g)).toEqual([
    "── iteration 1/2, scripted ──",
    expect.stringMatching(/limited until .*, second takes over \(rate-limited: come back\) \(uses no iteration\)$/),
    "── iteration 1/2, attempt 2, second ──",
    "── iteration 2/2, second ──",
  ]);
  const logs = await box.ralph("logs");
  expect(logs.stdout).toBe(
    `── iteration 1, attempt 1 ──\nI am the first\n  ✗ rate-limited: come back\n── iteration 1, attempt 2 ──\n{I am plain text}\n── iteration 2, attempt 1 ──\n{I am plain text}\n${DONE}\n`,
  );
  const { stdout } = await box.ralph("why");
  expect(stdout).toMatch(/iteration 1 \(scripted\)\n {2}void {6}rate-limited: come back\n/);
  expect(stdout).toMatch(/iteration 1, attempt 2 \(second\)\n {2}claim {5}none\n/);
  expect(stdout).toMatch(/iteration 2 \(second\)\n {2}claim .*\(the agent's output, characters/);
});

test("if all agents are limited the loop waits for the earliest reset", async () => {
  const box = withSettings({ agents: [SCRIPTED("a.yaml"), SCRIPTED("b.yaml")] });
  box.write("a.yaml", `iterations:\n  - steps: [${limited("1h")}]\n`);
  box.write("b.yaml", `iterations:\n  - steps: [{ run: mv then.yaml b.yaml }, ${limited("1s")}]\n`);
  box.write("then.yaml", `iterations:\n  - steps: [${WORK}, { say: ${DONE} }]\n`);
  const { code, stdout } = await box.ralph("run", "--prompt", "x", "--json");
  expect(code).toBe(0);
  const entries = entriesOf(stdout);
  expect(turnsOf(entries)).toEqual(["1.1 by 0", "1.2 by 1", "1.3 by 1"]);
  const [, second] = ofType(entries, "turn.voided");
  expect(ofType(entries, "turn.began")[2]?.atMs).toBeGreaterThanOrEqual(second?.event.retryAtMs ?? Number.NaN);
});

full("the preferred agent gets the next turn after its reset", async () => {
  const box = withSettings({ agents: [SCRIPTED("s.yaml"), { command: "second" }] });
  box.write("s.yaml", `iterations:\n  - steps: [${limited("100ms")}]\n  - steps: [${WORK}, { say: ${DONE} }]\n`);
  box.program("second", "sleep 1.5");
  const { stdout } = await box.ralph("run", "--prompt", "x", "--json");
  expect(turnsOf(entriesOf(stdout))).toEqual(["1.1 by 0", "1.2 by 1", "2.1 by 0"]);
});

full("a missing login is not a limit: the loop stops, even with another agent", async () => {
  const box = withSettings({ agents: [SCRIPTED("s.yaml"), { command: "second" }] });
  box.write("s.yaml", "iterations:\n  - fail: { kind: auth, detail: please log in }\n");
  box.program("second", `echo '${DONE}'`);
  expect((await box.ralph("run", "--prompt", "x")).stderr).toContain("■ auth: please log in");
});

const COUNTING = "n=$(cat ../n 2>/dev/null || echo 0); echo $((n + 1)) > ../n";

interface Made {
  git: boolean;
  agent?: string;
  scenario?: string;
  guardrail?: string;
}

/** Whether it is stuck after two iterations without progress, or continues to its fourth. */
sampled(2).each<[string, Made, string]>([
  ["the same is done again in a repository", { git: true, agent: "echo same > file" }, "stuck"],
  [
    "the agent commits",
    { git: true, agent: "echo more >> file; git add file; git commit -qm more" },
    "iteration-limit",
  ],
  ["an ignored file changes", { git: true, agent: "echo '*' > .gitignore; echo more >> file" }, "stuck"],
  ["other tools are used", { git: true, scenario: "- run: 'true'\n  - run: ':'\nafterLast: loop" }, "iteration-limit"],
  ["the same tools are used", { git: true, scenario: "- run: 'true'" }, "stuck"],
  [
    "the failing result changes",
    { git: true, agent: "echo hm", guardrail: `${COUNTING}; exit $((n + 1))` },
    "iteration-limit",
  ],
  ["the same guardrail fails", { git: true, agent: "echo hm", guardrail: `${COUNTING}; exit 1` }, "stuck"],
  ["the tree is unknown", { git: false, agent: "echo hm" }, "iteration-limit"],
  ["only questions are asked", { git: false, scenario: "- say: Which database shall I use?" }, "stuck"],
])("stuck or not when %s", async (_name, made, reason) => {
  const { code, stderr } = await madeNothing(made, "-m", "4", "--stuck-after", "2").run;
  // The first iteration has no earlier one to compare with; a first guardrail creates the folder of its logs.
  expect(stderr).toMatch(
    reason === "stuck" ? /■ stuck: 2 iterations without new work, same result \([34] / : /■ iteration-limit: 4 of 4/,
  );
  expect(code).toBe(1);
});

/** A loop that continues without a claim. */
function madeNothing({ git, ...made }: Made, ...args: string[]) {
  const box = withSettings(made.guardrail ? { guardrails: [{ command: made.guardrail }] } : {});
  if (git) box.initGit();
  box.program("agent", made.agent ?? "");
  box.write("../s.yaml", `iterations:\n  ${made.scenario}\n`);
  const who = made.scenario ? ["--scenario", "../s.yaml"] : ["--agent", "agent"];
  return { box, run: box.ralph("run", "--prompt", "x", ...who, ...args) };
}

full("by default a loop has ten iterations", async () => {
  const { code, stderr } = await madeNothing({ git: true, agent: "echo more >> file" }).run;
  expect(stderr).toMatch(/■ iteration-limit: 10 of 10/);
  expect(code).toBe(1);
});

full("by default a loop is stuck after five iterations without progress, and says what to do", async () => {
  const { box, run } = madeNothing({ git: true, agent: "echo hm" });
  const { code, stderr } = await run;
  expect(code).toBe(1);
  expect(stderr).toMatch(/■ stuck: 5 iterations without new work, same result \(6 iterations/);
  expect(stderr).toMatch(
    /next: ralph logs \w+ \(does it ask something\?\), then a new loop with another prompt or other checks/,
  );
  expect((await box.ralph("why")).stdout).toMatch(
    /^■ stuck: .*\n {2}decided: .*\n {2}next: ralph logs \w+ \(does it ask/,
  );
});

sampled(1).each<[string, string, number]>([
  ["one wait", limited("1h"), 1],
  ["several waits together", limited("0s"), 2],
])("%s longer than maxWaitMs end the loop without waiting", async (_name, step, attempts) => {
  const box = withSettings({ maxWaitMs: 2_000 });
  box.write("s.yaml", `iterations:\n  - steps: [${step}]\n`);
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--scenario", "s.yaml");
  expect(stderr).toMatch(/■ wait-limit: come back \(0 iterations.*\n {2}next: ralph resume \w+, later/);
  expect(stderr.match(/── iteration/g)).toHaveLength(attempts);
  expect(code).toBe(1);
});

full("a wait that outlived its driver can be cancelled", async () => {
  const box = sandbox();
  box.write("s.yaml", `iterations:\n  - steps: [${limited("1h")}]\n`);
  const run = box.start(["run", "--prompt", "x", "--scenario", "s.yaml"]);
  await run.saw("waiting until");
  expect(await box.json("status", "last")).toMatchObject({ status: "waiting", iteration: 1 });
  run.child.kill("SIGKILL");
  await run.ended;
  expect((await box.ralph("cancel")).stdout).toMatch(/^Cancelled Ralph loop/);
  expect(await box.json("status", "last")).toMatchObject({ status: "stopped", reason: "cancelled", waitUntilMs: null });
  await expectNothingLeft(box);
});

full("an overload: retried with increasing delays, without using an iteration", async () => {
  const box = sandbox();
  const failing = (next: string) => `iterations:\n  - steps: [{ run: mv ${next} s.yaml }, { fail: overloaded }]\n`;
  box.write("s.yaml", failing("then.yaml"));
  box.write("then.yaml", failing("done.yaml"));
  box.write("done.yaml", `iterations:\n  - steps: [${WORK}, { say: ${DONE} }]\n`);
  const run = await box.ralph("run", "--prompt", "x", "--scenario", "s.yaml", "-m", "1", "--json");
  expect(run).toMatchObject({ code: 0 });
  const entries = entriesOf(run.stdout);
  expect(turnsOf(entries)).toEqual(["1.1 by 0", "1.2 by 0", "1.3 by 0"]);
  const waits = ofType(entries, "turn.voided").map(({ event, atMs }) => (event.retryAtMs ?? Number.NaN) - atMs);
  expect(waits).toHaveLength(2);
  for (const [i, wait] of waits.entries()) {
    // The difference of the two times of an entry is small, but not zero.
    expect(wait).toBeGreaterThan(600 * 2 ** i);
    expect(wait).toBeLessThanOrEqual(2_000 * 2 ** i);
  }
});
