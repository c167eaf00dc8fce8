import { readdirSync } from "node:fs";
import { expect, onTestFinished, test } from "vitest";
import type { OpenPlatform } from "../src/adapters/platforms/platform.ts";
import { openWorkspace } from "../src/adapters/store/workspace.ts";
import { RalphError } from "../src/core/errors.ts";
import type { Inbound, Outbound, Polling } from "../src/core/platform.ts";
import type { Workspace } from "../src/core/workspace.ts";
import type { Chat } from "../src/doors/chat/contract.ts";
import { openChat } from "../src/doors/chat/open.ts";
import { full } from "./support/effort.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const LOOP = `name: ralph
description: |
  Works until it is done.
  Triggers: "run ralph", "go on".
loop: { until: COMPLETE, max_iterations: 3 }
prompt: Do it. $USER_MESSAGE
`;

interface OpenedChat {
  box: Sandbox;
  workspace: Workspace;
  chat: Chat;
  lines: string[];
  hear(text: string, conversation?: string, externalId?: string): ReturnType<Chat["accept"]>;
  said(conversation?: string): Promise<string[]>;
}

/** The chat door in this process over a folder with real programs as agents. */
async function open(
  agent: string,
  more: { maxParallel?: number; platforms?: ReadonlyMap<string, OpenPlatform>; box?: Sandbox } = {},
) {
  const box = more.box ?? sandbox();
  box.program("worker", agent);
  if (!more.box) box.write(".ralph/workflows/ralph.yaml", LOOP);
  process.env.RALPH_STATE_DIR = box.state;
  const workspace = await openWorkspace(box.cwd, { create: true });
  const lines: string[] = [];
  const chat = await openChat({
    workspace,
    platforms: more.platforms ?? new Map(),
    maxParallel: more.maxParallel ?? 1,
    agent: { command: `${box.bin}/worker`, scenario: null },
    log: (line) => void lines.push(line),
  });
  onTestFinished(async () => {
    await chat.close();
    workspace.close();
  });
  const one: OpenedChat = {
    box,
    workspace,
    chat,
    lines,
    hear: (text, conversation = "c", externalId) =>
      chat.accept({ platform: "http", conversation, text, ...(externalId ? { externalId } : {}) }),
    async said(conversation = "c") {
      const messages = await workspace.runs.messages({ platform: "http", id: conversation });
      return messages.map(({ role, content }) => `${role}: ${content}`);
    },
  };
  return one;
}

/** Repeats its prompt, waits until a file exists, and claims. */
const WAITS = `echo "I was told"
touch "$PWD/../started"
until [ -e "$PWD/go" ]; do sleep 0.05; done
echo "<promise>COMPLETE</promise>"`;
const CLAIMS = 'echo "all done <promise>COMPLETE</promise>"';

test("a message starts the workflow that it names, and the conversation gets its messages in order", async () => {
  const { hear, said, chat, workspace, lines } = await open(CLAIMS);
  const heard = await hear("please run ralph now", "c", "m1");
  expect(heard).toEqual({ conversationId: "c", runId: expect.stringMatching(/^[0-9a-f]{8}$/), isNew: true });
  expect(await hear("please run ralph now", "c", "m1")).toEqual({ conversationId: "c", runId: null, isNew: false });
  await chat.idle();
  expect(await said()).toEqual([
    "user: please run ralph now",
    "system: **Iteration 1/3**",
    "assistant: all done <promise>COMPLETE</promise>",
    expect.stringMatching(/^system: \*\*Loop complete\*\*: ralph \(1 iterations\)/),
  ]);
  expect(await workspace.runs.list()).toMatchObject([{ status: "completed", message: "please run ralph now" }]);
  expect(lines).toEqual([`run ${heard.runId} of ralph: completed`]);
  await hear("status");
  await chat.idle();
  expect((await said()).at(-1)).toMatch(
    /^system: Nothing is running here\. Last: \*\*ralph\*\* \(run \w+\) completed \w+ ago$/,
  );
});

full("an unproven promise is reported with the reason", async () => {
  const { hear, said, chat, box } = await open('touch "$RALPH_ITERATION"; echo "<promise>COMPLETE</promise>"');
  box.write(
    ".ralph/workflows/ralph.yaml",
    LOOP.replace("max_iterations: 3", "max_iterations: 3, verify: [test -f 3], guardrails: [test -f 2]"),
  );
  await hear("run ralph");
  await chat.idle();
  const system = (await said()).filter((text) => text.startsWith("system: "));
  expect(system).toEqual([
    "system: **Iteration 1/3**",
    expect.stringMatching(/^system: \*\*Not proven\*\*: .*test -f 2/),
    "system: **Iteration 2/3**",
    expect.stringMatching(/^system: \*\*Not proven\*\*: .*test -f 3/),
    "system: **Iteration 3/3**",
    "system: **Loop complete**: ralph (3 iterations)\n\n**verified**: a check that failed before the work passes now; whether work was done could not be seen",
  ]);
});

full("a message that fits no workflow, or several, is answered with the choices; edits count at once", async () => {
  const { hear, said, chat, box } = await open(CLAIMS);
  expect(await hear("make me a sandwich")).toMatchObject({ runId: null, isNew: true });
  await hear("help");
  box.write(".ralph/workflows/other.yaml", LOOP.replace("name: ralph", "name: other"));
  box.write(".ralph/workflows/broken.yaml", "name: broken\nloop: 3\n");
  await hear("go on");
  await hear("/workflow run nothing");
  await hear("/workflow run broken");
  await chat.idle();
  const list =
    "Send the name of a workflow, or one of its phrases, to run it here:\n\n" +
    "- **ralph**: Works until it is done. Phrases: “run ralph”, “go on”.\n\n" +
    "Send `status` to see what is running here, `cancel` to stop it, `help` for this list.";
  expect((await said()).filter((line) => line.startsWith("system"))).toEqual([
    `system: No workflow matches that.\n\n${list}`,
    `system: ${list}`,
    "system: “go on” could mean **other**, **ralph**: name one, such as `run other`.",
    expect.stringMatching(
      /^system: There is no workflow “nothing”\.[\s\S]*One file is invalid: `ralph workflow validate` shows why\./,
    ),
    expect.stringMatching(/^system: \.ralph\/workflows\/broken\.yaml is invalid: /),
  ]);
});

test("one run of a conversation at a time, the others in order; status and cancel", async () => {
  const { hear, said, chat, workspace, box } = await open(WAITS, { maxParallel: 2 });
  const first = await hear("run ralph: one");
  await expect.poll(async () => (await said()).length).toBe(2);
  await hear("run ralph: two");
  await hear("run ralph: three");
  await hear("status");
  const other = await hear("run ralph: four", "d");
  await expect.poll(() => chat.running()).toBe(2);
  await hear("run ralph: five", "e");
  await hear("cancel");
  await hear("status", "d");
  box.write("go", "");
  await chat.idle();
  const answers = (await said()).filter((line) => line.startsWith("system"));
  expect(answers).toEqual([
    "system: **Iteration 1/3**",
    "system: **Queued**: ralph, behind ralph (iteration 1/3)",
    "system: **Queued**: ralph, behind ralph (iteration 1/3) and 1 more",
    expect.stringMatching(
      /^system: - \*\*ralph\*\* \(run \w+\): iteration 1\/3, since \S+\n(- \*\*ralph\*\* \(run \w+\): queued, since \S+\n?){2}$/,
    ),
    expect.stringMatching(/^system: \*\*Cancelling\*\*: ralph \(run \w+\), ralph \(run \w+\), ralph \(run \w+\)$/),
    expect.stringMatching(/cancelled/i),
  ]);
  expect(await said("e")).toContain("system: **Queued**: ralph, behind 2 in other conversations");
  const runs = await workspace.runs.list({ oldestFirst: true });
  expect(runs.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled", "completed", "completed"]);
  expect(runs.map(({ id }) => id)).toEqual(expect.arrayContaining([first.runId, other.runId]));
});

full("a run that cannot be prepared fails, and its conversation is told why", async () => {
  const { hear, said, chat, workspace, box } = await open(CLAIMS);
  box.write(".ralph/workflows/odd.yaml", LOOP.replace("name: ralph", "name: odd").replace("go on", "odd"));
  box.write(".ralph/settings.json", '{ "verify": 3 }');
  const { runId } = await hear("run the workflow odd");
  await chat.idle();
  expect((await said())[1]).toMatch(
    /^system: \*\*Not started\*\*: odd\n\n\.ralph\/settings\.json:1:\d+: verify: expected a list/,
  );
  expect(await workspace.runs.find(runId ?? "")).toMatchObject({
    status: "failed",
    detail: expect.stringContaining("verify"),
  });
  box.write(".ralph/settings.json", "{}");
  await hear("ralph");
  await chat.idle();
  expect((await said()).at(-1)).toMatch(/Loop complete/);
});

full("a run interrupted by a journal error can be resumed, and blocks no other", async () => {
  const { hear, said, chat, workspace } = await open(CLAIMS);
  const { runs } = workspace;
  const append = runs.append;
  let failures = 0;
  // Neither the result of the loop nor the release of the run can be recorded.
  runs.append = async (fence, entries, state) => {
    const types = entries.map(({ event }) => event.type);
    const isFull = types.some((type) => type === "part.ended" || type === "run.paused") && failures++ < 2;
    if (isFull) throw new RalphError("disk-full", "the disk is full", { exitCode: 1 });
    return append(fence, entries, state);
  };
  const { runId } = await hear("run ralph");
  await chat.idle();
  expect(await runs.find(runId ?? "")).toMatchObject({ status: "interrupted", detail: "the disk is full" });
  expect((await said()).at(-1)).toContain(`ralph workflow resume ${runId}`);
  // It waits for the user, and nothing waits for it.
  await hear("run ralph: another");
  await chat.idle();
  expect((await said()).filter((line) => line.includes("**Queued**"))).toEqual([]);
  expect((await said()).at(-1)).toMatch(/Loop complete/);
  await chat.resume(runId ?? "");
  await chat.idle();
  expect((await runs.list()).map(({ status }) => status)).toEqual(["completed", "completed"]);
});

full("empty and endless messages are refused, and not stored", async () => {
  const { hear, said } = await open(CLAIMS);
  await expect(hear("  ")).rejects.toMatchObject({ code: "message-refused" });
  await expect(hear("x".repeat(1_000_000))).rejects.toMatchObject({
    code: "message-refused",
    message: "a message of 1000000 characters; the limit is 100000",
  });
  expect(await said()).toEqual([]);
});

full("a stopping server leaves its runs to the next one, which resumes them in order", async () => {
  const before = await open(WAITS);
  await before.hear("run ralph: one");
  await expect.poll(async () => (await before.said()).length).toBe(2);
  // Its agent is running: the next server replaces the program.
  await expect.poll(() => before.box.exists("../started")).toBe(true);
  await before.hear("run ralph: two");
  const another = open(CLAIMS, { box: before.box });
  await expect(another).rejects.toMatchObject({ code: "conversations-held" });
  await before.chat.close();
  await expect(before.hear("run ralph: three")).rejects.toMatchObject({ code: "closing" });
  expect((await before.workspace.runs.list({ oldestFirst: true })).map(({ status }) => status)).toEqual([
    "interrupted",
    "queued",
  ]);
  const after = await open(CLAIMS, { box: before.box });
  // A conversation is not asked about what the next server does by itself.
  expect((await after.said()).join("\n")).toContain("It continues once `ralph serve` runs again.");
  await after.chat.idle();
  const runs = await after.workspace.runs.list({ oldestFirst: true });
  expect(runs.map(({ status, message }) => `${message}: ${status}`)).toEqual(["one: completed", "two: completed"]);
  expect(after.lines).toEqual([
    "resuming 1 run of an earlier server",
    ...runs.map(({ id }) => `run ${id} of ralph: completed`),
  ]);
});

full("a lost platform harms no run, and dropped messages are counted", async () => {
  const gone: Outbound = {
    mode: "batch",
    maxChars: 1_000,
    send: async () => ({ is: "failed", why: "no such channel", again: false }),
  };
  const follow: Polling["accept"][] = [];
  const inbound: Inbound = { by: "polling", follow: async ({ accept }) => void follow.push(accept) };
  const platforms = new Map([["chat", { outbound: gone, inbound }]]);
  const { chat, workspace, lines } = await open(CLAIMS, { platforms });
  await follow[0]?.({ conversation: "C1", text: "run ralph" });
  await chat.idle();
  const [run] = await workspace.runs.list();
  expect(run?.status).toBe("completed");
  expect((await workspace.runs.load(run?.id ?? "")).state.dropped).toBe(3);
  expect(lines.filter((line) => line === "chat:C1: a message could not be sent: no such channel")).toHaveLength(3);
  expect(await workspace.runs.messages({ platform: "chat", id: "C1" })).toHaveLength(4);
});

full("many conversations at once: at most eight run, and each gets all its messages in order", async () => {
  const { hear, said, chat, box, workspace } = await open(
    `touch "$PWD/at-work/$$"
until [ -e "$PWD/go" ]; do sleep 0.05; done
ls "$PWD/at-work" | wc -l >> "$PWD/most"
echo "<promise>COMPLETE</promise>"
rm "$PWD/at-work/$$"`,
    { maxParallel: 8 },
  );
  box.write("at-work/.keep", "");
  const ids = Array.from({ length: 24 }, (_, i) => `c${i}`);
  await Promise.all(ids.map((id) => hear(`run ralph: ${id}`, id)));
  const atWork = () => readdirSync(box.path("at-work")).filter((name) => name !== ".keep").length;
  await expect.poll(atWork).toBe(8);
  expect(chat.running()).toBe(8);
  box.write("go", "");
  await chat.idle();
  const counted = box.read("most").trim().split("\n").map(Number);
  expect(counted).toHaveLength(24);
  expect(Math.max(...counted)).toBeLessThanOrEqual(8);
  expect(await workspace.runs.counts()).toEqual({ completed: 24 });
  for (const id of ids) {
    const lines = (await said(id)).filter((line) => !line.includes("**Queued**"));
    expect(lines).toEqual([
      `user: run ralph: ${id}`,
      "system: **Iteration 1/3**",
      "assistant: <promise>COMPLETE</promise>",
      expect.stringMatching(/Loop complete/),
    ]);
  }
});
