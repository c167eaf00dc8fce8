import { expect, test } from "vitest";
import { someAgent } from "../../../test/support/spec.ts";
import { withModel, withTools } from "./agent-flags.ts";

const flagged = (flags: string[]) => someAgent("claude", { flags });

test.each([
  ["no tools", { allowed: [], denied: [] }, ["--tools", "", "--strict-mcp-config"]],
  ["some", { allowed: ["Read", "Grep"], denied: [] }, ["--tools", "Read,Grep", "--strict-mcp-config"]],
  ["one tool of a server", { allowed: ["Read", "mcp__x__y"], denied: [] }, ["--tools", "Read"]],
  ["all except some", { allowed: null, denied: ["Bash(git *)", "Write"] }, ["--disallowedTools", "Bash(git *),Write"]],
  ["its default tools", { allowed: null, denied: [] }, ["--tools", "Edit", "--verbose"]],
])("tools: %s", async (_name, rules, flags) => {
  const given =
    rules.allowed === null && rules.denied.length === 0 ? ["--tools", "Edit", "--verbose"] : ["--tools", "Edit"];
  const kept = rules.allowed === null && rules.denied.length > 0 ? ["--tools", "Edit"] : [];
  expect((await withTools(flagged(given), rules, "w")).flags).toEqual([...kept, ...flags]);
});

test.each([
  ["what the flags deny stays denied", { allowed: null, denied: ["Write"] }, ["--disallowedTools", "Write"]],
  ["what the flags deny stays denied", { allowed: ["Read"], denied: [] }, ["--tools", "Read", "--strict-mcp-config"]],
])("tools: %s", async (_name, rules, flags) => {
  const given = ["--disallowedTools", "Bash", "--permission-mode", "acceptEdits"];
  expect((await withTools(flagged(given), rules, "w")).flags).toEqual([...given, ...flags]);
});

test("tools: servers named by the flags are dropped, unless one of their tools is allowed", async () => {
  const given = ["--mcp-config", "a.json", "b.json", "--verbose"];
  const asked = (...allowed: string[]) => withTools(flagged(given), { allowed, denied: [] }, "w");
  expect((await asked("Read")).flags).toEqual(["--verbose", "--tools", "Read", "--strict-mcp-config"]);
  expect((await asked("mcp__x__y")).flags).toEqual([...given, "--tools", ""]);
});

test("an agent without tool flags is refused, and so is a rule in place of a name", async () => {
  const rules = { allowed: ["Read"], denied: [] };
  await expect(withTools(someAgent("codex"), rules, 'w.yaml: step "a"')).rejects.toThrow(
    'w.yaml: step "a": allowed_tools: codex has no way to restrict its tools',
  );
  await expect(withTools(flagged([]), { allowed: ["Bash(git *)"], denied: [] }, "w")).rejects.toThrow(
    "not the name of a tool",
  );
  expect(await withTools(someAgent("scripted"), rules, "w")).toEqual(someAgent("scripted"));
});

test("a model replaces the one in the flags", async () => {
  expect((await withModel(flagged(["--model", "a", "-x"]), "b", "w")).flags).toEqual(["-x", "--model", "b"]);
  await expect(withModel(someAgent("./own"), "b", "w.yaml: model")).rejects.toThrow(
    "w.yaml: model: ralph does not know",
  );
});
