import { expect, test } from "vitest";
import { someAgent, someSpec } from "../../../../test/support/spec.ts";
import { DEFAULT_LIMITS } from "../../../core/loop/spec.ts";
import { type LoopState, START, type Turn } from "../../../core/loop/state.ts";
import { NO_USAGE, type Usage } from "../../../core/usage.ts";
import { fitCells } from "../../terminal/cells.ts";
import { type Progress, statusLineText } from "./status-line.ts";

const NOW = new Date(2026, 2, 1, 14, 0, 0).getTime();
const atWork = { ended: false } as Turn;
const used = (inputTokens: number, costUsd = 0): Usage => ({ ...NO_USAGE, inputTokens, costUsd });

/** A loop in its third iteration, 5 minutes old; this iteration has taken 65 seconds. */
const state: LoopState = { ...START, spec: someSpec(), n: 3, turn: atWork, activeMs: 235_000, atMs: NOW - 65_000 };
const progress: Progress = { state, turnBeganMs: NOW - 65_000, turnUsage: NO_USAGE, tool: "", commands: [] };
const two = someSpec({ agents: [someAgent("claude"), someAgent("/opt/codex", { price: { input: 10, output: 20 } })] });
const limited: LoopState = {
  ...state,
  turn: null,
  wait: { sinceMs: NOW, untilMs: NOW + 723_000 },
  voids: { why: "rate-limited", detail: "later", times: 1, waitedMs: 0 },
};

test.each<[string, Partial<Progress>, string]>([
  ["nothing before a loop has started", { state: START }, ""],
  ["iteration and times", {}, "iteration 3/10 (1m 05s) · loop 5m 00s"],
  [
    "no limit if there is none",
    { state: { ...state, limits: { ...DEFAULT_LIMITS, maxIterations: null } } },
    "iteration 3 (1m 05s) · loop 5m 00s",
  ],
  ["a loop before its first iteration", { state: { ...state, n: 0, turn: null } }, "starting · loop 5m 00s"],
  [
    "how many criteria are proved",
    { state: { ...state, proved: { proved: 5, of: 7, which: [0, 1, 2, 3, 4] } } },
    "iteration 3/10 (1m 05s) · loop 5m 00s · 5/7 proved",
  ],
  [
    "cost and tokens, including the current turn",
    { state: { ...state, spent: used(900, 0.1) }, turnUsage: used(11_445, 0.32) },
    "iteration 3/10 (1m 05s) · loop 5m 00s · $0.42, 12.3k tokens",
  ],
  [
    "a cost by the agent's price, and the current one of several agents",
    { state: { ...state, spec: two, agent: 1 }, turnUsage: used(1_500_000) },
    "iteration 3/10 (1m 05s) · loop 5m 00s · $15.00, 1.5M tokens · codex",
  ],
  [
    "the last tool, on one line and without control characters",
    { tool: "Bash npm\u001b[2J\ntest" },
    "iteration 3/10 (1m 05s) · loop 5m 00s · Bash npm test",
  ],
  [
    "guardrails that run in parallel",
    {
      commands: [
        { kind: "guardrail", command: "npm test", sinceMs: NOW - 12_400 },
        { kind: "guardrail", command: "lint", sinceMs: NOW },
      ],
    },
    "iteration 3/10 (1m 05s) · loop 5m 00s · 2 at once, guardrail for 12s: npm test, guardrail for 0s: lint",
  ],
  [
    "an effect",
    {
      state: {
        ...state,
        turn: { ...atWork, ended: true },
        effect: {
          key: "3/1",
          before: "",
          effect: { kind: "push", when: "judged", program: "git", args: ["push", "-q"] },
        },
      },
    },
    "iteration 3/10 (1m 05s) · loop 5m 00s · push -q",
  ],
  [
    "a usage limit",
    { state: { ...limited, spec: someSpec({ agents: [someAgent("claude")] }) } },
    "waiting for the usage limit of claude: 12m 03s left, until 14:12 · Ctrl-C stops, ralph resume continues",
  ],
  [
    "the agent with the earliest reset",
    { state: { ...limited, spec: two, limited: { 0: NOW + 9_000_000, 1: NOW + 723_000 } } },
    "waiting for the usage limit of codex: 12m 03s left, until 14:12 · Ctrl-C stops, ralph resume continues",
  ],
  [
    "a lost network, until the next day",
    {
      state: {
        ...limited,
        wait: { sinceMs: NOW, untilMs: NOW + 11 * 3_600_000 },
        voids: { why: "network", detail: "", times: 1, waitedMs: 0 },
      },
    },
    "waiting for the network: 11h 00m left, until Mon 01:00 · Ctrl-C stops, ralph resume continues",
  ],
])("shows %s", (_name, now, text) => expect(statusLineText({ ...progress, ...now }, NOW)).toBe(text));

const busy: Progress = {
  ...progress,
  state: { ...state, spec: two, proved: { proved: 5, of: 7, which: [0, 1, 2, 3, 4] } },
  turnUsage: used(12_345, 0.42),
  tool: "Bash npm test -- --run",
};

test.each<[number, Progress, string]>([
  [
    120,
    busy,
    "iteration 3/10 (1m 05s) · loop 5m 00s · 5/7 proved · $0.42, 12.3k tokens · claude · Bash npm test -- --run",
  ],
  [80, busy, "iteration 3/10 (1m 05s) · 5/7 proved · claude · Bash npm test -- --run"],
  [60, busy, "iteration 3/10 (1m 05s) · Bash npm test -- --run"],
  [30, busy, "Bash npm test -- --run"],
  [60, { ...busy, tool: "" }, "iteration 3/10 (1m 05s) · 5/7 proved · claude"],
  [
    60,
    { ...progress, state: { ...limited, spec: someSpec({ agents: [someAgent("claude")] }) } },
    "waiting for the usage limit of claude: 12m 03s left, until 14:12",
  ],
])("with %i columns the activity stays", (columns, now, text) =>
  expect(statusLineText(now, NOW, columns - 2)).toBe(text));

test.each<[string, number, string]>([
  ["short", 10, "short"],
  ["exactly it", 10, "exactly it"],
  ["one too many", 11, "one too ma…"],
  ["日本語", 6, "日本語"],
  ["日本語", 5, "日本…"],
  ["日本語", 4, "日…"],
  ["🎉🎉", 3, "🎉…"],
  ["any", 0, ""],
])("%s in %i cells", (text, cells, shown) => expect(fitCells(text, cells)).toBe(shown));
