import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { expectNothingLeft } from "./support/leftovers.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const DONE = "<promise>DONE</promise>";
/** An agent that keeps its prompts, and claims each time. */
const KEEPING = `printf '%s' "$1" > "prompt-$RALPH_ITERATION"; echo '${DONE}'`;

interface Guardrail {
  command: string;
  failAction?: string;
  hint?: string;
  parallel?: boolean;
  timeout?: number;
}

function guarded(guardrails: readonly Guardrail[], more: object = {}): Sandbox {
  const box = sandbox();
  box.program("agent", KEEPING);
  box.write(
    ".ralph/settings.json",
    JSON.stringify({ guardrails, agent: { command: "agent" }, graceMs: 50, memory: false, ...more }),
  );
  return box;
}

const run = (box: Sandbox, ...args: string[]) => box.ralph("run", "--prompt", "The task.", "-m", "2", ...args);
const logsOf = (box: Sandbox) => readdirSync(box.path(".ralph")).filter((name) => name.startsWith("guardrail_"));

test("the next prompt has command, exit code, log, cut output and hint; passing checks do not help", async () => {
  const command = "seq 1 1000; echo to stderr >&2; exit 3";
  const box = guarded([{ command, hint: "Run `npm run fix` first." }], { outputTruncateChars: 90 });
  const { code, stderr } = await run(box, "--verify", "true");
  expect(code).toBe(1);
  expect(stderr).not.toContain("proven");
  const log = box.path(".ralph/guardrail_1_seq_1_1000_echo_to_stderr_2_exit_3.log");
  const whole = `${Array.from({ length: 1_000 }, (_, i) => `${i + 1}\n`).join("")}to stderr\n`;
  expect([...readFileSync(log, "utf8")].sort().join("")).toBe([...whole].sort().join(""));
  const prompt = box.read("prompt-2");
  const [before, output = ""] = prompt.split("\nOutput:\n");
  expect(before).toBe(
    `The task.\n\nGuardrail failed after iteration 1.\nCommand: ${command}\nResult: exit code 3\nFull output: ${log}`,
  );
  const [head = "", marker, tail = ""] = output.split(/\n(… \d+ characters left out …)\n/);
  expect(marker).toBe(`… ${whole.length - 90} characters left out …`);
  expect(whole.startsWith(head)).toBe(true);
  expect(head).toHaveLength(30);
  expect(tail).toMatch(/\n\nHint: Run `npm run fix` first\.\n\n## Completion\n/);
  expect(box.read("prompt-1")).not.toContain("Guardrail");
});

full.each<[string, string[], RegExp]>([
  ["APPEND", ["APPEND"], /^The task\.\n\nG.*echo 0.*## Completion/s],
  ["PREPEND", ["PREPEND"], /^G.*echo 0.*\n\nThe task\.\n\n## Completion/s],
  ["REPLACE", ["REPLACE"], /^G.*echo 0(?!.*The task).*\n\n## Completion/s],
  [
    "all of them together",
    ["APPEND", "REPLACE", "PREPEND", "APPEND", "PREPEND", "REPLACE"],
    /^G.*echo 2.*echo 4.*echo 1.*echo 5.*echo 0.*echo 3(?!.*The task).*\n\n## Completion/s,
  ],
])("the feedback with %s", async (_name, actions, told) => {
  const box = guarded(actions.map((failAction, i) => ({ command: `echo ${i}; exit 1`, failAction, parallel: i > 2 })));
  const { stderr } = await run(box);
  expect(box.read("prompt-2")).toMatch(told);
  expect(stderr.match(/✗ a guardrail failed: completion refused \((\w+)\)/g)?.slice(0, actions.length)).toEqual(
    actions.map((action) => `✗ a guardrail failed: completion refused (${action})`),
  );
});

/** Ends only when this many of its kind have started. */
const meeting = (name: string, many: number) =>
  `touch here-${name}; until [ "$(ls here-* | wc -l)" -ge ${many} ]; do sleep 0.05; done`;
const until = (file: string) => `until [ -e ${file} ]; do sleep 0.05; done`;

full("adjacent parallel guardrails run at the same time, the others alone and in order", async () => {
  const box = guarded([
    { command: `${meeting("a", 3)}; ${until("c-told")}; echo a >> ends`, parallel: true },
    { command: `${meeting("b", 3)}; echo b >> ends; exit 4`, parallel: true },
    { command: `${meeting("c", 3)}; ${until("b-told")}; echo c >> ends`, parallel: true },
    { command: "cat ends > seen; sleep 0.1; echo d >> ends", hint: "alone" },
    { command: "cat ends >> seen; exit 5", parallel: true },
  ]);
  const running = box.start(["run", "--prompt", "The task.", "-m", "1"]);
  for (const [name, line] of [
    ["b", "✗ guardrail: touch here-b"],
    ["c", "✓ guardrail: touch here-c"],
  ] as const) {
    await running.saw(line);
    box.write(`${name}-told`, "");
  }
  const { stderr } = await running.ended;
  expect(box.read("seen")).toBe("b\nc\na\nb\nc\na\nd\n");
  const why = (await box.json("why")) as { iterations: { guards: { code: number; log: string }[] }[] };
  const guards = why.iterations[0]?.guards ?? [];
  expect(guards.map(({ code }) => code)).toEqual([0, 4, 0, 0, 5]);
  expect(new Set(guards.map(({ log }) => log)).size).toBe(5);
  // Started in order, reported as they end, and vetoed in order.
  const lines = stderr.split("\n").filter((line) => /guardrail:|refused|feedback/.test(line));
  expect(
    lines.map((line) =>
      line
        .trim()
        .replace(/(guardrail|feedback): (.{12}).*/, "$1 $2")
        .slice(0, 26),
    ),
  ).toEqual([
    "… guardrail touch here-a",
    "… guardrail touch here-b",
    "… guardrail touch here-c",
    "✗ guardrail touch here-b",
    "✓ guardrail touch here-c",
    "✓ guardrail touch here-a",
    "… guardrail cat ends > s",
    "✓ guardrail cat ends > s",
    "… guardrail cat ends >> ",
    "✗ guardrail cat ends >> ",
    "✗ a guardrail failed: comp",
    "→ feedback touch here-b",
    "✗ a guardrail failed: comp",
    "→ feedback cat ends >> ",
  ]);
});

full("at most four run at the same time", async () => {
  // None ends before four have met; a fifth would have had time to join them.
  const meet = `until [ -e met ]; do [ "$(ls on-* | wc -l)" -lt 4 ] || touch met; sleep 0.02; done`;
  const counting = (i: number) => `touch on-${i}; ${meet}; sleep 0.2; ls on-* | wc -l >> counts; rm on-${i}`;
  const box = guarded(Array.from({ length: 9 }, (_, i) => ({ command: counting(i), parallel: true })));
  expect((await run(box)).code).toBe(0);
  const counts = box.read("counts").trim().split(/\s+/).map(Number);
  expect(counts).toHaveLength(9);
  expect(Math.max(...counts)).toBe(4);
});

const LONG = `test -n "${"x".repeat(60)}"`;

full.each([false, true])("each has its own log, for any name (parallel: %s)", async (parallel) => {
  const commands = ["echo a/b", "echo a-b", "echo A-B", `${LONG}; echo 1`, `${LONG}; echo 2`, "!"];
  const box = guarded(commands.map((command) => ({ command, parallel })));
  await run(box, "-m", "1");
  const cut = `guardrail_1_test_n_${"x".repeat(43)}`;
  const logs = Object.fromEntries(logsOf(box).map((name) => [name, box.read(`.ralph/${name}`)]));
  expect(logs).toEqual({
    "guardrail_1_echo_a_b.log": "a/b\n",
    "guardrail_1_echo_a_b_2.log": "a-b\n",
    "guardrail_1_echo_A_B_3.log": "A-B\n",
    [`${cut}.log`]: "1\n",
    [`${cut}_2.log`]: "2\n",
    "guardrail_1_command.log": expect.any(String),
  });
});

full("another loop's log is not changed", async () => {
  const box = guarded([
    { command: "cat word", parallel: true },
    { command: "cat  word", parallel: true },
  ]);
  for (const word of ["first", "second"]) {
    box.write("word", word);
    await run(box, "-q");
  }
  expect(box.read(".ralph/guardrail_1_cat_word.log")).toBe("first");
  expect(logsOf(box)).toHaveLength(4);
});

test("one that hangs is ended with all its processes, the others are not, and the agent is told", async () => {
  const box = guarded([
    { command: "trap '' INT TERM; setsid sleep 300 & sleep 300 & sleep 300", parallel: true, timeout: 0.3 },
    { command: `${until("told")}; echo unharmed > neighbour`, parallel: true },
  ]);
  const running = box.start(["run", "--prompt", "The task.", "-m", "2"]);
  await running.saw("timed out after 300ms");
  box.write("told", "");
  const { code, stderr } = await running.ended;
  expect(code).toBe(1);
  expect(stderr).toContain("timed out after 300ms");
  expect(box.read("prompt-2")).toContain("Result: timed out after 300ms\n");
  expect(box.read("neighbour")).toBe("unharmed\n");
  await expectNothingLeft(box);
});

full("a stop ends all of them, starts no more, and a resume runs them again without the agent", async () => {
  const slow = (name: string) => `[ -e go ] || { touch began-${name}; setsid sleep 300 & sleep 300; }`;
  const box = guarded([..."abcdef"].map((name) => ({ command: slow(name), parallel: true })));
  box.program("agent", `echo ran >> runs; echo '${DONE}'`);
  const running = box.start(["run", "--prompt", "x"]);
  await expect.poll(() => [..."abcd"].every((name) => box.exists(`began-${name}`))).toBe(true);
  running.child.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  expect(box.exists("began-e")).toBe(false);
  await expectNothingLeft(box);
  box.write("go", "");
  expect((await box.ralph("resume", "-q")).code).toBe(0);
  expect(box.read("runs")).toBe("ran\n");
});

full("a log that cannot be written stops the loop once the others have ended", async () => {
  const box = guarded([
    { command: "head -c 9000000 /dev/zero", parallel: true },
    { command: "sleep 0.5; touch ended", parallel: true },
  ]);
  const { code, stderr } = await box.shell('ulimit -f 6000; exec "$@"', "run", "--prompt", "x").ended;
  expect(stderr).toMatch(
    /error: cannot write .*guardrail_1_head_c_9000000_dev_zero\.log: EFBIG.*\n {2}help: .*ralph resume/,
  );
  expect(code).toBe(1);
  expect(box.exists("ended")).toBe(true);
  await expectNothingLeft(box);
});

const MB = 2 ** 20;
const MANY_MB = 400;
const MOST_MB = 200;

full("a flood of output goes to the log, an excerpt to the agent, and hardly any into memory", async () => {
  const box = guarded([
    { command: `head -c ${MANY_MB * MB} /dev/zero | tr '\\0' x; exit 1`, parallel: true },
    { command: "true", parallel: true },
  ]);
  // Only the first round is needed: the second would repeat it.
  box.program("agent", `${KEEPING}; [ "$RALPH_ITERATION" = 1 ] || { echo 'at work'; exec sleep 300; }`);
  const running = box.start(["run", "--prompt", "x", "-m", "2", "--stuck-after", "0"]);
  await running.saw("at work");
  const peakMb = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${running.child.pid}/status`, "utf8"))?.[1]) / 1024;
  running.child.kill("SIGINT");
  await running.ended;
  expect(peakMb).toBeGreaterThan(20);
  expect(peakMb).toBeLessThan(MOST_MB);
  const log = logsOf(box).find((name) => name.startsWith("guardrail_1_head"));
  expect(statSync(join(box.path(".ralph"), log ?? "")).size).toBe(MANY_MB * MB);
  expect(box.read("prompt-2").length).toBeLessThan(8_000);
  expect(box.read("prompt-2")).toContain(`… ${MANY_MB * MB - 5_000} characters left out …`);
});
