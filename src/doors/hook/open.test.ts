import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { noteSession, sessionEntry } from "../../adapters/hosts/session-index.ts";
import { type HostEvent, type HostSession, NO_ANSWER } from "../../core/host.ts";
import { answerHost } from "./open.ts";

const said = (text: string): HostEvent => ({
  type: "session.idle",
  events: [{ type: "text.said", text }, { type: "message.ended" }],
  tellsTools: false,
});

/** A session in its own folder, with an empty journal. */
function session(): HostSession {
  const cwd = mkdtempSync(join(tmpdir(), "ralph-hook-"));
  vi.stubEnv("RALPH_STATE_DIR", join(cwd, "state"));
  onTestFinished(() => {
    vi.unstubAllEnvs();
    rmSync(cwd, { recursive: true, force: true });
  });
  return { host: "claude", id: "session-1", cwd };
}

test("a session whose journal was moved away is left alone from then on", async () => {
  const lost = session();
  noteSession(lost, { loop: "12345678", cwd: lost.cwd });
  expect(await answerHost(lost, said("Working on it."), Date.now())).toEqual(NO_ANSWER);
  expect(sessionEntry(lost)).toBeNull();
});

test("a loop in a host's session continues until its promise", async () => {
  const mine = session();
  const started = await answerHost(mine, { type: "command.typed", command: "ralph", arguments: "Do it" }, Date.now());
  expect(started.prompt?.text).toContain("<promise>DONE</promise>");
  const going = await answerHost(mine, said("Working on it."), Date.now());
  expect(going.prompt?.text).toMatch(/^\[RALPH LOOP - ITERATION 2\/100\]/);
  const ended = await answerHost(mine, said("All done.\n\n<promise>DONE</promise>"), Date.now());
  expect(ended).toMatchObject({ prompt: null, toasts: [{ title: "Ralph Loop Complete!" }] });
});
