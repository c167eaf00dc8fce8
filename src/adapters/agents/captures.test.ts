import { readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Row, RUNS } from "../../../test/contracts/agent-runs.ts";
import { CAPTURES, capture, replay, transcript } from "../../../test/support/captures.ts";
import { KINDS, kindOf } from "../../../test/support/kinds.ts";
import { someAgent } from "../../../test/support/spec.ts";
import { presets } from "../../core/claim/policy.ts";
import { watchClaims } from "../../core/claim/watch.ts";
import { addUsage, NO_USAGE, type Usage } from "../../core/usage.ts";
import type { AgentKind } from "./kind.ts";
import { knownAgent } from "./known.ts";
import { openReader } from "./reader.ts";

test("every recorded run is in the table", () => {
  const recorded = KINDS.flatMap(({ name }) => readdirSync(`${CAPTURES}/${name}`).map((run) => `${name}/${run}`));
  expect(RUNS.map(([name]) => name).sort()).toEqual(recorded.sort());
});

describe("a recorded run, played again by a program in the CLI's place", () => {
  test.each<[string, Row]>([...RUNS])("%s", async (name, { output, detail, ...expected }) => {
    const replayed = await replay(kindOf(name), capture(name), { agent: output ? { output } : {} });
    expect(transcript(replayed)).toEqual(expected);
    if (detail !== undefined) expect(replayed.fault?.detail).toContain(detail);
  });
});

/** What a reader returns for a stream that arrives in pieces of the given size. */
function read(kind: AgentKind, stdout: Buffer, pieceBytes: number) {
  const events: unknown[] = [];
  const reader = openReader(knownAgent(kind, someAgent(kind.name)), {
    claims: watchClaims(presets.harness("DONE")),
    onEvent: (event) => events.push(event),
  });
  for (let at = 0; at < stdout.length; at += pieceBytes) reader.add(stdout.subarray(at, at + pieceBytes));
  return { heard: reader.finish(), events };
}

test.each<[string, string | null]>([
  ["claude/01-streamjson-write", "claude-sonnet-4-5"],
  ["qwen/10-err500", "fake-model"],
  ["gemini/01-streamjson-write", "gemini-2.5-pro"],
  ["codex/03-json-tool", null],
  ["opencode/01-json-write", null],
])("%s was answered by %j", (name, model) => {
  const { stdout } = capture(name);
  expect(read(kindOf(name), stdout, stdout.length).heard.model).toBe(model);
});

const STREAMS = RUNS.filter(([, { output }]) => output !== "text").map(([name]) => name);

test.each(STREAMS)("%s means the same in pieces of any size", (name) => {
  const { stdout } = capture(name);
  const whole = read(kindOf(name), stdout, stdout.length || 1);
  for (const bytes of [1, 7, 4096]) expect(read(kindOf(name), stdout, bytes)).toEqual(whole);
});

test.each(STREAMS)("%s, cut off anywhere, is never a success", (name) => {
  const { stdout } = capture(name);
  const lastLineFrom = stdout.lastIndexOf(10, -2) + 1;
  const cuts = [...stdout.keys()].filter((at) => at < lastLineFrom && stdout[at] === 10);
  const middle = Math.floor((lastLineFrom + stdout.length) / 2);
  for (const at of [...cuts, lastLineFrom, middle]) {
    expect(read(kindOf(name), stdout.subarray(0, at), 4096).heard.result).not.toBe("succeeded");
  }
});

describe("usage over a resumed session", () => {
  const runs = (names: readonly string[], change = (stdout: string) => stdout) => {
    let session = NO_USAGE;
    return names.map((name) => {
      const reader = openReader(knownAgent(kindOf(name), someAgent("x")), {
        claims: watchClaims(presets.harness("DONE")),
        sessionUsage: session,
      });
      reader.add(Buffer.from(change(capture(name).stdout.toString())));
      const { usage, sessionUsage } = reader.finish();
      // The same way as the loop.
      session = sessionUsage ?? addUsage(session, usage);
      return figures(usage);
    });
  };
  const figures = ({ inputTokens, cachedTokens, outputTokens, costUsd }: Usage) => [
    inputTokens,
    cachedTokens,
    outputTokens,
    Number(costUsd.toFixed(6)),
  ];
  const without = (key: string) => (stdout: string) => stdout.replaceAll(`"${key}":`, `"was_${key}":`);

  test.each<[string, number[][], number[][]]>([
    [
      "codex",
      runs(["codex/03-json-tool", "codex/05-resume"]),
      [
        [200, 80, 40, 0],
        [100, 40, 20, 0],
      ],
    ],
    [
      "qwen",
      runs(["qwen/01-write-1", "qwen/05-resume", "qwen/05b-continue"]),
      [
        [200, 0, 40, 0],
        [200, 0, 40, 0],
        [200, 0, 40, 0],
      ],
    ],
    [
      "gemini",
      runs(["gemini/01-streamjson-write", "gemini/05-resume"]),
      [
        [200, 0, 40, 0],
        [100, 0, 20, 0],
      ],
    ],
    [
      "opencode",
      runs(["opencode/01-json-write", "opencode/05-resume"]),
      [
        [200, 0, 40, 0.0012],
        [100, 0, 20, 0.0006],
      ],
    ],
    [
      "claude",
      runs(["claude/01-streamjson-write", "claude/05-resume"]),
      [
        [200, 0, 40, 0.0012],
        [100, 0, 20, 0.0006],
      ],
    ],
    [
      "a claude that reports only totals per model",
      runs(["claude/01-streamjson-write", "claude/05-resume"], without("model_usage_since_last_result")),
      [
        [200, 0, 40, 0.0012],
        [100, 0, 20, 0.0006],
      ],
    ],
    [
      "a claude that reports no totals per model",
      runs(["claude/01-streamjson-write"], (stdout) =>
        without("modelUsage")(without("model_usage_since_last_result")(stdout)),
      ),
      [[200, 0, 40, 0.0012]],
    ],
  ])("%s: every turn counts only its own usage", (_name, turns, expected) => {
    expect(turns).toEqual(expected);
  });
});
