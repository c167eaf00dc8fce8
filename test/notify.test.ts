import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { full, sampled } from "./support/effort.ts";
import { linesOf } from "./support/json-lines.ts";
import { expectNothingLeft, leftoversOf } from "./support/leftovers.ts";
import { expectRefusal } from "./support/refusal.ts";
import { type Running, type Sandbox, sandbox } from "./support/sandbox.ts";
import { webhook } from "./support/webhook.ts";

const DONE = "<promise>DONE</promise>";
const WORK = `{ write: { path: there, content: x } }, { say: ${DONE} }`;
/** An iteration that works before it claims. */
const WORKS = `  - steps: [${WORK}]`;

/** A sandbox whose scripted agent plays these iterations, and whose settings name these hooks. */
function withHooks(notify: object[], iterations: string, more: object = {}): Sandbox {
  const box = sandbox();
  box.write("s.yaml", `iterations:\n${iterations}\n`);
  box.write(
    ".ralph/settings.json",
    JSON.stringify({ agent: { command: "scripted", flags: ["s.yaml"] }, notify, ...more }),
  );
  return box;
}

/** A command that writes each notice to a file, one per line. */
const NOTING = `echo "$RALPH_NOTICE $RALPH_REASON $RALPH_ITERATIONS" >> told`;
const ALL = ["stopped", "completed", "verified", "failed", "blocked", "waiting", "iteration"];
const run = (box: Sandbox, ...args: string[]) => box.ralph("run", "--prompt", "A task", ...args);

sampled(1).each<[string, string, string[], string]>([
  [
    "a verified loop",
    `  - say: hm\n${WORKS}`,
    ["--verify", "test -e there"],
    "iteration  1\niteration  2\nverified verified 2\n",
  ],
  ["a still-green loop", WORKS, ["--verify", "true"], "iteration  1\ncompleted still-green 1\n"],
  ["a promise-only loop", WORKS, [], "iteration  1\ncompleted promise-only 1\n"],
  ["a loop without work", `  - say: ${DONE}`, [], "iteration  1\niteration  2\nfailed no-work 2\n"],
  ["a limit", "  - say: hm", ["-m", "1"], "iteration  1\nfailed iteration-limit 1\n"],
  ["a blocked agent", "  - say: <blocked>no key</blocked>", [], "iteration  1\nblocked blocked 1\n"],
  ["a missing login", "  - fail: auth", [], "blocked auth 0\n"],
  [
    "an unverifiable claim",
    `  - say: ${DONE}`,
    ["--verify", "[ -e begun ] && exit 127; touch begun; false"],
    "iteration  1\nblocked unverifiable 1\n",
  ],
])("%s is notified once per event, by its most specific name", async (_name, iterations, args, told) => {
  const box = withHooks([{ on: ALL, command: NOTING }], iterations);
  await run(box, ...args);
  expect(box.read("told")).toBe(told);
});

full("a hook on verified in earlier settings gets nothing weaker", async () => {
  const hooks = ["completed", "verified"].map((on) => ({ on, command: `echo "$RALPH_PROOF" >> told-${on}` }));
  const box = withHooks(hooks, WORKS);
  await run(box, "--verify", "test -e there");
  await run(box, "--verify", "test -e there");
  expect(box.read("told-completed")).toBe("verified\nstill-green\n");
  expect(box.read("told-verified")).toBe("verified\n");
});

full("each hook gets the notices it requested", async () => {
  const hooks = ["stopped", "verified", "failed", "blocked"].map((on) => ({ on, command: `echo ${on} >> told-${on}` }));
  const box = withHooks(hooks, "  - say: <blocked>no key</blocked>");
  await run(box);
  expect(["stopped", "verified", "failed", "blocked"].map((on) => box.exists(`told-${on}`))).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test("a command has the facts in its environment and on its input, and none on its command line", async () => {
  const command = `cat > facts.json; printf '%s' "$RALPH_DETAIL" > detail; printf '%s' "$RALPH_TEXT" > text; env > env`;
  const nasty = "needs $(touch owned) `touch owned`; touch owned; <!channel> @here\\n\\0\\e[31mred";
  const box = withHooks(
    [{ on: "blocked", command }],
    `  - steps: [{ usage: { inputTokens: 5, costUsd: 0.1 } }, { say: "<blocked>${nasty}</blocked>" }]`,
  );
  expect((await run(box)).code).toBe(1);
  const { id } = (await box.json("status", "last")) as { id: string };
  const facts = JSON.parse(box.read("facts.json")) as Record<string, string>;
  expect(facts).toMatchObject({
    notice: "blocked",
    loop: id,
    title: "A task",
    cwd: box.cwd,
    reason: "blocked",
    means: "the agent says that it cannot continue without the user",
    next: `fix it, then ralph resume ${id}`,
    iterations: 1,
    costUsd: 0.1,
    tokens: 5,
    agent: "scripted",
    waitUntil: null,
  });
  expect(facts.detail).toMatch(/^needs \$\(touch owned\) `touch owned`; touch owned; <!channel> @here/);
  expect(box.read("detail")).toBe(facts.detail);
  expect(box.read("text")).toBe(facts.text);
  expect(facts.text).toMatch(/^ralph blocked: A task\. .* \(1 iteration, \$0\.10\), next: fix it, then ralph resume/);
  expect(facts.text).not.toMatch(/<|@here|\n/);
  expect(box.read("env")).toContain(`RALPH_COST_USD=0.1\n`);
  expect(box.exists("owned")).toBe(false);
});

test("a webhook gets the facts with a text that Slack shows", async () => {
  const hook = await webhook();
  const box = withHooks([{ on: "verified", webhook: hook.url }], WORKS);
  const { code, stderr } = await run(box, "--verify", "test -e there");
  expect(code).toBe(0);
  expect(stderr).not.toContain("notification");
  const facts = {
    notice: "verified",
    reason: "verified",
    proof: "verified",
    weak: "nothing was protected",
    iterations: 1,
  };
  expect(hook.received).toMatchObject([facts]);
  expect(hook.received[0]?.text).toBe(
    "ralph verified (nothing was protected): A task. a check that failed before the work passes now: 1 of 1 checks pass (1 iteration)",
  );
  expect(hook.requests[0]).toMatchObject({ method: "POST", url: "/services/T0/SECRET" });
  expect(hook.requests[0]?.headers["content-type"]).toBe("application/json");
});

full("a name and a password in the URL become a header", async () => {
  const hook = await webhook();
  const url = hook.url.replace("//", "//ada:s%C3%A9same@");
  await run(withHooks([{ on: "stopped", webhook: url }], WORKS));
  expect(hook.requests[0]?.headers.authorization).toBe(`Basic ${Buffer.from("ada:sésame").toString("base64")}`);
});

full("a webhook that fails temporarily is retried, one notice after the other", async () => {
  const hook = await webhook((n) => (n === 1 ? 500 : n === 2 ? 429 : 200));
  const box = withHooks([{ on: ["iteration", "stopped"], webhook: hook.url }], WORKS);
  const { code, stderr } = await run(box);
  expect(code).toBe(0);
  expect(hook.received.map(({ notice }) => notice)).toEqual(["iteration", "iteration", "iteration", "stopped"]);
  expect(stderr).not.toContain("failed");
});

full.each<[string, (n: number) => number, number, string]>([
  ["is broken", () => 503, 3, "HTTP 503, after 3 tries"],
  ["refuses", () => 404, 1, "HTTP 404"],
])("a webhook that %s is reported, and changes nothing", async (_name, answer, tries, says) => {
  const hook = await webhook(answer);
  const box = withHooks([{ on: "stopped", webhook: hook.url }], WORKS);
  const { code, stderr } = await run(box, "-q");
  expect(code).toBe(0);
  const host = new URL(hook.url).host;
  expect(stderr).toContain(`notification "stopped" failed, notify[0] (http://${host}/…): ${says}\n`);
  expect(stderr).toMatch(/\n\? promise-only/);
  expect(hook.requests).toHaveLength(tries);
});

full("a redirect is not followed: the facts are for one host", async () => {
  const elsewhere = await webhook();
  const hook = await webhook((_n, response) => {
    response.writeHead(307, { location: elsewhere.url }).end();
    return undefined;
  });
  const box = withHooks([{ on: "stopped", webhook: hook.url }], WORKS);
  const { stderr } = await run(box);
  expect(stderr).toContain("HTTP 307, a redirect, which is not followed");
  expect(elsewhere.requests).toEqual([]);
});

full("nothing listens: reported in JSON, with the result as the last line", async () => {
  const box = withHooks(
    [
      { on: "stopped", webhook: "http://127.0.0.1:1/services/SECRET" },
      { on: "stopped", command: "echo see https://hooks.example.com/services/SECRET >&2; exit 3" },
    ],
    WORKS,
  );
  const { code, stdout, stderr } = await run(box, "--json");
  const lines = linesOf(stdout) as { type?: string }[];
  const failed = lines.filter(({ type }) => type === "notice.failed") as { to: string }[];
  expect(failed.sort((a, b) => a.to.localeCompare(b.to))).toEqual([
    expect.objectContaining({ to: "notify[0] (http://127.0.0.1:1/…)", detail: expect.stringMatching(/^not reached/) }),
    {
      type: "notice.failed",
      loop: expect.any(String),
      notice: "stopped",
      to: "notify[1] (command)",
      detail: "exit code 3: see https://hooks.example.com/…",
    },
  ]);
  expect(lines.at(-1)).toMatchObject({ type: "result", reason: "promise-only", proof: "promise-only", weak: [] });
  expect(stdout).not.toContain("SECRET");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect((await box.ralph("why", "--json")).stdout).not.toContain("SECRET");
});

full("a slow hook does not delay the loop, and still gets its end", async () => {
  const command = `[ "$RALPH_NOTICE" = iteration ] && while [ ! -e go ]; do sleep 0.05; done; ${NOTING}`;
  const box = withHooks([{ on: ["iteration", "stopped"], command }], "");
  box.program("quick", "echo hm");
  const running = box.start(["run", "--prompt", "x", "--agent", "quick", "-m", "56"]);
  // Nothing was delivered yet, and the loop has ended: notices beyond the queue's limit were dropped.
  await running.saw("notifications still being sent");
  expect(box.exists("told")).toBe(false);
  box.write("go", "");
  const { code, stderr } = await running.ended;
  expect(code).toBe(1);
  const told = box.read("told").trimEnd().split("\n");
  expect(told.at(0)).toBe("iteration  1");
  expect(told.at(-1)).toBe("stopped iteration-limit 56");
  expect(stderr).toContain(
    `${57 - told.length} notifications dropped, notify[0] (command): it is slower than the loop`,
  );
  expect(told.length).toBeLessThanOrEqual(51);
});

/** A stopped loop that waits for a hook that never ends. */
async function hanging(command: string): Promise<{ box: Sandbox; running: Running }> {
  const box = withHooks([{ on: "stopped", command }], WORKS);
  const running = box.start(["run", "--prompt", "x"]);
  await running.saw("1 notification still being sent, for up to 14s (Ctrl-C quits now)");
  return { box, running };
}

/** Creates `late` after 11 s, which shows that its whole time limit, 15 s, was waited for. */
const STUBBORN = "trap '' INT TERM HUP; setsid sleep 300 & sleep 300 & sleep 11; touch late; sleep 300";

full("a hook that hangs is ended at its time limit, with all its processes", async () => {
  const { box, running } = await hanging(STUBBORN);
  // The loop itself is free meanwhile, and another driver leaves its hooks alone.
  expect((await box.ralph("resume", "-q")).stderr).toContain("is already complete");
  const { code, stderr } = await running.ended;
  expect(code).toBe(0);
  expect(stderr).toContain('notification "stopped" failed, notify[0] (command): aborted');
  expect(box.exists("late")).toBe(true);
  await expectNothingLeft(box);
});

full("processes left behind by a hook end with the loop", async () => {
  const command = "setsid sleep 300 >/dev/null 2>&1 </dev/null & touch told";
  const box = withHooks([{ on: "stopped", command }], WORKS);
  expect((await run(box)).code).toBe(0);
  expect(box.exists("told")).toBe(true);
  await expectNothingLeft(box);
});

full("Ctrl-C while a finished loop waits for its hooks leaves at once", async () => {
  const { box, running } = await hanging(STUBBORN);
  running.child.kill("SIGINT");
  expect((await running.ended).code).toBe(0);
  await expectNothingLeft(box);
  expect(box.exists("late")).toBe(false);
});

full("so does Ctrl-C while a webhook does not answer", async () => {
  const hook = await webhook(() => undefined);
  const box = withHooks([{ on: "stopped", webhook: hook.url }], WORKS);
  const running = box.start(["run", "--prompt", "x"]);
  await running.saw("still being sent");
  await expect.poll(() => hook.requests).toHaveLength(1);
  running.child.kill("SIGINT");
  const { code, stderr } = await running.ended;
  expect(code).toBe(0);
  expect(stderr).toContain("aborted");
  // After ten seconds it would have been retried.
  expect(hook.requests).toHaveLength(1);
});

full("the Ctrl-C that stops the loop is notified; the next one exits", async () => {
  const box = withHooks(
    [
      { on: ["stopped", "failed"], command: NOTING },
      { on: "stopped", command: STUBBORN },
    ],
    "  - steps: [{ say: ready }, { hang: true }]",
  );
  const running = box.start(["run", "--prompt", "x"]);
  await running.saw("ready");
  running.child.kill("SIGINT");
  await running.saw("still being sent");
  await expect.poll(() => box.exists("told") && box.read("told")).toBe("stopped interrupted 0\n");
  running.child.kill("SIGINT");
  const { code, stderr } = await running.ended;
  expect(code).toBe(130);
  expect(stderr).toContain("■ interrupted: by SIGINT");
  await expectNothingLeft(box);
});

full("no process of a hook survives a kill -9 of ralph", async () => {
  const { box, running } = await hanging(STUBBORN);
  await expect.poll(() => leftoversOf(box).length).toBeGreaterThan(1);
  running.child.kill("SIGKILL");
  await running.ended;
  await expectNothingLeft(box);
});

full("a wait of more than a minute is notified, a short one and one beyond the limit are not", async () => {
  const wait = (retryAfter: string) => `  - fail: { kind: rate-limited, detail: come back, retryAfter: ${retryAfter} }`;
  const box = withHooks(
    [{ on: ["waiting", "stopped"], command: `${NOTING}; echo "$RALPH_WAIT_UNTIL" >> until` }],
    wait("2h"),
  );
  const running = box.start(["run", "--prompt", "x"]);
  await expect.poll(() => box.exists("until") && box.read("until")).toMatch(/Z\n$/);
  expect(Date.parse(box.read("until").trim()) - Date.now()).toBeGreaterThan(7_100_000);
  expect(box.read("told")).toBe("waiting rate-limited 0\n");
  running.child.kill("SIGINT");
  await running.ended;
  expect(box.read("told")).toBe("waiting rate-limited 0\nstopped interrupted 0\n");
  const tooLong = withHooks([{ on: ["waiting", "stopped"], command: NOTING }], wait("2h"), { maxWaitMs: 60_000 });
  expect((await run(tooLong)).code).toBe(1);
  expect(tooLong.read("told")).toBe("stopped wait-limit 0\n");
  const steps = `  - steps: [{ fail: { kind: rate-limited, retryAfter: 300ms } }]\n    retry: [${WORK}]`;
  const short = withHooks([{ on: ["waiting", "stopped"], command: NOTING }], steps);
  expect((await run(short)).code).toBe(0);
  expect(short.read("told")).toBe("stopped promise-only 1\n");
});

full("cancelling a loop without a driver notifies, and so does a resume", async () => {
  const box = withHooks(
    [
      { on: "stopped", command: NOTING },
      { on: "stopped", command: "exit 7" },
    ],
    `  - steps: [{ say: ready }, { hang: true }]\n    retry: [${WORK}]`,
  );
  const running = box.start(["run", "--prompt", "x"]);
  await running.saw("ready");
  running.child.kill("SIGKILL");
  await running.ended;
  const cancelled = await box.ralph("cancel");
  expect(cancelled.stdout).toMatch(/^Cancelled Ralph loop \w+ during iteration 1 of 10\n$/);
  expect(cancelled.stderr).toContain('  notification "stopped" failed, notify[1] (command): exit code 7\n');
  expect(box.read("told")).toBe("stopped cancelled 0\n");
  expect((await box.ralph("resume", "-q")).code).toBe(0);
  expect(box.read("told")).toBe("stopped cancelled 0\nstopped promise-only 1\n");
});

full("an error that ends the loop is notified as a failure", async () => {
  const box = withHooks([{ on: ALL, command: NOTING }], "  - delete: task.md");
  box.write("task.md", "x");
  expect((await box.ralph("run", "--prompt-file", "task.md")).code).toBe(2);
  expect(box.read("told")).toBe("iteration  1\nfailed interrupted 1\n");
});

full.each<[string, object, RegExp]>([
  [
    "an unknown notice",
    { on: "stoped", command: "x" },
    /notify\[0\]\.on: expected one of stopped, .*, or a list of them/,
  ],
  ["no notice", { on: [], command: "x" }, /notify\[0\]\.on: expected at least one notice/],
  ["nothing to run", { on: "stopped" }, /notify\[0\]: expected either command or webhook/],
  ["two things to run", { on: "stopped", command: "x", webhook: "http://h" }, /either command or webhook/],
  ["no URL", { on: "stopped", webhook: "hooks.example.com" }, /notify\[0\]\.webhook: expected a URL that begins/],
  ["another protocol", { on: "stopped", webhook: "file:///etc/passwd" }, /expected a URL that begins with http/],
])("refuses a hook with %s", async (_name, hook, says) => {
  expectRefusal(await run(withHooks([hook], "  - say: hi")), says);
});

full("the examples of the guide work as written", async () => {
  const hook = await webhook();
  const guide = readFileSync("docs/notifications.md", "utf8");
  const examples = [...guide.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = ""]) =>
    json.replaceAll(/https:\/\/hooks\.slack\.com\/[^"]*/g, hook.url),
  );
  const notify = examples.flatMap((json) => (JSON.parse(json) as { notify: object[] }).notify);
  const box = withHooks(notify, `  - say: hm\n${WORKS}`);
  box.program("notify-send", 'printf "%s\\n" "$@" > desktop');
  const { code, stderr } = await run(box, "--verify", "test -e there");
  expect({ code, failed: stderr.match(/notification.*/)?.[0] }).toEqual({ code: 0, failed: undefined });
  expect(box.read("desktop")).toBe(
    "Ralph\nralph verified (nothing was protected): A task. a check that failed before the work passes now: 1 of 1 checks pass (2 iterations)\n",
  );
  expect(linesOf(box.read("notices.jsonl"))).toMatchObject([
    { notice: "iteration" },
    { notice: "iteration" },
    { notice: "stopped" },
  ]);
  expect(hook.received.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^ralph verified \(nothing was protected\): A task/),
  ]);
});
