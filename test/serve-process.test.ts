import { createHmac } from "node:crypto";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { leasesIn } from "../src/adapters/store/lease.ts";
import { openSqliteStore } from "../src/adapters/store/sqlite-store.ts";
import { full } from "./support/effort.ts";
import { PATIENT } from "./support/patience.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";
import { loopWorkflow, raw, serving, startServer } from "./support/serve.ts";
import { webhook } from "./support/webhook.ts";

interface Run {
  id: string;
  status: string;
  detail: string;
}

/** An agent that counts its turns, and waits in the first one until it is released. */
const COUNTING = `echo turn >> turns
while [ ! -f release ]; do sleep 0.05; done
echo "<promise>COMPLETE</promise>"`;

full("a killed server's runs are resumed by the next one, and no message is lost", async ({ onTestFinished }) => {
  const box = sandbox(onTestFinished);
  box.program("counting", COUNTING);
  box.write(".ralph/workflows/ralph.yaml", loopWorkflow("ralph", "counting"));
  const first = await serving(box);
  await first.post("/test/message", { conversationId: "a", message: "run ralph" });
  const queued = (await first.post("/test/message", { conversationId: "b", message: "run ralph" })) as {
    runId: string;
  };
  await comes(async () => box.exists("turns"));
  expect(await first.stop("SIGKILL")).toMatchObject({ signal: "SIGKILL" });
  box.write("release", "");
  const second = await serving(box);
  const said = await second.talkUntil("a", /^\*\*Loop complete\*\*/);
  expect(said[0]).toBe("run ralph");
  await second.talkUntil("b", /^\*\*Loop complete\*\*/);
  await comes(async () => ((await second.get(`/api/runs/${queued.runId}`)) as Run).status === "completed");
  // Interrupted in its first turn, then once more, and once for the other conversation.
  expect(box.read("turns").trim().split("\n")).toHaveLength(3);
  expect(await second.stop("SIGINT")).toMatchObject({ code: 130 });
});

test("SIGTERM ends the streams and leaves runs where they are; the next server resumes them", async ({
  onTestFinished,
}) => {
  const box = sandbox(onTestFinished);
  box.program("counting", COUNTING);
  box.write(".ralph/workflows/ralph.yaml", loopWorkflow("ralph", "counting"));
  const first = await serving(box);
  const { runId } = (await first.post("/test/message", { conversationId: "a", message: "run ralph" })) as {
    runId: string;
  };
  await comes(async () => box.exists("turns"));
  const stream = await fetch(`${first.url}/events?after=0`, { headers: { authorization: `Bearer ${first.token}` } });
  const text = stream.text();
  const refused = await box.ralph("serve");
  expect(refused).toMatchObject({ code: 1, stdout: "" });
  expect(refused.stderr).toContain(`a server of this repository is running: ${first.url}`);
  const ended = await first.stop();
  expect(ended).toMatchObject({ code: 0, signal: null });
  expect(
    ended.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).type),
  ).toContain("server.stopped");
  // The end is clean, and says when to reconnect.
  expect((await text).endsWith("retry: 2000\n: the server is stopping\n\n")).toBe(true);
  expect(await runsOf(box)).toMatchObject([{ id: runId, status: "interrupted" }]);
  expect(box.exists(`${box.state}/server.url`)).toBe(false);
  box.write("release", "");
  const second = await serving(box);
  await second.talkUntil("a", /^\*\*Loop complete\*\*/);
  expect(await second.stop()).toMatchObject({ code: 0 });
});

full("a port in use is skipped, unless it was requested", async ({ onTestFinished }) => {
  const box = sandbox(onTestFinished);
  const other = createServer().listen(0, "127.0.0.1");
  await new Promise((done) => other.once("listening", done));
  const { port } = other.address() as { port: number };
  const refused = await box.ralph("serve", "--port", String(port));
  other.close();
  expect(refused).toMatchObject({ code: 2, stdout: "" });
  expect(refused.stderr).toContain(`cannot listen on 127.0.0.1 port ${port}`);
  expect(refused.stderr).toContain("omit --port");
  expect(await box.ralph("serve", "--port", "70000")).toMatchObject({ code: 2 });
  // An error after it listens ends it too.
  const lease = await leasesIn(`${box.state}/leases`).take("conversations");
  const late = await box.ralph("serve", "--port", "0");
  lease?.release();
  expect(late).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("another ralph serve handles"),
  });
  expect(await box.ralph("serve", "--host", "203.0.113.1")).toMatchObject({ code: 2 });
});

full(
  "two servers without a port run side by side, and access from other machines is warned about",
  async ({ onTestFinished }) => {
    const [one, two] = [sandbox(onTestFinished), sandbox(onTestFinished)];
    const first = startServer(one, []);
    await first.saw("/openapi.json");
    const second = startServer(two, ["--host", "0.0.0.0", "--allow-host", "ralph.example"]);
    await second.saw("other machines can reach this address");
    const [a = "", b = ""] = [one, two].map((box) => box.read(`${box.state}/server.url`).trim());
    expect(new URL(a).port).not.toBe(new URL(b).port);
    const server = { url: b, token: two.read(`${two.state}/server-token`).trim() };
    const asked = (host: string) => raw(server, "/api/status", { headers: { host } }).then(({ status }) => status);
    expect(await asked("ralph.example")).toBe(200);
    expect(await asked("192.168.1.7:3000")).toBe(200);
    expect(await asked("evil.example")).toBe(421);
    for (const { child } of [first, second]) child.kill("SIGTERM");
    const ends = await Promise.all([first.ended, second.ended]);
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
    // The token was just created: it is shown only this time.
    expect(ends[1]?.stdout).toContain(server.token);
  },
);

test("Slack: a signed event starts a run with messages in its thread; a forged one is refused", async ({
  onTestFinished,
}) => {
  const slack = await webhook((_n, response) => void response.writeHead(200).end('{"ok":true}'));
  const box = sandbox(onTestFinished);
  box.program("tiny", 'echo "<promise>COMPLETE</promise>"');
  box.write(".ralph/workflows/ralph.yaml", loopWorkflow("ralph", "tiny"));
  box.write(".ralph/settings.json", JSON.stringify({ platforms: { slack: { baseUrl: new URL(slack.url).origin } } }));
  const missing = await box.ralph("serve");
  expect(missing).toMatchObject({ code: 2 });
  expect(missing.stderr).toContain("SLACK_SIGNING_SECRET");
  const env = { SLACK_BOT_TOKEN: "xoxb-secret-of-the-test", SLACK_SIGNING_SECRET: "signing-secret" };
  const server = await serving(box, [], env);
  const event = { type: "app_mention", channel: "C1", user: "U1", text: "<@U0> run ralph", ts: "1700000000.000100" };
  const body = JSON.stringify({ type: "event_callback", event_id: "Ev1", event });
  const send = (secret: string, text: string) => {
    const at = String(Math.floor(Date.now() / 1_000));
    const signature = `v0=${createHmac("sha256", secret).update(`v0:${at}:${text}`).digest("hex")}`;
    return fetch(`${server.url}/slack/events`, {
      method: "POST",
      headers: { "x-slack-request-timestamp": at, "x-slack-signature": signature, "content-type": "application/json" },
      body: text,
    });
  };
  const challenge = await send("signing-secret", JSON.stringify({ type: "url_verification", challenge: "abc" }));
  expect(await challenge.json()).toEqual({ challenge: "abc" });
  expect((await send("forged", body)).status).toBe(401);
  // Slack repeats an event that was not answered in time: it counts once.
  expect((await send("signing-secret", body)).status).toBe(200);
  expect((await send("signing-secret", body)).status).toBe(200);
  await comes(async () => slack.received.some(({ text }) => String(text).includes("Loop complete")));
  expect(slack.received[0]).toMatchObject({ channel: "C1", thread_ts: "1700000000.000100" });
  expect(slack.requests[0]?.headers.authorization).toBe("Bearer xoxb-secret-of-the-test");
  const { runs } = (await server.get("/api/runs")) as { runs: Run[] };
  expect(runs).toHaveLength(1);
  const { stdout, stderr } = await server.stop();
  expect(stdout + stderr).not.toContain("secret-of-the-test");
});

full(
  "a webhook starts a run and gets its messages; a run that waits for the user is resumed on request",
  async ({ onTestFinished }) => {
    const hook = await webhook();
    const box = sandbox(onTestFinished);
    box.program(
      "asking",
      'test -f answer && echo "<promise>COMPLETE</promise>" || echo "<blocked>no answer</blocked>"',
    );
    box.write(".ralph/workflows/ralph.yaml", loopWorkflow("ralph", "asking"));
    box.write(".ralph/settings.json", JSON.stringify({ platforms: { webhook: { url: hook.url } } }));
    let server = await serving(box);
    const message = { conversationId: "w", message: "run ralph", messageId: "1" };
    const { runId } = (await server.post("/webhook/message", message)) as { runId: string };
    expect(await server.post("/webhook/message", message)).toEqual({ conversationId: "w", runId: null });
    const statusOf = async () => ((await server.get(`/api/runs/${runId}`)) as Run).status;
    await comes(async () => (await statusOf()) === "interrupted");
    expect(await server.stop()).toMatchObject({ code: 0 });
    box.write("answer", "yes");
    // The next server does not call the agent again by itself.
    server = await serving(box);
    expect(await server.post("/webhook/message", { ...message, message: "status", messageId: "2" })).toBeTruthy();
    expect(await statusOf()).toBe("interrupted");
    expect(await server.post(`/api/runs/${runId}/resume`)).toEqual({ runId });
    await comes(async () => (await statusOf()) === "completed");
    await comes(async () => hook.received.some(({ content }) => String(content).startsWith("**Loop complete**")));
    expect(hook.received.every(({ conversationId }) => conversationId === "w")).toBe(true);
    expect(await server.stop()).toMatchObject({ code: 0 });
  },
);

full("the session in the help works as printed", async ({ onTestFinished }) => {
  const box = sandbox(onTestFinished);
  box.program("ralph", `exec "${process.execPath}" "${box.ralphPath}" "$@"`);
  box.program("tiny", 'echo "<promise>COMPLETE</promise>"');
  box.write(".ralph/workflows/ralph.yaml", loopWorkflow("ralph", "tiny"));
  const { stdout: help } = await box.ralph("serve", "--help");
  const [, printed = ""] = /A session[^\n]*\n((?: {2}.*\n)+)/.exec(help) ?? [];
  expect(printed.match(/curl /g)?.length).toBeGreaterThan(4);
  const server = startServer(box, []);
  await server.saw("/openapi.json");
  // Port 3000 may be in use on this machine.
  const { port } = new URL(box.read(`${box.state}/server.url`).trim());
  const script = printed.replace("127.0.0.1:3000", `127.0.0.1:${port}`).replace(/^ {2}curl/gm, "echo; curl -f");
  const { code, stdout, stderr } = await box.run("bash", "-c", script);
  server.child.kill("SIGTERM");
  await server.ended;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(stdout).toContain('"name":"ralph"');
  expect(stdout).toMatch(/"runId":"\w+"/);
  expect(stdout).toContain('"content":"run ralph"');
  expect(stdout).toContain("event: message\n");
  expect(stdout).toContain('"openapi":"3.1.0"');
});

async function runsOf({ state }: Sandbox): Promise<readonly Run[]> {
  const store = await openSqliteStore(`${state}/ralph.db`);
  try {
    return await store.runs.list();
  } finally {
    store.close();
  }
}

const comes = (isThere: () => Promise<boolean>) => expect.poll(isThere, PATIENT).toBe(true);
