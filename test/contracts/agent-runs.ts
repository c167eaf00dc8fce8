import type { Transcript } from "../support/captures.ts";

/** The expected result of a recorded run. */
export interface Row extends Transcript {
  output?: "text";
  /** The detail of the fault, or a part of it. */
  detail?: string;
}

/** Runs of the real CLIs, recorded with a scripted model server, and the result of each. */
export const RUNS: readonly [string, Row][] = [
  [
    "claude/01-streamjson-write",
    {
      said: ["I will write the file.", "All done. <promise>DONE</promise>"],
      tools: ["Write /repo/hello.txt"],
      session: "7c975a6a-1642-42f2-aca6-c0088b70fd07",
      usage: [200, 0, 40, 0.0012],
      claim: "DONE",
    },
  ],
  ["claude/02-text", { output: "text", claim: "DONE" }],
  [
    "claude/05-resume",
    {
      said: ["All done. <promise>DONE</promise>"],
      session: "7c975a6a-1642-42f2-aca6-c0088b70fd07",
      usage: [100, 0, 20, 0.0006],
      claim: "DONE",
    },
  ],
  [
    "claude/06b-resume-bad",
    { fault: "bad-session", detail: "No conversation found with session ID: 11111111-1111-4111-8111-111111111111" },
  ],
  [
    "claude/10-err400",
    { session: "3b722431-2440-4ac1-8e4b-175ea92e73cf", fault: "crashed", detail: "API Error: 400 fake 400" },
  ],
  [
    "claude/10-err401-r0",
    {
      session: "e1074d8a-0061-4f18-ac8b-c53218710576",
      fault: "auth",
      detail: "Failed to authenticate. API Error: 401 fake 401; run `claude` and /login, or set ANTHROPIC_API_KEY",
    },
  ],
  [
    "claude/10-err429-r2",
    {
      stalled: ["rate-limited", "rate-limited"],
      session: "499e4367-920f-425b-bd70-2356dd6b51df",
      fault: "rate-limited",
      detail: "API Error: Request rejected (429) · fake 429",
    },
  ],
  [
    "claude/10-err500-r2",
    {
      stalled: ["overloaded", "overloaded"],
      session: "793c0f9f-d57a-4ce3-8c9f-2420796a0062",
      fault: "overloaded",
      detail: "API Error: 500 fake 500.",
    },
  ],
  ["claude/10-err500-r2-text", { output: "text", fault: "overloaded", detail: "API Error: 500 fake 500." }],
  [
    "claude/11-sigINT",
    {
      said: ["partial text so far"],
      session: "341e25ed-4d4c-41c8-89b3-86515ea94011",
      usage: [100, 0, 1, 0],
      fault: "crashed",
      detail: "[ede_diagnostic] result_type=user last_content_type=n/a stop_reason=null",
    },
  ],
  [
    "claude/11-sigTERM",
    {
      said: ["partial text so far"],
      session: "3e8f8238-f278-4190-8d77-a79c97cb2cf6",
      usage: [100, 0, 1, 0],
      fault: "crashed",
      detail: "claude ended with exit code 143",
    },
  ],
  [
    "claude/12-root-default",
    {
      said: ["I will write the file.", "All done. <promise>DONE</promise>"],
      tools: ["Write /repo/hello.txt"],
      denied: ["Write: Claude requested permissions to write to /repo/hello.txt, but you haven't granted it yet."],
      session: "ed185f42-afd7-43a2-a56d-955b22b6ff5d",
      usage: [200, 0, 40, 0.0016],
      claim: "DONE",
    },
  ],
  [
    "claude/13-maxturns",
    {
      said: ["step", "step", "step"],
      tools: ["Bash date +%s >> loop.txt", "Bash date +%s >> loop.txt", "Bash date +%s >> loop.txt"],
      session: "d8e7e6f1-aa89-4e22-9a18-9e9f27ef90c5",
      usage: [300, 0, 60, 0.0024],
      fault: "crashed",
      detail: "its own turn limit: Reached maximum number of turns (3)",
    },
  ],
  [
    "claude/13c-budget",
    {
      said: ["step", "step", "step"],
      tools: ["Bash date +%s >> loop.txt", "Bash date +%s >> loop.txt", "Bash date +%s >> loop.txt"],
      session: "3f96e14d-5984-4ec6-bdad-a1ca42da7542",
      usage: [300, 0, 60, 0.0024],
      fault: "crashed",
      detail: "its own cost limit: Reached maximum budget ($0.002)",
    },
  ],
  [
    "claude/14-partial",
    {
      said: ["I will write the file.", "All done. <promise>DONE</promise>"],
      tools: ["Write /repo/hello.txt"],
      session: "6275fa29-b058-4905-85e1-869baaf421e4",
      usage: [200, 0, 40, 0.0016],
      claim: "DONE",
    },
  ],
  [
    "claude/20-stophook",
    {
      said: ["first try, not finished", "second", "second try, not finished", "finished <promise>DONE</promise>"],
      tools: ["Bash echo work >> log.txt"],
      claim: "DONE",
      session: "2ff4b859-9c07-4550-86d1-5045c55e6cda",
      usage: [400, 0, 80, 0.0024],
    },
  ],
  [
    "claude/21-stophook-cap",
    {
      said: [
        "still not finished",
        "still not finished",
        "still not finished",
        "still not finished",
        "still not finished",
        "still not finished",
        "still not finished",
        "still not finished",
        "still not finished",
      ],
      session: "da9c7427-b5f2-433a-8ef4-a4fcbfd739b4",
      usage: [900, 0, 180, 0.0054],
    },
  ],
  [
    "claude/24-stophook-exit2",
    {
      said: ["first try, not finished", "second", "second try, not finished"],
      tools: ["Bash echo work >> log.txt"],
      session: "a63c5d67-e894-44eb-a122-9a9db6bad697",
      usage: [300, 0, 60, 0.0024],
    },
  ],
  ["codex/01-text", { output: "text", claim: "DONE" }],
  [
    "codex/03-json-tool",
    {
      said: ["I will write the file.", "All done. <promise>DONE</promise>"],
      tools: ["shell echo hello from codex > hello.txt && cat hello.txt"],
      session: "01a1de0c-36aa-7970-9b3a-950b2c917ac6",
      usage: [200, 80, 40, 0],
      claim: "DONE",
    },
  ],
  ["codex/03b-text-tool", { output: "text", claim: "DONE" }],
  [
    "codex/05-resume",
    {
      said: ["All done. <promise>DONE</promise>"],
      session: "01a1de0c-36aa-7970-9b3a-950b2c917ac6",
      usage: [300, 120, 60, 0],
      claim: "DONE",
    },
  ],
  [
    "codex/10-err401",
    {
      stalled: ["auth"],
      session: "01a1de0d-341c-73d1-85b0-8096033b2905",
      fault: "auth",
      detail:
        "unexpected status 401 Unauthorized: fake 401, url: http://127.0.0.1:4010/v1/responses; run `codex login`, or set OPENAI_API_KEY",
    },
  ],
  [
    "codex/10-err429",
    {
      session: "01a1de0d-372f-7f62-b030-dda2f558c493",
      fault: "rate-limited",
      detail: "exceeded retry limit, last status: 429 Too Many Requests",
    },
  ],
  [
    "codex/10-err500",
    {
      stalled: ["overloaded"],
      session: "01a1de0d-29b9-7191-8281-cb86bd7a0c6e",
      fault: "overloaded",
      detail: "We’re currently experiencing high demand, which may cause temporary errors.",
    },
  ],
  [
    "codex/11-sigINT",
    {
      said: ["partial text so far"],
      session: "01a1de0d-3e9c-7f63-bf53-a804d4b84b64",
      fault: "crashed",
      detail: "codex ended with exit code 1",
    },
  ],
  [
    "codex/16-patch",
    {
      said: ["All done. <promise>DONE</promise>"],
      tools: ["edit add /repo/patched.txt"],
      session: "01a1de0d-674b-7022-b3cf-1bba5a010033",
      usage: [200, 80, 40, 0],
      claim: "DONE",
    },
  ],
  [
    "codex/18-resume-bad",
    {
      fault: "bad-session",
      detail:
        "Error: thread/resume: thread/resume failed: no rollout found for thread id 01a1de0c-0000-7970-9b3a-950b2c917ac6 (code -32600)",
    },
  ],
  [
    "codex/20-stophook",
    {
      said: ["first try, not finished", "second try", "second try, not finished", "finished <promise>DONE</promise>"],
      tools: ["shell echo work >> log.txt"],
      claim: "DONE",
      session: "01a1de0d-fb6c-73b2-882e-fed82bf9b39d",
      usage: [400, 160, 80, 0],
    },
  ],
  ["amp/01-execute", { fault: "crashed", detail: "Error: API request for getUserInfo failed: 404" }],
  ["amp/02-stub", { fault: "crashed", detail: "Error: Unexpected error inside Amp CLI." }],
  [
    "gemini/01-streamjson-write",
    {
      said: ["I will write the file.", "All done. <promise>DONE</promise>"],
      tools: ["write_file /repo/hello.txt"],
      session: "5d507507-dc3e-40c7-a00d-204b4bdf3c00",
      usage: [200, 0, 40, 0],
      claim: "DONE",
    },
  ],
  ["gemini/02-text", { output: "text", claim: "DONE" }],
  [
    "gemini/05-resume",
    {
      said: ["All done. <promise>DONE</promise>"],
      session: "5d507507-dc3e-40c7-a00d-204b4bdf3c00",
      usage: [100, 0, 20, 0],
      claim: "DONE",
    },
  ],
  [
    "gemini/05c-resume-bad",
    {
      fault: "bad-session",
      detail: 'Error resuming session: Invalid session identifier "11111111-1111-4111-8111-111111111111".',
    },
  ],
  [
    "gemini/10-err401",
    {
      session: "ba890f8a-2e96-46f9-9655-0795ba15465e",
      fault: "auth",
      detail:
        '[API Error: {"error":{"code":401,"message":"fake 401","status":"UNAUTHENTICATED"}}]; run `gemini` and sign in, or set GEMINI_API_KEY',
    },
  ],
  [
    "gemini/10-err429",
    {
      session: "a646f7a5-b69d-4967-a68c-aa81bad63309",
      fault: "rate-limited",
      detail:
        'Attempt 2 failed with status 429. Retrying with backoff... _ApiError: {"error":{"code":429,"message":"fake 429","status":"RESOURCE_EXHAUSTED"}}; it printed nothing for 500ms',
    },
  ],
  [
    "gemini/10-err500",
    {
      session: "0e0676d7-6033-4c81-898b-4f849076e90d",
      fault: "overloaded",
      detail:
        'Attempt 2 failed with status 500. Retrying with backoff... _ApiError: {"error":{"code":500,"message":"fake 500","status":"INTERNAL"}}; it printed nothing for 500ms',
    },
  ],
  [
    "gemini/11-sigINT",
    {
      said: ["partial text so far"],
      session: "7dfd72ac-de22-4853-a67a-1761c53e2810",
      fault: "timed-out",
      detail: "it printed nothing for 500ms",
    },
  ],
  [
    "gemini/13b-maxturns-trustenv",
    {
      said: ["step", "step"],
      tools: ["run_shell_command date >> loop.txt", "run_shell_command date >> loop.txt"],
      session: "be2479a1-a80d-4ac9-b5f7-3df74f5fdbe6",
      usage: [200, 0, 40, 0],
      fault: "crashed",
      detail:
        "FatalTurnLimitedError: Reached max session turns for this session. Increase the number of turns by specifying maxSessionTurns in settings.json.",
    },
  ],
  [
    "opencode/01-json-write",
    {
      said: ["I will write the file.", "All done. <promise>DONE</promise>"],
      tools: ["write /repo/hello.txt"],
      session: "ses_e21f12422ffemMaBc9zl7cJB3o",
      usage: [200, 0, 40, 0.0012],
      claim: "DONE",
    },
  ],
  ["opencode/02-text", { output: "text", claim: "DONE" }],
  [
    "opencode/05-resume",
    {
      said: ["All done. <promise>DONE</promise>"],
      session: "ses_e21f12422ffemMaBc9zl7cJB3o",
      usage: [100, 0, 20, 0.0006],
      claim: "DONE",
    },
  ],
  ["opencode/05c-badsession", { fault: "bad-session", detail: "Error: Session not found" }],
  [
    "opencode/10c-mainerr401",
    {
      session: "ses_e21eab6beffeoocmOjpkGGdnJK",
      fault: "auth",
      detail: "APIError: fake 401; run `opencode auth login`",
    },
  ],
  [
    "opencode/10d-mainerr500",
    { session: "ses_e21e98c18ffePWI2p0Kj0PQXV9", fault: "overloaded", detail: "APIError: fake 500" },
  ],
  [
    "opencode/10e-mainerr429",
    { session: "ses_e21d11e2fffeMqYe6pZmZflwrC", fault: "rate-limited", detail: "APIError: fake 429" },
  ],
  [
    "opencode/14-outside",
    {
      said: ["w"],
      tools: ["write /repo/x.txt"],
      denied: ["write: The user rejected permission to use this specific tool call."],
      session: "ses_e21d5a38fffeONtYJ2GLrKn3ZV",
      usage: [100, 0, 20, 0.0006],
      fault: "permission-denied",
      detail:
        'it stopped when write was refused (The user rejected permission to use this specific tool call.); allow it in .ralph/settings.json: "flags": ["--auto"], or "permission" in opencode.json',
    },
  ],
  [
    "qwen/01-write-1",
    {
      said: ["I will write the file.", "All done. <promise>DONE</promise>"],
      tools: ["write_file /repo/hello.txt"],
      session: "9c9f86e7-a7d5-4359-8a83-821677608c9d",
      usage: [200, 0, 40, 0],
      claim: "DONE",
    },
  ],
  [
    "qwen/01c-new-node20",
    {
      said: ["All done. <promise>DONE</promise>"],
      session: "bbf0faa4-fd1a-41e3-a501-1de0150d1f11",
      usage: [200, 0, 40, 0],
      claim: "DONE",
    },
  ],
  ["qwen/02-text", { output: "text", claim: "DONE" }],
  [
    "qwen/05-resume",
    {
      said: ["All done. <promise>DONE</promise>"],
      session: "9c9f86e7-a7d5-4359-8a83-821677608c9d",
      usage: [400, 0, 80, 0],
      claim: "DONE",
    },
  ],
  [
    "qwen/05b-continue",
    {
      said: ["All done. <promise>DONE</promise>"],
      session: "9c9f86e7-a7d5-4359-8a83-821677608c9d",
      usage: [600, 0, 120, 0],
      claim: "DONE",
    },
  ],
  [
    "qwen/05c-badresume",
    {
      fault: "bad-session",
      detail:
        "No saved session found with ID 11111111-1111-4111-8111-111111111111. Run `qwen --resume` without an ID to choose from existing sessions.",
    },
  ],
  [
    "qwen/10-err400",
    { session: "07170604-06fc-4952-8a3a-37c237a26978", fault: "crashed", detail: "[API Error: 400 fake 400]" },
  ],
  [
    "qwen/10-err401",
    {
      session: "88a48b40-f337-47eb-8902-dcd70a08e43a",
      fault: "auth",
      detail:
        "[API Error: 401 fake 401]; run `qwen` and /auth, or set OPENAI_API_KEY, OPENAI_BASE_URL and OPENAI_MODEL",
    },
  ],
  [
    "qwen/10-err429",
    {
      session: "06e7d438-dec8-4f1d-aae9-4a98826eab91",
      fault: "rate-limited",
      detail: "Retrying in 120s (attempt 2/10): [API Error: 429 fake 429]; it printed nothing for 500ms",
    },
  ],
  [
    "qwen/10-err500",
    { session: "a6bcca6c-b2af-43cd-b5fe-933306999830", fault: "overloaded", detail: "[API Error: 500 fake 500]" },
  ],
  [
    "qwen/13-maxturns",
    {
      said: ["step", "step"],
      tools: ["run_shell_command date >> loop.txt", "run_shell_command date >> loop.txt"],
      session: "e0b32b68-0455-4d38-9a59-7ac2a95bf6de",
      usage: [200, 0, 40, 0],
      fault: "crashed",
      detail:
        "Reached max session turns for this session. Increase the number of turns by specifying maxSessionTurns in settings.json.",
    },
  ],
];
