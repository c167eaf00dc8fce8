import { describe, expect, test } from "vitest";
import { KINDS, kindOf } from "../../../test/support/kinds.ts";
import { someAgent } from "../../../test/support/spec.ts";
import type { AgentRun } from "../../core/agent.ts";
import type { AgentSpec } from "../../core/agent-spec.ts";
import { knownAgent } from "./known.ts";

const NOW = Date.UTC(2026, 0, 2, 12, 0);

function call(name: string, agent: Partial<AgentSpec> = {}, run: Partial<AgentRun> = {}) {
  const adapter = knownAgent(kindOf(`${name}/`), someAgent(name, agent));
  const flags = agent.flags ?? [];
  const command = adapter.command({
    prompt: "Do it.",
    flags,
    sessionId: null,
    iteration: 2,
    attempt: 1,
    purpose: "work",
    ...run,
  });
  return { ...command, line: command.args.join(" "), streams: adapter.open !== undefined };
}

describe("the command line", () => {
  test.each([
    ["claude", "-p --output-format stream-json --verbose --model opus", "--resume ID"],
    ["codex", "e --json --skip-git-repo-check --model opus", "resume ID -"],
    ["amp", "-x --stream-json --model opus", null],
    ["gemini", "--output-format stream-json --model opus", "--resume ID"],
    ["opencode", "run --format json --model opus", "--session ID"],
    ["qwen", "--output-format stream-json --model opus", "--resume ID"],
  ])("%s: subcommand, our flags, the user's flags, the session; the prompt on stdin", (name, fresh, resumed) => {
    const flags = ["--model", "opus"];
    expect(call(name, { flags })).toMatchObject({ file: name, line: fresh, stdin: "Do it.", streams: true });
    if (resumed) expect(call(name, { flags }, { sessionId: "ID" }).line).toBe(`${fresh} ${resumed}`);
  });

  test("amp resumes a thread with a subcommand before all other arguments", () => {
    expect(call("amp", {}, { sessionId: "T-1" }).line).toBe("threads continue T-1 -x --stream-json");
  });

  test.each([
    ["claude", "-p"],
    ["codex", "e --skip-git-repo-check"],
    ["amp", "-x"],
    ["gemini", ""],
    ["opencode", "run"],
    ["qwen", ""],
  ])("%s in text mode gets no stream flags", (name, line) => {
    expect(call(name, { output: "text" })).toMatchObject({ line, stdin: "Do it.", streams: false });
  });

  test.each([
    ["claude", ["-p", "--output-format", "stream-json", "--verbose", "--", "- a"]],
    ["codex", ["e", "--json", "--skip-git-repo-check", "--", "- a"]],
    ["amp", ["--stream-json", "--execute=- a"]],
    ["gemini", ["--output-format", "stream-json", "--prompt=- a"]],
    ["opencode", ["run", "--format", "json", "--", "- a"]],
    ["qwen", ["--output-format", "stream-json", "--prompt=- a"]],
  ])("%s gets a prompt that begins with a dash as an argument", (name, args) => {
    expect(call(name, { promptBy: "argument" }, { prompt: "- a" })).toMatchObject({ args, stdin: null });
  });

  test.each(KINDS.map(({ name }) => name))("%s: an id read from output never becomes a flag", (name) => {
    for (const sessionId of ["--yolo", "-x", "a b", ""])
      expect(call(name, {}, { sessionId }).line).toBe(call(name).line);
  });

  test("a resumed codex session gets the prompt as an argument too", () => {
    const { args } = call("codex", { promptBy: "argument" }, { sessionId: "ID" });
    expect(args.slice(-4)).toEqual(["resume", "ID", "--", "Do it."]);
  });

  test("a flag that marks the prompt's place gets the prompt", () => {
    const { args, stdin } = call("claude", { flags: ["--append-system-prompt", "Task: {prompt}"] });
    expect([args.at(-1), stdin]).toEqual(["Task: Do it.", null]);
  });

  test("an agent is run from the given file", () => {
    expect(knownAgent(kindOf("claude/"), someAgent("/opt/claude")).command(someRun()).file).toBe("/opt/claude");
  });

  test("a script gets its position in the loop in environment variables", () => {
    expect(call("codex", {}, { sessionId: "ID" }).env).toEqual({
      RALPH_ITERATION: "2",
      RALPH_ATTEMPT: "1",
      RALPH_SESSION: "ID",
      RALPH_PURPOSE: "work",
    });
  });
});

const someRun = (): AgentRun => ({ prompt: "", flags: [], sessionId: null, iteration: 1, attempt: 1, purpose: "work" });

describe("the user's flags take precedence", () => {
  test.each<[string, string[], string, boolean]>([
    ["claude", ["--output-format", "text"], "-p --output-format text", false],
    ["claude", ["--output-format=text"], "-p --output-format=text", false],
    ["claude", ["--output-format=stream-json"], "-p --verbose --output-format=stream-json", true],
    ["claude", ["--verbose"], "-p --output-format stream-json --verbose", true],
    ["codex", ["--json"], "e --skip-git-repo-check --json", true],
    ["codex", ["--experimental-json"], "e --skip-git-repo-check --experimental-json", true],
    ["codex", ["--skip-git-repo-check"], "e --json --skip-git-repo-check", true],
    ["amp", ["--stream-json-thinking"], "-x --stream-json-thinking", true],
    ["gemini", ["-o=text"], "-o=text", false],
    ["gemini", ["--output-format", "json", "-o", "stream-json"], "--output-format json -o stream-json", true],
    ["qwen", ["-o", "text"], "-o text", false],
    ["opencode", ["--format", "default"], "run --format default", false],
    ["opencode", ["--format=json"], "run --format=json", true],
  ])("%s %j", (name, flags, line, streams) => {
    expect(call(name, { flags })).toMatchObject({ line: line.trim(), streams });
  });

  test.each<[string, string[]]>([
    ["claude", ["--resume", "OTHER"]],
    ["claude", ["-c"]],
    ["claude", ["--session-id=OTHER"]],
    ["codex", ["resume", "--last"]],
    ["gemini", ["-r", "latest"]],
    ["opencode", ["-s", "OTHER"]],
    ["qwen", ["--continue"]],
    ["amp", ["threads", "continue", "OTHER"]],
  ])("%s %j: over our session", (name, flags) => {
    expect(call(name, { flags }, { sessionId: "ID" }).args).not.toContain("ID");
  });
});

describe("a question", () => {
  test.each<[string, AgentRun["model"], string]>([
    ["claude", "cheap", "--model haiku"],
    ["gemini", "cheap", "-m flash"],
    ["claude", { name: "opus" }, "--model opus"],
    ["codex", { name: "small" }, "-m small"],
    ["opencode", { name: "a/b" }, "-m a/b"],
    ["qwen", { name: "small" }, "-m small"],
  ])("to %s with the model %j replaces the model in its flags", (name, model, flags) => {
    const { line } = call(name, { flags: ["--model", "large"] }, { purpose: "ask", ...(model ? { model } : {}) });
    expect(line).toContain(flags);
    expect(line).not.toContain("large");
  });

  test.each(["codex", "opencode", "qwen"])("to %s keeps its model if no cheap one is known", (name) => {
    const { line } = call(name, { flags: ["--model", "large"] }, { purpose: "ask", model: "cheap" });
    expect(line).toContain("--model large");
  });

  test("resumes no session", () => {
    const { line } = call("claude", { flags: ["--continue", "--resume", "OTHER", "--verbose"] }, { purpose: "ask" });
    expect(line).not.toMatch(/OTHER|--resume|--continue/);
    expect(line).toContain("--verbose");
  });

  test("in an empty folder needs no trust prompt", () => {
    expect(call("gemini", {}, { purpose: "ask", apart: true }).env).toMatchObject({
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    });
    expect(call("gemini", {}, { purpose: "ask" }).env).not.toHaveProperty("GEMINI_CLI_TRUST_WORKSPACE");
  });
});

describe("a question changes nothing", () => {
  test.each<[string, string[], string]>([
    [
      "claude",
      ["--dangerously-skip-permissions", "--model", "opus"],
      "--tools Read,Glob,Grep --strict-mcp-config --model opus",
    ],
    [
      "claude",
      ["--allowedTools", "Bash", "Edit", "--permission-mode=acceptEdits"],
      "--tools Read,Glob,Grep --strict-mcp-config",
    ],
    ["codex", ["--dangerously-bypass-approvals-and-sandbox"], "e --json --skip-git-repo-check -s read-only"],
    ["codex", ["-s", "workspace-write", "-m", "x"], "--skip-git-repo-check -s read-only -m x"],
    ["gemini", ["--yolo", "--skip-trust"], "--approval-mode plan --skip-trust"],
    ["qwen", ["-y"], "--approval-mode plan"],
    ["opencode", ["--auto", "--agent", "build"], "run --format json --agent plan"],
    ["amp", ["--dangerously-allow-all"], "-x --stream-json"],
  ])("%s %j", (name, flags, line) => {
    expect(call(name, { flags }, { purpose: "ask" }).line).toMatch(new RegExp(`${line}$`));
  });
});

test("a question takes the place of the prompt", () => {
  const flags = ["--dangerously-skip-permissions", "{prompt}", "--model", "opus"];
  const { args } = call("claude", { flags }, { purpose: "ask", prompt: "Why?" });
  expect(args.slice(-3)).toEqual(["Why?", "--model", "opus"]);
});

const remains = (more: object) => ({ exitCode: 1, stdout: "", stderr: "", ...more });
const diagnose = (name: string, more: object, output: AgentSpec["output"] = "text") =>
  knownAgent(kindOf(`${name}/`), someAgent(name, { output })).diagnose?.(remains(more), NOW) ?? null;

describe("classifying the last output of a CLI", () => {
  // Messages of claude -p, codex e, gemini, qwen and opencode run against servers that refuse; usage limits from
  // slopus/happy#465, terryso/claude-auto-resume#26, openai/codex#3257 and google-gemini/gemini-cli#22107.
  test.each<[string, object, string]>([
    ["claude", { stdout: "You've hit your limit · resets 1pm (Europe/Lisbon)" }, "rate-limited"],
    [
      "claude",
      { stdout: "You've hit your session limit · resets 4:20am (Europe/Warsaw)", exitCode: 0 },
      "rate-limited",
    ],
    ["claude", { stdout: "Claude AI usage limit reached|1767362400", exitCode: 0 }, "rate-limited"],
    [
      "claude",
      { stdout: "5-hour limit reached ∙ resets 3pm\n /upgrade to increase your usage limit." },
      "rate-limited",
    ],
    ["claude", { stdout: "Weekly limit reached ∙ resets Oct 9, 5pm", exitCode: 0 }, "rate-limited"],
    ["claude", { stdout: "I changed a file.\nAPI Error: Request rejected (429) · fake 429" }, "rate-limited"],
    ["claude", { stdout: "Not logged in · Please run /login" }, "auth"],
    ["claude", { stdout: "Prompt is too long" }, "context-exceeded"],
    ["codex", { stderr: "user\nx\nERROR: exceeded retry limit, last status: 429 Too Many Requests" }, "rate-limited"],
    [
      "codex",
      { stderr: "ERROR: You've hit your usage limit. Try again in 4 days 20 hours 9 minutes." },
      "rate-limited",
    ],
    ["codex", { stderr: "ERROR: Your access token could not be refreshed. Please log out and sign in again." }, "auth"],
    ["codex", { stderr: "ERROR: Missing environment variable: `OPENAI_API_KEY`." }, "auth"],
    ["codex", { stderr: "ERROR: unexpected status 401 Unauthorized: fake 401, url: http://x/" }, "auth"],
    ["codex", { stderr: "ERROR: Reconnecting... waiting for network", exitCode: null }, "network"],
    [
      "gemini",
      {
        stderr:
          "Attempt 1 failed: You have exhausted your capacity on this model. Your quota will reset after 5s.. Retrying after 6173ms...",
      },
      "rate-limited",
    ],
    [
      "gemini",
      { stderr: "Please set an Auth method in your ~/.gemini/settings.json or specify one of the following" },
      "auth",
    ],
    [
      "gemini",
      { stderr: "Gemini CLI is not running in a trusted directory. To proceed, either use `--skip-trust`" },
      "permission-denied",
    ],
    ["qwen", { stderr: "[API Error: 401 fake 401]" }, "auth"],
    [
      "qwen",
      { stderr: "Retrying in 60s (attempt 1/10): [API Error: 429 fake 429]\nOperation cancelled." },
      "rate-limited",
    ],
    ["opencode", { stderr: "> build · m\n\nError: Session not found" }, "bad-session"],
    ["opencode", { stderr: "Error: Unable to connect. Is the computer able to access the url?" }, "network"],
    ["amp", { stderr: "Error: Invalid thread URL or ID: T-1\n\nProvide a valid thread URL" }, "bad-session"],
    ["amp", { stderr: "\nLogin failed: That code looks incomplete." }, "auth"],
  ])("%s: %j", (name, more, kind) => {
    expect(diagnose(name, more)).toMatchObject({ kind });
  });

  test("the reset time of a limit is read", () => {
    expect(diagnose("claude", { stdout: "Claude AI usage limit reached|1767362400" })?.retryAtMs).toBe(
      1_767_362_400_000,
    );
  });

  test("with a stream, standard error counts for any exit code", () => {
    const more = { stderr: "Attempt 3 failed with status 429. Retrying with backoff... _ApiError: {}", exitCode: 0 };
    expect(diagnose("gemini", more, "stream")).toMatchObject({ kind: "rate-limited" });
  });

  const INNOCENT = [
    "added ratelimit@2.1.0 to package.json",
    "- return res.status(429)",
    "✗ test: usage limit reached",
    "Session limit reached: the handler answers 429",
    "I handle HTTP 429 Too Many Requests and rate_limit_error now.",
    "The docs say: API Error: 429 means that you've hit your limit",
    'throw new Error("You\'ve hit your limit · resets 3pm");',
    "Invalid API key: the handler returns 401",
    "  - Retrying in 60s",
    "overloaded_error is retried",
    "ECONNREFUSED 127.0.0.1:5432",
    "the prompt is too long to be shown",
    "Session not found: covered by a test",
  ];
  test.each(KINDS.map(({ name }) => name))("%s: text about errors in an answer is part of its work", (name) => {
    for (const line of INNOCENT) {
      for (const exitCode of [0, 1, null]) {
        expect([line, exitCode, diagnose(name, { stdout: `${line}\nand more`, exitCode })]).toEqual([
          line,
          exitCode,
          null,
        ]);
        expect([line, exitCode, diagnose(name, { stderr: line, exitCode })]).toEqual([line, exitCode, null]);
      }
    }
  });

  test.each([
    ["claude", "You've hit your limit · resets 1pm (Europe/Lisbon)"],
    ["claude", "API Error: 529 overloaded"],
    ["qwen", "[API Error: 429 fake 429]"],
    ["gemini", "[API Error: You have exhausted your daily quota on this model.]"],
  ])("%s: its own error message inside a successful answer is part of the answer: %s", (name, message) => {
    expect(diagnose(name, { stdout: `The log says:\n${message}\n<promise>DONE</promise>`, exitCode: 0 })).toBeNull();
    expect(diagnose(name, { stdout: "Done.", stderr: message, exitCode: 0 })).toBeNull();
  });
});

test.each(["claude", "gemini", "qwen"])("%s: a document that quotes the text is refused", (name) => {
  const agent = someAgent(name, { flags: ["--output-format=json"] });
  expect(() => knownAgent(kindOf(`${name}/`), agent)).toThrow(
    expect.objectContaining({ code: "output-unreadable", exitCode: 2 }),
  );
});

test("a backtrace does not hide codex's last message", () => {
  const stderr =
    "user\nx\nError: thread/resume: thread/resume failed: no rollout found\nStack backtrace:\n  0: a\n  1: b\n  2: c\n  3: d";
  expect(diagnose("codex", { stderr, exitCode: 1 })).toMatchObject({ kind: "bad-session" });
});

test("output that codex repeats on standard error is not an error of its own", () => {
  const quoted = "user\nWhat does this mean?\nERROR: You've hit your usage limit.\nand\nmore\nof\nthe\ntranscript";
  expect(diagnose("codex", { stderr: quoted, exitCode: 1 })).toBeNull();
});
