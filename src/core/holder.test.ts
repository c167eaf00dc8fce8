import { expect, test } from "vitest";
import { holderIn, holderText } from "./holder.ts";

test.each([
  ["a process", holderText({ pid: 7, machine: "box" }), { holder: "pid 7 on box", host: null }],
  ["a session", holderText({ host: "claude", session: "s 1" }), { holder: "claude session s 1", host: "claude" }],
  ["a process of an earlier version", "pid 7 on box", { holder: "pid 7 on box", host: null }],
  ["a session of an earlier version", "codex session x", { holder: "codex session x", host: "codex" }],
  ["no holder", "", { holder: "", host: null }],
  ["an invalid holder", '{"host":', { holder: '{"host":', host: null }],
])("reads %s", (_what, text, read) => expect(holderIn(text)).toEqual(read));
