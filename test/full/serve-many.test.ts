import { expect, test } from "vitest";
import { sandbox } from "../support/sandbox.ts";
import { loopWorkflow, serving } from "../support/serve.ts";

const CONVERSATIONS = 200;
const PARALLEL = 6;

/** Logs its start and end, so that concurrent turns can be counted. */
const AGENT = `echo + >> beats
echo "<promise>COMPLETE</promise>"
echo - >> beats`;

test("200 conversations at once: no message is lost or out of order, and the limit of concurrent runs is kept", async ({
  onTestFinished,
}) => {
  const box = sandbox(onTestFinished);
  box.program("tiny", AGENT);
  box.write(".ralph/workflows/ralph.yaml", loopWorkflow("ralph", "tiny"));
  const server = await serving(box, ["--max-parallel", String(PARALLEL)]);
  const names = Array.from({ length: CONVERSATIONS }, (_, i) => `c${i}`);
  const runs = await Promise.all(
    names.map(async (conversationId, i) => {
      const answered = (await server.post("/test/message", { conversationId, message: `run ralph: order ${i}` })) as {
        runId: string;
      };
      return answered.runId;
    }),
  );
  expect(new Set(runs).size).toBe(CONVERSATIONS);
  for (let left = CONVERSATIONS; left > 0; ) {
    await new Promise((done) => setTimeout(done, 200));
    const status = (await server.get("/api/status")) as { running: number; runs: Record<string, number> };
    expect(status.running).toBeLessThanOrEqual(PARALLEL);
    left = CONVERSATIONS - (status.runs.completed ?? 0) - (status.runs.failed ?? 0);
  }
  for (const [i, conversation] of names.entries()) {
    const said = await server.talkUntil(conversation, /^\*\*Loop complete\*\*/);
    const wanted = [
      `run ralph: order ${i}`,
      "**Iteration 1/5**",
      "<promise>COMPLETE</promise>",
      "**Loop complete**: ralph (1 iterations)",
    ];
    // Waiting conversations were told so.
    const told = said.map((text) => text.split("\n")[0]).filter((line) => !line?.startsWith("**Queued**"));
    expect(told).toEqual(wanted);
  }
  expect(mostAtOnce(box.read("beats"))).toBeLessThanOrEqual(PARALLEL);
  expect(await server.stop()).toMatchObject({ code: 0 });
});

function mostAtOnce(beats: string): number {
  let [now, most] = [0, 0];
  for (const beat of beats.trim().split("\n")) {
    now += beat === "+" ? 1 : -1;
    most = Math.max(most, now);
  }
  return most;
}
