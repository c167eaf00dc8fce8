import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import type { DoctorFinding } from "./finding.ts";
import { hookFindings } from "./hooks.ts";

const root = realpathSync(mkdtempSync(join(tmpdir(), "ralph-doctor-")));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let boxes = 0;
let cwd = "";
let home = "";
beforeEach(() => {
  const box = join(root, String(boxes++));
  [cwd, home] = [join(box, "work"), join(box, "home")];
  for (const folder of [cwd, home]) mkdirSync(folder, { recursive: true });
  vi.stubEnv("HOME", home);
  for (const name of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"]) vi.stubEnv(name, "");
  vi.stubEnv("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", undefined);
});

const put = (path: string, content: unknown) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, typeof content === "string" ? content : JSON.stringify(content));
};
const stop = (command: string) => ({ hooks: { Stop: [{ hooks: [{ type: "command", command }] }] } });
const found = (name: string): DoctorFinding | undefined => hookFindings(cwd).find((one) => one.name === name);

test("where nothing is installed, nothing is said", () => {
  put(join(cwd, ".claude/settings.json"), stop("mine"));
  expect(hookFindings(cwd)).toEqual([]);
});

test("a program that is gone is a problem, with the way to mend it", () => {
  put(join(cwd, ".claude/settings.json"), stop("/no/such/node /x/ralph.js hook event claude"));
  expect(found("claude hook")).toMatchObject({
    is: "problem",
    hint: "/no/such/node is missing: reinstall it, `ralph hook install claude --project`",
  });
});

test.each([
  ["behind our line", '{"hooks": {"Stop": [{"hooks": [{"command": "ralph hook event claude"}]}]} "x"}'],
  ["before it", '{"model" "x" [[["hooks": "ralph hook event claude"'],
])("a file that is broken %s is a problem, told with its place", (_, text) => {
  put(join(cwd, ".claude/settings.json"), text);
  expect(found("claude hook")).toMatchObject({ is: "problem", hint: expect.stringMatching(/settings\.json:1:\d+: /) });
});

/** An installation of which nothing is missing. */
function whole(folder: string): void {
  put(join(folder, ".claude/settings.json"), stop(`${process.execPath} ralph.js hook event claude`));
  for (const name of ["ralph", "cancel-ralph", "ralph-status"]) put(join(folder, `.claude/commands/${name}.md`), "x");
}

test("both scopes are harmless, the plugin beside them is told", () => {
  whole(cwd);
  expect(found("claude hook")).toMatchObject({ is: "ok" });
  whole(home);
  expect(found("claude hook")).toMatchObject({ is: "ok", hint: expect.stringContaining("in both places") });
  put(join(cwd, ".claude/settings.local.json"), { enabledPlugins: { "ralph@ralph-engine": true } });
  expect(found("claude hook")).toMatchObject({
    is: "warning",
    hint: expect.stringContaining("the plugin is switched on"),
  });
  put(join(cwd, ".claude/settings.local.json"), { disableAllHooks: true });
  expect(found("claude hook")).toMatchObject({ is: "problem", hint: expect.stringContaining("disableAllHooks in ") });
  rmSync(join(cwd, ".claude/commands"), { recursive: true });
  expect(found("claude hook")).toMatchObject({ is: "warning", hint: expect.stringMatching(/^missing: .*ralph\.md/) });
});

test("the cap that is in force is told with where it comes from", () => {
  put(join(home, ".claude/settings.json"), { enabledPlugins: { "ralph@ralph-engine": true } });
  expect(found("claude cap")?.says).toContain("8 times in a row without a tool call (its own limit)");
  vi.stubEnv("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "30");
  expect(found("claude cap")?.says).toContain(
    "30 times in a row without a tool call (CLAUDE_CODE_STOP_HOOK_BLOCK_CAP in the environment)",
  );
  const local = join(cwd, ".claude/settings.local.json");
  put(local, '{ "env": { "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "0" } // none\n}');
  expect(found("claude cap")).toMatchObject({ says: expect.stringContaining(`in ${local}`), is: "ok" });
  expect(found("claude cap")?.hint).toBeUndefined();
});

test("what Codex does not trust yet is told", () => {
  const file = join(cwd, ".codex/hooks.json");
  put(file, stop(`${process.execPath} ralph.js hook event codex`));
  put(join(cwd, ".codex/skills/ralph/SKILL.md"), "x");
  expect(found("codex hook")).toMatchObject({
    is: "warning",
    hint: expect.stringMatching(/^Hooks of a project also need/),
  });
  const project = `[projects.${JSON.stringify(cwd)}]\ntrust_level = "trusted"\n`;
  put(join(home, ".codex/config.toml"), project);
  expect(found("codex hook")).toMatchObject({ is: "warning", hint: expect.stringMatching(/^Codex skips hooks/) });
  put(
    join(home, ".codex/config.toml"),
    `${project}\n[hooks.state.${JSON.stringify(`${file}:stop:0:0`)}]\ntrusted_hash = "x"\n`,
  );
  expect(found("codex hook")).toMatchObject({ is: "ok" });
});
