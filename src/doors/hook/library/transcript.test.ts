import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readState } from "./state.ts";
import { detectInTranscript } from "./transcript.ts";

const folder = mkdtempSync(join(tmpdir(), "ralph-transcript-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const DONE = "<promise>DONE</promise>";
const claude = (role: string, ...content: object[]) => ({ type: role, message: { role, content } });

test.each<[string, string | object[], boolean]>([
  [
    "the assistant's text",
    [claude("user", { type: "text", text: "Go" }), claude("assistant", { type: "text", text: DONE })],
    true,
  ],
  ["a user's text", [claude("user", { type: "text", text: DONE })], false],
  ["a tool's output", [claude("assistant", { type: "tool_result", content: DONE })], false],
  ["the agent's thinking", [claude("assistant", { type: "thinking", thinking: DONE })], false],
  ["a plain message of the assistant", [{ role: "assistant", content: DONE }], true],
  [
    "a plain message of a user",
    [
      { role: "user", content: DONE },
      { role: "assistant", content: "At it." },
    ],
    false,
  ],
  ["a summary", [{ type: "summary", summary: DONE }], false],
  ["plain text", `All done.\n${DONE}\n`, true],
  ["plain text that only mentions it", `I shall write \`${DONE}\` then.`, false],
  ["nothing", "", false],
])("%s claims, or does not", (name, content, claims) => {
  const path = join(folder, name.replaceAll(/\W/g, "-"));
  writeFileSync(path, typeof content === "string" ? content : content.map((line) => JSON.stringify(line)).join("\n"));
  expect(detectInTranscript(path, "DONE")).toBe(claims);
});

test.skipIf(process.platform === "win32")("a pipe is not waited for", () => {
  const pipe = join(folder, "ralph-loop-state.json");
  execFileSync("mkfifo", [pipe]);
  expect(detectInTranscript(pipe, "DONE")).toBe(false);
  expect(readState(folder, folder)).toBeNull();
});

test("a missing transcript claims nothing", () => {
  expect([detectInTranscript(undefined, "DONE"), detectInTranscript(join(folder, "none"), "DONE")]).toEqual([
    false,
    false,
  ]);
});
