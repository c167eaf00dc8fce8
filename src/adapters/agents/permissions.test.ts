import { expect, test } from "vitest";
import { splitFlag } from "../../core/agent-spec.ts";
import { allowing, lackingForWork, needsOf, PERMISSIONS } from "./permissions.ts";

type Name = keyof typeof PERMISSIONS;

const NEEDS = needsOf(["npm test && npm run lint", "CI=1 node -e 'x' > out.txt"]);

test.each<[Name, string[] | null]>([
  ["claude", ["--permission-mode acceptEdits", "--allowedTools Bash(npm test:*),Bash(npm run lint:*)"]],
  ["codex", ["-s workspace-write"]],
  ["amp", null],
  [
    "gemini",
    [
      "--approval-mode auto_edit",
      "--skip-trust",
      "--allowed-tools run_shell_command(npm test),run_shell_command(npm run lint)",
    ],
  ],
  ["opencode", []],
  [
    "qwen",
    ["--approval-mode auto-edit", "--allowed-tools run_shell_command(npm test),run_shell_command(npm run lint)"],
  ],
])("%s edits files and runs plain check commands with %j", (name, flags) => {
  expect(PERMISSIONS[name].work?.(NEEDS).flags ?? null).toEqual(flags);
});

const refused = (...tools: string[]) => tools.map((tool) => ({ tool, times: 1 }));

test.each<[string, Name, string[], ReturnType<typeof refused>, string, boolean]>([
  [
    "the milder flags",
    "claude",
    [],
    refused("Edit"),
    "--permission-mode acceptEdits --allowedTools Bash(npm test:*)",
    false,
  ],
  [
    "only what is missing",
    "claude",
    ["--permission-mode", "acceptEdits"],
    refused("Bash: npm test"),
    "--allowedTools Bash(npm test:*)",
    false,
  ],
  [
    "what was tried, unless it is risky",
    "claude",
    ["--permission-mode=acceptEdits"],
    refused("Bash: npm ci", "Bash: rm -rf /", "Bash: curl x | sh", "Bash: node -e 1", "WebFetch", "Edit"),
    "--allowedTools Bash(npm test:*),Bash(npm ci:*),WebFetch",
    false,
  ],
  ["another mode", "codex", ["-s", "read-only"], refused("edit"), "-s workspace-write", false],
  [
    "nothing for a command if the milder flags are given",
    "codex",
    ["-s", "workspace-write"],
    refused("shell: npm ci"),
    "",
    false,
  ],
  [
    "everything if it cannot even edit with the milder flags",
    "codex",
    ["-s", "workspace-write"],
    refused("edit"),
    "--dangerously-bypass-approvals-and-sandbox",
    true,
  ],
  ["everything without milder flags", "amp", [], refused("Bash: ls"), "--dangerously-allow-all", true],
  ["nothing more", "opencode", ["--auto"], refused("bash: ls"), "", false],
])("suggests %s", (_name, agent, flags, tools, allow, everything) => {
  const found = allowing(PERMISSIONS[agent], flags.flatMap(splitFlag), needsOf(["npm test"], tools));
  expect(found.everything ?? false).toBe(everything);
  expect(found.allow.join(" ")).toBe(allow);
});

test.each<[Name, string[], string[] | null]>([
  ["claude", [], ["--permission-mode acceptEdits", "--allowedTools Bash(npm test:*)"]],
  ["claude", ["--permission-mode=acceptEdits", "--allowedTools", "Bash(npm:*)"], []],
  ["claude", ["--permission-mode", "acceptEdits", "--allowed-tools", "Edit", "Bash"], []],
  ["claude", ["--permission-mode", "acceptEdits", "--allowedTools", "Bash(npm test)"], []],
  ["claude", ["--permission-mode", "acceptEdits", "--allowedTools", "Bash(npm *)"], []],
  ["claude", ["--permission-mode", "plan"], ["--permission-mode acceptEdits", "--allowedTools Bash(npm test:*)"]],
  [
    "claude",
    ["--permission-mode", "acceptEdits", "--allowedTools", "Bash(npx:*)"],
    ["--allowedTools Bash(npm test:*)"],
  ],
  ["claude", ["--permission-mode", "auto", "--disallowedTools", "Bash"], ["--allowedTools Bash(npm test:*)"]],
  ["claude", ["--dangerously-skip-permissions"], []],
  ["claude", ["--permission-mode", "bypassPermissions"], []],
  ["codex", ["-s", "read-only"], ["-s workspace-write"]],
  ["codex", ["--sandbox=danger-full-access"], []],
  ["codex", ["--full-auto"], []],
  ["gemini", ["-y", "--skip-trust"], []],
  ["qwen", ["--approval-mode", "auto-edit"], ["--allowed-tools run_shell_command(npm test)"]],
  ["opencode", [], []],
  ["amp", [], null],
  ["amp", ["--dangerously-allow-all"], []],
])("%s with %j lacks %j", (name, given, lacks) => {
  expect(lackingForWork(PERMISSIONS[name], given, needsOf(["npm test"]))).toEqual(lacks);
});

test.each([
  ["git push --force", ["Bash(git push --force)"]],
  ["npx vitest run", ["Bash(npx vitest run)"]],
  ["cd pkg && node --test && rm -rf build", ["Bash(rm -rf build)"]],
  ["node -e 'a b'", ["Bash(node -e 'a b')"]],
  ["npm test -- --x && git push", ["Bash(git push)"]],
])("an agent that may edit is never given everything for %j", (command, unproposed) => {
  const given = ["--permission-mode", "acceptEdits", "--allowedTools", "Bash(node --test:*),Bash(npm test:*)"];
  const needs = needsOf(["npm test"], refused(`Bash: ${command}`, "others", "Bash"));
  expect(allowing(PERMISSIONS.claude, given, needs)).toEqual({ allow: [], unproposed });
});

test("parts of a check that would allow anything get no rule, and risky ones an exact one", () => {
  const needs = needsOf(["cat checks.txt | sh", "npm test && rm -rf build", "git ls-files | xargs node"]);
  expect(PERMISSIONS.claude.work(needs).flags[1]).toBe(
    "--allowedTools Bash(cat checks.txt:*),Bash(npm test:*),Bash(rm -rf build),Bash(git ls-files:*)",
  );
  expect(PERMISSIONS.gemini.work(needs).flags.join()).not.toContain("rm -rf");
});
