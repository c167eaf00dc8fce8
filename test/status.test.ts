import { expect, onTestFinished, test } from "vitest";
import { type Sandbox, sandbox } from "./support/sandbox.ts";
import { loopYaml, withWorkflows } from "./support/workflow-box.ts";

const WAIT = 'while [ ! -e "$1" ]; do sleep 0.05; done';

/** One iteration fails its check, and the next one is in the middle of a tool. */
const PLAN = `
iterations:
  - steps:
      - usage: { inputTokens: 2000, costUsd: 0.5 }
      - append: { path: work.txt, content: x }
      - say: <promise>DONE</promise>
  - steps:
      - usage: { inputTokens: 1000, costUsd: 0.25 }
      - run: wait-for go
      - append: { path: work.txt, content: y }
      - say: <promise>DONE</promise>
`;

const ACTIVITY = { is: "agent", tool: "shell wait-for go", names: [] };

const rowsOf = (stdout: string) =>
  Object.fromEntries(stdout.split("\n").map((line) => [line.slice(0, 9).trim(), line.slice(10)]));

async function shown(box: Sandbox, pattern: RegExp): Promise<string> {
  for (;;) {
    const { stdout } = await box.ralph("status", "last");
    if (pattern.test(stdout)) return stdout;
  }
}

test("a running loop shows its tool, last verdict, failing check, cost and limits; then its checks", async () => {
  const box = sandbox();
  box.program("wait-for", WAIT);
  box.program("checked", "[ -e go ] || exit 1; wait-for on; false");
  box.write("s.yaml", PLAN);
  const limits = ["-m", "2", "--timeout", "2h", "--max-cost", "5"];
  const run = box.start(["run", "--prompt", "x", "--scenario", "s.yaml", "--verify", "checked", ...limits]);
  await run.saw("wait-for go");
  expect(await box.json("status", "last")).toMatchObject({
    activity: ACTIVITY,
    lastVerdict: { iteration: 1, is: "fail", failing: ["checked"] },
    costUsd: 0.75,
    tokens: 3_000,
    spent: { costUsd: 0.75 },
    left: { iterations: 1, costUsd: 4.25, tokens: null, ms: expect.any(Number) },
  });
  const rows = rowsOf((await box.ralph("status", "last")).stdout);
  expect(rows).toMatchObject({
    now: expect.stringMatching(/^shell wait-for go \(turn began \d+m?s ago\)$/),
    verdict: expect.stringMatching(/^not proven in iteration 1: /),
    failing: "checked",
    spent: "3000 tokens, $0.75",
    left: expect.stringMatching(/^1 iteration, 1h 59m, \$4\.25$/),
  });
  const all = (await box.ralph("status")).stdout;
  expect(all).toMatch(
    /\n {4}shell wait-for go \(turn .*\) · not proven in iteration 1: checked · \$0\.75 · 1 iteration, 1h 59m, \$4\.25 left\n$/,
  );

  box.write("go", "");
  expect(await shown(box, /\nnow +checks/)).toMatch(/\nnow +checks for \d+m?s: checked\n/);
  box.write("on", "");
  await run.ended;
  const { stdout } = await box.ralph("status", "last");
  expect(stdout).not.toMatch(/^(now|verdict|failing|left) /m);
  expect(await box.json("status", "last")).not.toHaveProperty("activity");
});

test("a workflow shows what its loop does and costs while it runs", async () => {
  const box = withWorkflows(onTestFinished, { w: loopYaml("w", { until: "COMPLETE" }) });
  box.program("wait-for", WAIT);
  box.write("s.yaml", PLAN.replaceAll("DONE", "NOTYET"));
  const run = box.start(["workflow", "run", "w", "--scenario", "s.yaml"]);
  await run.saw("wait-for go");
  const [
    {
      run: { run: id },
    },
  ] = (await box.json("status")) as [{ run: { run: string } }];
  expect(await box.json("status", id)).toMatchObject({ costUsd: 0.75, loops: [{ activity: ACTIVITY, costUsd: 0.75 }] });
  const { stdout } = await box.ralph("status", id);
  expect(stdout).toMatch(/^spent +\$0\.75$/m);
  expect(stdout).toMatch(/^ {4}shell wait-for go /m);
  expect((await box.ralph("status")).stdout).toMatch(/^ {2}\w+: w, running, iteration 2\/10, .*, \$0\.75/m);
  expect((await box.ralph("workflow", "runs")).stdout).toContain(" $0.75 ");
  await box.ralph("cancel", id);
  await run.ended;
});
