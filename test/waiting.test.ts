import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { type Running, type Sandbox, sandbox } from "./support/sandbox.ts";

const UNTIL = /waiting until (?:\w+ )?\d\d:\d\d \(.+ left\)/;
const WAIT = new RegExp(`${UNTIL.source}: rate-limited: 5-hour limit`);

interface Status {
  id: string;
  status: string;
  waitUntilMs: number;
  holder: string;
  reason: string | null;
}
const statusOf = async (box: Sandbox) => (await box.json("status", "last")) as Status;

/** A loop that waits for a usage limit. */
async function waiting(retryAfter: string): Promise<{ box: Sandbox; run: Running }> {
  const box = sandbox();
  box.write(
    "s.yaml",
    `iterations:
  - steps: [{ fail: { kind: rate-limited, detail: 5-hour limit, retryAfter: ${retryAfter} } }]
    retry: [{ say: <promise>DONE</promise> }]
`,
  );
  const run = box.start(["run", "--prompt", "x", "--scenario", "s.yaml"]);
  await run.saw("waiting until");
  return { box, run };
}

test("every view shows a wait, and a cancel ends it at once", async () => {
  const { box, run } = await waiting("1h");
  for (const view of [["status"], ["status", "last"], ["why"]]) {
    expect((await box.ralph(...view)).stdout, view.join(" ")).toMatch(WAIT);
  }
  expect((await box.ralph("list")).stdout).toMatch(new RegExp(`${UNTIL.source} +1/10 `));
  expect(await statusOf(box)).toMatchObject({ status: "waiting", held: true, reason: null });
  expect((await box.ralph("cancel")).code).toBe(0);
  const { code, stderr } = await run.ended;
  expect(code).toBe(130);
  expect(stderr).toMatch(WAIT);
  expect(await statusOf(box)).toMatchObject({ status: "stopped", reason: "cancelled", waitUntilMs: null });
});

full("a loop whose driver was killed in a wait continues to wait until the same time", async () => {
  const { box, run } = await waiting("1h");
  const { waitUntilMs } = await statusOf(box);
  run.child.kill("SIGKILL");
  await run.ended;
  expect((await box.ralph("status", "last")).stdout).toContain("but its driver is gone");
  const resumed = box.start(["resume"]);
  await resumed.saw(WAIT);
  expect(await statusOf(box)).toMatchObject({ status: "waiting", waitUntilMs });
  resumed.child.kill("SIGINT");
  expect((await resumed.ended).code).toBe(130);
  // Nothing was retried meanwhile.
  expect(await box.json("why")).toMatchObject({ iterations: [{ n: 1, attempt: 1 }] });
});
