import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { HostEvent, HostSession } from "../../core/host.ts";
import { answerHost } from "./answer.ts";

const said = (text: string): HostEvent => ({
  type: "session.idle",
  events: [{ type: "text.said", text }, { type: "message.ended" }],
  tellsTools: false,
});

test("a loop in a host's session goes on until its promise", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-hook-"));
  process.env.RALPH_STATE_DIR = mkdtempSync(join(tmpdir(), "ralph-state-"));
  const session: HostSession = { host: "claude", id: "session-1", cwd };
  const started = await answerHost(
    session,
    { type: "command.typed", command: "ralph", arguments: "Do it" },
    Date.now(),
  );
  expect(started.prompt?.text).toContain("<promise>DONE</promise>");
  const going = await answerHost(session, said("Working on it."), Date.now());
  expect(going.prompt?.text).toMatch(/^\[RALPH LOOP - ITERATION 2\/100\]/);
  const ended = await answerHost(session, said("All done.\n\n<promise>DONE</promise>"), Date.now());
  expect(ended).toMatchObject({ prompt: null, toasts: [{ title: "Ralph Loop Complete!" }] });
});
