import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { full, sample } from "./support/effort.ts";
import { hostSession } from "./support/host-session.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const line = (value: object): string => JSON.stringify({ session_id: "s", ...value });
const INIT = line({ type: "system", subtype: "init", model: "m" });
const said = (text: string) => {
  const usage = { input_tokens: 100, output_tokens: 10 };
  return line({ type: "assistant", message: { id: "m", model: "m", usage, content: [{ type: "text", text }] } });
};
const result = (text: string) =>
  line({
    type: "result",
    subtype: "success",
    is_error: false,
    result: text,
    total_cost_usd: 0.4,
    usage: { input_tokens: 100, output_tokens: 10 },
  });

/**
 * A Claude whose turns cost 40 cents; the turn whose number is in `hang` prints something and never ends.
 */
const AGENT = `cat > /dev/null
echo ran >> runs
n=$(wc -l < runs)
echo '${INIT}'
echo '${said("working")}'
if [ "$n" -eq "$(cat hang 2>/dev/null || echo 0)" ]; then touch hanging; exec sleep 600; fi
echo '${result("not yet")}'`;

/** The log of the first driver's turns. */
function logOf(box: Sandbox): string {
  const found = readdirSync(box.state, { recursive: true, encoding: "utf8" }).find((name) =>
    /output-\d+\.log$/.test(name),
  );
  if (!found) throw new Error("there is no log");
  return join(box.state, found);
}

/** A loop whose driver was killed in a turn. */
async function killedIn(turn: number, ...limits: string[]): Promise<Sandbox> {
  const box = sandbox();
  box.program("claude", AGENT);
  box.write("hang", String(turn));
  const running = box.start(["run", "--prompt", "x", "--agent", "claude", "-m", "4", "--stuck-after", "0", ...limits]);
  await expect.poll(() => box.exists("hanging")).toBe(true);
  // The agent's output is known once it is in the log: a driver may be killed before it has read it.
  await expect.poll(() => readFileSync(logOf(box), "utf8").split('"working"').length - 1).toBe(turn);
  running.child.kill("SIGKILL");
  await running.ended;
  return box;
}

const runsOf = (box: Sandbox): number => box.read("runs").trim().split("\n").length;
const UNKNOWN = "the cost of 1 turn is not known";

const DAMAGE: [string, (log: string) => void][] = [
  ["deleted", (log) => rmSync(log)],
  ["emptied", (log) => truncateSync(log, 0)],
  ["cut short", (log) => truncateSync(log, 10)],
  [
    "replaced by another file",
    (log) => {
      renameSync(log, `${log}.old`);
      writeFileSync(log, "x".repeat(100_000));
    },
  ],
  [
    "replaced by a folder",
    (log) => {
      rmSync(log);
      mkdirSync(log);
    },
  ],
  [
    "replaced by a pipe",
    (log) => {
      rmSync(log);
      execFileSync("mkfifo", [log]);
    },
  ],
  [
    "emptied while it was written",
    (log) => {
      truncateSync(log, 0);
      truncateSync(log, 100_000);
    },
  ],
];

test.each(sample(DAMAGE, 1))("a turn whose log was %s counts as the most expensive one", async (_name, damage) => {
  const box = await killedIn(2, "--max-cost", "0.7");
  damage(logOf(box));
  const { code, stderr } = await box.ralph("resume");
  expect(stderr).toContain(`■ cost-limit: $0.40 spent; ${UNKNOWN}`);
  expect(code).toBe(1);
  expect(runsOf(box)).toBe(2);
  expect((await box.ralph("why")).stdout).toContain("not known: the log of the turn is gone, or was changed");
  expect((await box.ralph("status", "last")).stdout).toContain(UNKNOWN);
});

full.each(["--max-cost", "--max-tokens"])("without any known cost, nothing more is spent: %s", async (limit) => {
  const box = await killedIn(1, limit, "5000");
  rmSync(logOf(box));
  const { code, stderr } = await box.ralph("resume");
  expect(stderr).toMatch(/■ (?:cost|token)-limit: .*the cost of 1 turn is not known/);
  expect(code).toBe(1);
  expect(runsOf(box)).toBe(1);
  // A user who knows about it may let it continue.
  const again = await box.ralph("resume");
  expect(again.stderr).toContain("■ iteration-limit");
  expect(runsOf(box)).toBe(5);
});

full("a killed turn with an intact log counts at its reported cost, and the loop continues", async () => {
  const box = await killedIn(2, "--max-tokens", "440");
  const { stderr } = await box.ralph("resume");
  // 110 tokens a turn: one, the killed one, and two more reach the limit.
  expect(stderr).toContain("■ token-limit: 440 tokens");
  expect(runsOf(box)).toBe(4);
});

full("a turn killed before it reported its cost is not free", async () => {
  const box = await killedIn(2, "--max-cost", "0.7");
  const { stderr } = await box.ralph("resume");
  expect(stderr).toContain(`■ cost-limit: $0.40 spent; ${UNKNOWN}`);
  expect(runsOf(box)).toBe(2);
});

full("without a limit a loop with a missing log continues, and shows what is unknown", async () => {
  const box = await killedIn(2);
  rmSync(logOf(box));
  const { stderr } = await box.ralph("resume");
  expect(stderr).toMatch(new RegExp(`■ iteration-limit: .*\\$1\\.60.*${UNKNOWN}`));
});

const WRITE = { type: "tool_use", id: "t", name: "Write", input: { file_path: "work.txt" } };
const USED = line({ type: "assistant", message: { id: "w", model: "m", content: [WRITE] } });

/** A claim whose message has a forbidden pattern, by an agent that worked and removes the message. */
async function claiming(tidy: string): Promise<Sandbox> {
  const box = sandbox();
  const text = "TODO: the rest. <promise>DONE</promise>";
  box.program(
    "claude",
    `cat > /dev/null\necho '${INIT}'\necho work > work.txt; echo '${USED}'\necho '${said(text)}'\necho '${result(text)}'\n`,
  );
  const completion = { verification_method: "semantic", verification_config: { negative_patterns: ["TODO"] } };
  // A guardrail runs between the turn and the verdict, like any leftover process of the agent.
  const guardrails = [
    { command: `log=$(find ${box.state} -name 'output-*.log'); ${tidy || ":"}`, failAction: "APPEND" },
  ];
  box.write(".ralph/settings.json", JSON.stringify({ completion, guardrails }));
  return box;
}

full.each([
  ["deleted", 'rm "$log"'],
  ["emptied", ': > "$log"'],
  ["replaced", 'echo fine > "$log.new"; mv "$log.new" "$log"'],
])("a last message whose log was %s passes no negative_patterns", async (_name, tidy) => {
  const box = await claiming(tidy);
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "claude", "-m", "1");
  expect(code).toBe(1);
  expect(stderr).toContain("the agent's last message is not known");
  expect(stderr).toContain("■ unverifiable");
});

full("a readable last message is searched", async () => {
  const box = await claiming("");
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "claude", "-m", "1");
  expect([stderr, code]).toEqual([expect.stringContaining('"TODO" occurs in the last message'), 1]);
});

full("logs report a missing one", async () => {
  const box = await killedIn(2);
  rmSync(logOf(box));
  expect((await box.ralph("logs")).stdout).toContain("(the log of this attempt is gone)");
});

full("a session with a missing transcript is not free", async () => {
  const box = sandbox();
  const host = hostSession(box);
  await host.type('/ralph "Make it" --verify "test -e made" --max-tokens 1000');
  const answer = await host.stop("Still working.");
  expect(JSON.stringify(answer)).toContain("token-limit");
  expect((await box.ralph("status", "last")).stdout).toContain(UNKNOWN);
});
