import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { sandbox } from "./support/sandbox.ts";

const heading = (n: number, attempt = 1) => `── iteration ${n}, attempt ${attempt} ──\n`;

test("shows every attempt's own output, also of several drivers", async () => {
  const box = sandbox();
  // The first driver is stopped in the middle of iteration 2.
  box.program(
    "counter",
    'echo "iteration $RALPH_ITERATION.$RALPH_ATTEMPT"\n[ "$RALPH_ITERATION.$RALPH_ATTEMPT" = 2.1 ] && sleep 60\n:',
  );
  const first = box.start(["run", "--prompt", "x", "--agent", "counter", "-m", "3"]);
  await first.saw("iteration 2.1");
  first.child.kill("SIGINT");
  expect((await first.ended).code).toBe(130);
  expect((await box.ralph("resume")).code).toBe(1);
  const { stdout } = await box.ralph("logs");
  expect(stdout).toBe(
    `${heading(1)}iteration 1.1\n${heading(2)}iteration 2.1\n${heading(2, 2)}iteration 2.2\n${heading(3)}iteration 3.1\n`,
  );
  expect((await box.ralph("logs", "last", "--iteration", "3")).stdout).toBe(`${heading(3)}iteration 3.1\n`);
});

full("makes a structured stream readable, and shows it raw when asked", async () => {
  const box = sandbox();
  box.write("s.yaml", "iterations:\n  - steps:\n      - run: echo hidden\n      - say: Hello.\n");
  await box.ralph("run", "--prompt", "x", "--scenario", "s.yaml", "-m", "2", "-q");
  const { stdout } = await box.ralph("logs");
  expect(stdout).toBe([1, 2].map((n) => `${heading(n)}  → shell echo hidden\nHello.\n`).join(""));
  const raw = await box.ralph("logs", "--raw", "--iteration", "2");
  expect(raw.stdout).toContain('{"type":"tool.returned","summary":"exit 0\\nhidden\\n"}');
});

test("follows a running loop to its end, each line once", async () => {
  const box = sandbox();
  // Each iteration continues once its first line was followed, and its last lines arrive in pieces.
  box.program(
    "agent",
    `echo "$RALPH_ITERATION:1"; until [ -e "go-$RALPH_ITERATION" ]; do sleep 0.02; done
for i in 2 3; do echo "$RALPH_ITERATION:$i"; sleep 0.1; done`,
  );
  const run = box.start(["run", "--prompt", "x", "--agent", "agent", "-m", "3"]);
  await run.saw("1:1");
  const follower = box.start(["logs", "-f"]);
  for (const n of [1, 2, 3]) {
    await follower.saw(`${n}:1`);
    box.write(`go-${n}`, "");
  }
  const { stdout } = await follower.ended;
  expect((await run.ended).code).toBe(1);
  const lines = [1, 2, 3].map((n) => heading(n) + [1, 2, 3].map((i) => `${n}:${i}\n`).join(""));
  expect(stdout).toBe(lines.join(""));
});

full("says if there is nothing to show", async () => {
  const box = sandbox();
  box.program("agent", ":");
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "-m", "1", "-q");
  const { code, stderr } = await box.ralph("logs", "--iteration", "7");
  expect(code).toBe(1);
  expect(stderr).toContain("has no iteration 7");
});

full("output that cannot be made readable is reported", async () => {
  const box = sandbox();
  box.program("claude", "echo plain text");
  await box.ralph("run", "--prompt", "x", "--agent", "claude", "-m", "1", "-q");
  const { stdout, stderr } = await box.ralph("logs");
  expect(stdout).toBe(heading(1));
  expect(stderr).toMatch(/^\(ralph logs \w{8} --raw shows output that could not be formatted\)$/m);
  const raw = await box.ralph("logs", "--raw");
  expect(raw).toMatchObject({ stdout: `${heading(1)}plain text\n`, stderr: "" });
});
