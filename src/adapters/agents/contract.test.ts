import { agentContract } from "../../../test/contracts/agents.ts";
import { amp } from "./amp.ts";
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import { qwen } from "./qwen.ts";

const claudeSays = (text: string, more = {}, message = {}) => [
  {
    type: "assistant",
    message: { id: "msg_1", model: "claude-opus", role: "assistant", content: [{ type: "text", text }], ...message },
    parent_tool_use_id: null,
    session_id: "s1",
    ...more,
  },
];
const claudeInit = (model: unknown) => [{ type: "system", subtype: "init", session_id: "s1", model }];
const claudeBlock = (block: object) => claudeSays("", {}, { content: [block] });
const claudeResult = (more = {}) => [
  {
    type: "result",
    subtype: "success",
    is_error: false,
    result: "",
    session_id: "s1",
    permission_denials: [],
    ...more,
  },
];
const claudeOthers = {
  "a sub-agent": (text: string) => claudeSays(text, { parent_tool_use_id: "toolu_1" }),
  thinking: (text: string) => claudeBlock({ type: "thinking", thinking: text }),
  "a tool's input": (text: string) => claudeBlock({ type: "tool_use", name: "Write", input: { content: text } }),
  "a tool's output": (text: string) => [
    { type: "user", message: { role: "user", content: [{ type: "tool_result", content: text }] } },
  ],
  "the prompt": (text: string) => [{ type: "user", message: { role: "user", content: [{ type: "text", text }] } }],
  "a notice": (text: string) => [{ type: "system", subtype: "informational", content: text }],
  "the result's copy": (text: string) => claudeResult({ result: text }),
};

// Messages that no recorded run contains come from the CLIs' sources or from bug reports:
// anthropics/claude-code#11429 (…|epoch), #31916 and #21562 (resets …), #12802 and #8739 (limit reached), openai/codex#3899,
// #21047 and #6498, codex-rs protocol/src/error.rs, google-gemini/gemini-cli#13004, #22107 and #4430.
const claudeFails = (result: string, more = {}) => claudeResult({ is_error: true, result, ...more });
agentContract({
  kind: claude,
  said: claudeSays,
  success: claudeResult(),
  opening: claudeInit,
  others: {
    ...claudeOthers,
    "an error in the assistant's place": (text) => claudeSays(text, {}, { model: "<synthetic>" }),
    "a sub-agent's fragment": (text) => [
      { type: "stream_event", parent_tool_use_id: "t", event: { type: "message_start", message: { id: "m" } } },
      {
        type: "stream_event",
        parent_tool_use_id: "t",
        event: { type: "content_block_start", content_block: { type: "text" } },
      },
      {
        type: "stream_event",
        parent_tool_use_id: "t",
        event: { type: "content_block_delta", delta: { type: "text_delta", text } },
      },
    ],
  },
  errors: {
    "a usage limit of earlier versions": [claudeFails("Claude AI usage limit reached|1762952400"), "rate-limited"],
    "a usage limit of later versions": [claudeFails("5-hour limit reached ∙ resets 3pm"), "rate-limited"],
    "a session limit": [claudeFails("Session limit reached ∙ resets 4am"), "rate-limited"],
    "a weekly limit": [claudeFails("Opus weekly limit reached ∙ resets Oct 9, 5pm"), "rate-limited"],
    "an expired login": [claudeFails("OAuth session expired and could not be refreshed"), "auth"],
    "a usage limit": [claudeFails("You've hit your session limit · resets 4:20am (Europe/Warsaw)"), "rate-limited"],
    "an overload": [claudeFails("API Error: 529 overloaded", { api_error_status: 529 }), "overloaded"],
    "an overload by its message": [claudeFails('API Error: {"type":"overloaded_error"}'), "overloaded"],
    "a missing login": [claudeFails("Not logged in · Please run /login"), "auth"],
    "used-up credit": [claudeFails("Credit balance is too low", { api_error_status: 400 }), "auth"],
    "a full context": [claudeFails("Prompt is too long", { api_error_status: 400 }), "context-exceeded"],
    "a lost network": [claudeFails("API Error: Connection refused (ECONNREFUSED)"), "network"],
    "an error without a message": [claudeResult({ is_error: true }), "crashed"],
    "a success without the error flag": [claudeResult({ is_error: undefined }), "crashed"],
  },
});

agentContract({
  kind: qwen,
  said: claudeSays,
  success: claudeResult(),
  opening: claudeInit,
  others: { ...claudeOthers, "an error in the assistant's place": (text) => claudeSays(`[API Error: ${text}]`) },
  errors: {
    "a lost network": [
      claudeResult({
        subtype: "error_during_execution",
        is_error: true,
        error: { message: "[API Error: Connection error.]" },
      }),
      "network",
    ],
    "no login": [
      claudeResult({
        subtype: "error_during_execution",
        is_error: true,
        error: { message: "No auth type is selected." },
      }),
      "auth",
    ],
  },
});

agentContract({
  kind: amp,
  said: claudeSays,
  success: claudeResult(),
  opening: claudeInit,
  others: claudeOthers,
  errors: {
    "an error": [claudeResult({ subtype: "error_during_execution", is_error: true, error: "it broke" }), "crashed"],
  },
});

const item = (item: object, type = "item.completed") => [{ type, item: { id: "item_1", ...item } }];
const codexFails = (message: string) => [{ type: "turn.failed", error: { message } }];
agentContract({
  kind: codex,
  said: (text) => item({ type: "agent_message", text }),
  success: [{ type: "turn.completed", usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } }],
  opening: null,
  others: {
    thinking: (text) => item({ type: "reasoning", text }),
    "a tool's output": (text) => item({ type: "command_execution", command: "cat x", aggregated_output: text }),
    "a tool call": (text) => item({ type: "command_execution", command: `echo '${text}'` }, "item.started"),
    "an incomplete message": (text) => item({ type: "agent_message", text }, "item.updated"),
    "a warning": (text) => item({ type: "error", message: text }),
    "a plan": (text) => item({ type: "todo_list", items: [{ text, completed: true }] }),
  },
  errors: {
    "a usage limit": [
      codexFails("You've hit your usage limit. Upgrade to Pro or try again in 5 days 22 hours 11 minutes."),
      "rate-limited",
    ],
    "an overload": [codexFails("Selected model is at capacity. Please try a different model."), "overloaded"],
    "a lost network": [codexFails("stream disconnected before completion: error sending request"), "network"],
    "a full context": [
      codexFails(
        "Codex ran out of room in the model's context window. Start a new thread or clear earlier history before retrying.",
      ),
      "context-exceeded",
    ],
    "an expired login": [
      codexFails("Your access token could not be refreshed because your refresh token was already used."),
      "auth",
    ],
    "a missing key": [codexFails("Missing environment variable: `OPENAI_API_KEY`."), "auth"],
    "an error without anything after it": [[{ type: "error", message: "unexpected status 401 Unauthorized" }], "auth"],
    "a failure without a message": [[{ type: "turn.failed" }], "crashed"],
  },
});

const geminiFails = (message: string) => [{ type: "result", status: "error", error: { type: "unknown", message } }];
agentContract({
  kind: gemini,
  said: (text) => [...text].map((content) => ({ type: "message", role: "assistant", content, delta: true })),
  success: [{ type: "result", status: "success", stats: {} }],
  opening: (model) => [{ type: "init", session_id: "s1", model }],
  others: {
    "the prompt": (content) => [{ type: "message", role: "user", content }],
    "a tool's input": (content) => [
      { type: "tool_use", tool_name: "write_file", tool_id: "1", parameters: { content } },
    ],
    "a tool's output": (output) => [{ type: "tool_result", tool_id: "1", status: "success", output }],
    "an error": (message) => [{ type: "error", severity: "warning", message }],
  },
  errors: {
    "a used-up quota": [
      geminiFails(
        '[API Error: [{"error":{"code":429,"message":"You have exhausted your capacity on this model. Your quota will reset after 8h44m7s."}}]]',
      ),
      "rate-limited",
    ],
    "a used-up day": [geminiFails("[API Error: You have exhausted your daily quota on this model.]"), "rate-limited"],
    "a 429 with the provider's message": [
      geminiFails("[API Error: Slow down]\nPlease wait and try again later. To increase your limits, request …"),
      "rate-limited",
    ],
    "a full context": [
      geminiFails(
        '[API Error: {"error":{"code":400,"message":"The input token count (1200000) exceeds the maximum number of tokens allowed"}}]',
      ),
      "context-exceeded",
    ],
    "an expired key": [
      geminiFails('[API Error: {"error":{"code":400,"message":"API key expired. Please renew the API key."}}]'),
      "auth",
    ],
    "a lost network": [geminiFails("[API Error: exception TypeError: fetch failed sending request]"), "network"],
    "a result without a status": [[{ type: "result" }], "crashed"],
  },
});

const part = (type: string, part: object) => ({ type, sessionID: "ses_1", part });
const opencodeFails = (name: string, data: object) => [{ type: "error", sessionID: "ses_1", error: { name, data } }];
agentContract({
  kind: opencode,
  said: (text) => [part("text", { text })],
  success: [part("step_start", {}), part("step_finish", { reason: "stop", tokens: {}, cost: 0 })],
  opening: null,
  others: {
    thinking: (text) => [part("reasoning", { text })],
    "a tool's output": (output) => [
      part("tool_use", { tool: "bash", state: { status: "completed", input: {}, output } }),
    ],
    "a tool's input": (text) => [
      part("tool_use", { tool: "bash", state: { status: "completed", input: { command: text } } }),
    ],
  },
  errors: {
    "a full context": [opencodeFails("ContextOverflowError", { message: "too much" }), "context-exceeded"],
    "a missing login": [opencodeFails("ProviderAuthError", { providerID: "x", message: "no key" }), "auth"],
    "an error before a successful end": [
      [...opencodeFails("APIError", { statusCode: 529 }), part("step_finish", { reason: "stop" })],
      "overloaded",
    ],
  },
});
