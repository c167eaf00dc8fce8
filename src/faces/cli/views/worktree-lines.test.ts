import { expect, test } from "vitest";
import { worktreeLines } from "./worktree-lines.ts";

const END = { branch: "ralph/a", root: "/w/a", target: "main", merge: true, ahead: 0, merged: true, why: null };

test.each<[string, string | null, RegExp, RegExp]>([
  ["removed", null, /merged into main; the branch ralph\/a and its worktree are removed/, /kept/],
  ["kept", "uncommitted in its worktree: k.pem", /worktree are kept: uncommitted in its worktree: k\.pem/, /removed/],
])("a merged worktree is said to be %s, if it is", (_name, kept, said, unsaid) => {
  const text = worktreeLines("loop", { ...END, kept }).join("\n");
  expect(text).toMatch(said);
  expect(text).not.toMatch(unsaid);
});
