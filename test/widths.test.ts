import { expect, test } from "vitest";
import { onTerminal } from "./support/pty.ts";
import { sandbox } from "./support/sandbox.ts";
import { screenOf } from "./support/terminal.ts";

// Elsewhere `script` has other arguments.
const onTty = test.skipIf(process.platform !== "linux");

const PLAN = `
iterations:
  - steps:
      - usage: { inputTokens: 2000, costUsd: 0.5 }
      - run: wait-for the-test-suite
`;
const TOOL = "shell wait-for the-test-suite";
const TITLE = "Teach the invoice page to show discounts for returning customers";

onTty("at 60 columns the activity stays, and lists break between words", async () => {
  const box = sandbox();
  const size = { columns: 60, rows: 20 };
  box.program("wait-for", 'while [ ! -e "$1" ]; do sleep 0.05; done');
  box.write("s.yaml", PLAN);
  box.write("prompt.md", TITLE);
  const run = onTerminal(box, size, "", "run", "--prompt-file", "prompt.md", "--scenario", "s.yaml", "-m", "1");
  await run.saw(` · ${TOOL}`);
  const status = (await onTerminal(box, size, "NO_COLOR=1", "status").ended).stdout.split("\r\n");
  const one = (await onTerminal(box, size, "NO_COLOR=1", "status", "last").ended).stdout.split("\r\n");
  box.write("the-test-suite", "");
  const { stdout } = await run.ended;
  expect(stdout).toMatch(new RegExp(` iteration 1/1 \\(\\d+s\\) · ${TOOL}\u001b`));
  for (const line of [...status, ...one]) {
    expect(line.length).toBeLessThanOrEqual(Math.max(60, box.cwd.length + 10));
  }
  const joined = (lines: string[]) => lines.map((line) => line.trim()).join(" ");
  expect(joined(status)).toContain(TITLE);
  expect(joined(status)).toContain(TOOL);
  expect(joined(one)).toContain(TITLE);
  const seen = screenOf(stdout, size);
  expect(
    seen
      .slice(0, 2)
      .map((line) => line.trim())
      .join(" "),
  ).toContain("Teach the invoice page");
});
