import { expect, test } from "vitest";
import { CAPTURES } from "./support/captures.ts";
import { full } from "./support/effort.ts";
import { expectRefusal } from "./support/refusal.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const recorded = (run: string) => `'${CAPTURES}/${run}/stdout'`;

/** A fake CLI that logs how it was called, then runs the script. */
function agent(box: Sandbox, name: string, script: string): void {
  box.program(name, `echo "${name} $*" >> ../calls; cat >> ../prompts; ${script}`);
}

const settings = (box: Sandbox, values: object) => box.write(".ralph/settings.json", JSON.stringify(values));
const RUN = ["run", "--prompt", "Do it."];
/** The last loop in `ralph list`. */
const latest = async (box: Sandbox) => ((await box.json("list")) as object[])[0];

test("claude works with its defaults: streamed, counted, and prompted on standard input", async () => {
  const box = sandbox();
  agent(box, "claude", `cat ${recorded("claude/01-streamjson-write")}`);
  const { code, stdout, stderr } = await box.ralph(...RUN, "--agent", "claude", "--max-cost", "1");
  expect(code).toBe(0);
  expect(stdout + stderr).toContain("I will write the file.\n  → Write /repo/hello.txt\nAll done.");
  expect(box.read("../calls")).toBe("claude -p --output-format stream-json --verbose\n");
  expect(box.read("../prompts")).toMatch(/^Do it\./);
  expect(await latest(box)).toMatchObject({ reason: "promise-only", tokens: 240, costUsd: 0.0012000000000000001 });
});

full("a session is resumed, and each turn counts its own cost", async () => {
  const box = sandbox();
  const first = `sed s/promise/p/g ${recorded("claude/01-streamjson-write")}`;
  agent(box, "claude", `[ "$RALPH_ITERATION" = 1 ] && { ${first}; exit; }; cat ${recorded("claude/05-resume")}`);
  expect((await box.ralph(...RUN, "--agent", "claude", "--context", "continue")).code).toBe(0);
  expect(box.read("../calls")).toContain("--verbose --resume 7c975a6a-1642-42f2-aca6-c0088b70fd07\n");
  expect(await latest(box)).toMatchObject({ iteration: 2, tokens: 360, costUsd: 0.0018000000000000002 });
});

full("in text mode an agent is read as plain text", async () => {
  const box = sandbox();
  settings(box, { agent: { command: "claude", output: "text", flags: ["--model opus"] } });
  agent(box, "claude", "echo 'All done. <promise>DONE</promise>'");
  expect((await box.ralph(...RUN)).code).toBe(0);
  expect(box.read("../calls")).toBe("claude -p --model opus\n");
  expectRefusal(
    await box.ralph(...RUN, "--max-tokens", "5"),
    /claude prints plain text and does not report its tokens/,
  );
});

full("a cost limit needs a price if the agent reports none", async () => {
  const box = sandbox();
  agent(box, "codex", `cat ${recorded("codex/03-json-tool")}`);
  const refused = await box.ralph(...RUN, "--agent", "codex", "--max-cost", "1");
  expectRefusal(refused, /codex reports its tokens, but not their cost.*\n.*"price": \{"input": 1\.25, "output": 10\}/);
  expect((await box.ralph(...RUN, "--agent", "codex", "--max-tokens", "1000")).code).toBe(0);
  settings(box, { agent: { command: "codex", price: { input: 10, cachedInput: 1, output: 100 } } });
  expect((await box.ralph(...RUN, "--max-cost", "1")).code).toBe(0);
  expect(await latest(box)).toMatchObject({ costUsd: (120 * 10 + 80 * 1 + 40 * 100) / 1e6 });
});

test("the usage of a turn whose driver was killed is charged at the agent's price", async () => {
  const box = sandbox();
  settings(box, { agent: { command: "amp", price: { input: 10, output: 100 } } });
  const says = (text: string, ...tools: object[]) =>
    `echo '${JSON.stringify({ type: "assistant", message: { content: [{ type: "text", text }, ...tools], usage: { input_tokens: 100, output_tokens: 10 } } })}'`;
  // The work of the interrupted turn: the next one only has to claim.
  const write = { type: "tool_use", id: "t", name: "create_file", input: { path: "work.txt" } };
  const result = `echo '${JSON.stringify({ type: "result", subtype: "success", is_error: false })}'`;
  const second = `${says("<promise>DONE</promise>")}; ${result}`;
  agent(
    box,
    "amp",
    `[ -e ../killed ] && { ${second}; exit; }; touch ../killed; ${says("Working.", write)}; exec sleep 300`,
  );
  const run = box.start([...RUN, "--max-cost", "1"]);
  await run.saw("Working.");
  run.child.kill("SIGKILL");
  await run.ended;
  expect((await box.ralph("resume", "last")).code).toBe(0);
  expect(await latest(box)).toMatchObject({ tokens: 220, costUsd: (2 * (100 * 10 + 10 * 100)) / 1e6 });
});

full("the next agent takes over while one is limited", async () => {
  const box = sandbox();
  settings(box, { agents: [{ command: "claude" }, { command: "codex" }] });
  agent(box, "claude", `cat ${recorded("claude/10-err429-r2")}; exit 1`);
  agent(box, "codex", `cat ${recorded("codex/03-json-tool")}`);
  const { code, stderr } = await box.ralph(...RUN);
  expect(stderr).toContain("rate-limited: API Error: Request rejected (429)");
  expect(code).toBe(0);
  expect(box.read("../calls").match(/^\w+/gm)).toEqual(["claude", "codex"]);
});

full("a lost session is replaced by a new one", async () => {
  const box = sandbox();
  const first = `sed s/promise/p/g ${recorded("claude/01-streamjson-write")}`;
  const bad = `cat ${recorded("claude/06b-resume-bad")}; exit 1`;
  const script = `case "$*" in *--resume*) ${bad};; esac; [ "$RALPH_ITERATION" = 1 ] && { ${first}; exit; }; cat ${recorded("claude/14-partial")}`;
  agent(box, "claude", script);
  const { code, stderr } = await box.ralph(...RUN, "--agent", "claude", "--context", "continue");
  expect(stderr).toContain("its session is gone or full: a new one is started (uses no iteration)");
  expect(code).toBe(0);
});

test("refused tools are reported at once, and the next command is the one with the flags that allow them", async () => {
  const box = sandbox();
  const refused = `sed s/promise/p/g ${recorded("claude/12-root-default")}`;
  agent(
    box,
    "claude",
    `case "$*" in *acceptEdits*) cat ${recorded("claude/01-streamjson-write")};; *) ${refused};; esac`,
  );
  const { code, stdout, stderr } = await box.ralph(...RUN, "--agent", "claude", "--verify", "! test -e no");
  expect(stderr).toContain(
    'in .ralph/settings.json: {"agent":{"command":"claude","flags":["--permission-mode acceptEdits"]}}',
  );
  expect(stdout + stderr).toContain(
    "✗ claude was refused 1 tool: Write (1)\n  ✗ the agent failed (permission-denied): Write",
  );
  const [, id, flags = ""] = /next: ralph resume (\w+) -- (.*)\n/.exec(stderr) ?? [];
  expect(flags).toBe("--permission-mode acceptEdits");
  expect(code).toBe(1);
  const { stdout: why } = await box.ralph("why", id ?? "");
  expect(why).toMatch(/refused +1 tool: Write \(1\)/);
  expect(why).toMatch(/next: ralph resume \w+ -- --permission-mode acceptEdits/);
  expect((await box.ralph("status", id ?? "")).stdout).toMatch(/refused +1 tool: Write \(1\)/);
  const resumed = await box.ralph("resume", id ?? "", "--", ...flags.split(" "));
  expect(resumed.stderr).not.toContain("was refused");
  expect(resumed.code).toBe(0);
});

full.each([
  ["gemini", '{"type":"init","session_id":"s"}', "--approval-mode auto_edit --skip-trust"],
  ["codex", '{"type":"thread.started","thread_id":"s"}', "-s workspace-write"],
])("what %s is refused is read from its own reports", async (name, opened, flags) => {
  const box = sandbox();
  const lines = {
    gemini: [
      opened,
      '{"type":"tool_use","tool_name":"write_file","tool_id":"1","parameters":{"file_path":"a"}}',
      '{"type":"tool_result","tool_id":"1","status":"error","error":{"message":"Tool requires user confirmation"}}',
      '{"type":"result","status":"success"}',
    ],
    // Codex reports it on standard error only.
    codex: [
      opened,
      '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"It is read-only."}}',
      '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}',
    ],
  }[name];
  box.write("stream", `${lines?.join("\n")}\n`);
  const log =
    "2026-01-01T00:00:00Z ERROR codex_core::tools::router: error=patch rejected: writing is blocked by read-only sandbox; rejected by user approval settings";
  agent(box, name, `${name === "codex" ? `echo '${log}' >&2;` : ""} cat "${box.path("stream")}"`);
  const { stderr, code } = await box.ralph(...RUN, "--agent", name);
  expect(stderr).toMatch(/was refused 1 tool: (write_file|edit) \(1\)/);
  expect(stderr).toMatch(/permission-denied/);
  expect(stderr).toContain(` -- ${flags}\n`);
  expect(code).toBe(1);
});

test("a missing login stops the loop at once and says how to log in", async () => {
  const box = sandbox();
  agent(box, "claude", `cat ${recorded("claude/10-err401-r0")}; exit 1`);
  const { code, stderr } = await box.ralph(...RUN, "--agent", "claude");
  expect(stderr).toContain("■ auth: Failed to authenticate. API Error: 401 fake 401; run `claude` and /login");
  expect(code).toBe(1);
  expect(await latest(box)).toMatchObject({ iteration: 0 });
});

full("an agent that hangs at a limit is limited, not timed out", async () => {
  const box = sandbox();
  settings(box, { graceMs: 50, maxWaitMs: 1 });
  agent(box, "gemini", `cat ${recorded("gemini/10-err429")}; cat '${CAPTURES}/gemini/10-err429/stderr' >&2; sleep 300`);
  const { stderr } = await box.ralph(...RUN, "--agent", "gemini", "--idle-timeout", "2s");
  expect(stderr).toMatch(/rate-limited: Attempt 2 failed with status 429.*; it printed nothing for 2s/);
});

full("an agent's own output is logged unchanged", async () => {
  const box = sandbox();
  agent(box, "opencode", `cat ${recorded("opencode/01-json-write")}`);
  expect((await box.ralph(...RUN, "--agent", "opencode")).code).toBe(0);
  expect((await box.ralph("logs", "--raw")).stdout).toContain('{"type":"step_start"');
  expect((await box.ralph("logs")).stdout).toContain("→ write /repo/hello.txt");
});
