import { expect, test } from "vitest";
import { hosted } from "../../support/hosted.ts";
import type { Step } from "../../support/model-server.ts";
import type { Sandbox } from "../../support/sandbox.ts";

const claim: Step = { text: "Done.\n\n<promise>DONE</promise>" };

test.concurrent.for([
  "claude",
  "codex",
] as const)("a loop of %s continues without it in the same session, and back in another one", async (name, {
  onTestFinished,
}) => {
  const write = (box: Sandbox, file: string): Step => ({
    text: "Writing.",
    write: { path: box.path(file), content: "x" },
  });
  const steps = (box: Sandbox) => [claim, write(box, "one"), claim, write(box, "two"), claim];
  const { box, server, say, status } = await hosted(name, steps, onTestFinished);
  const { session } = await say('/ralph "Write the files" --verify "test -f one && test -f two" --max-iterations 1');
  expect(await status()).toMatchObject({ reason: "iteration-limit", sessionId: session, driver: "host" });

  const resumed = await box.ralph("resume", "last", "--max-iterations", "2");
  expect(resumed.stderr).toContain("iteration-limit");
  expect(await status()).toMatchObject({
    reason: "iteration-limit",
    sessionId: session,
    driver: "engine",
    iteration: 2,
  });
  // It is the earlier conversation, with all its messages.
  const said = server.requests
    .at(-1)
    ?.messages.map(({ text }) => text)
    .join("\n");
  expect(said).toContain("Done.");
  expect(said).toContain("test -f one && test -f two");

  const back = await say("/ralph --resume last --max-iterations 5");
  expect(back.session).not.toBe(session);
  expect(await status()).toMatchObject({ reason: "verified", sessionId: back.session, driver: "host", iteration: 3 });
});
