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
const found = async (name: string): Promise<DoctorFinding | undefined> =>
  (await hookFindings(cwd)).find((one) => one.name === name);

test("without an installation there is no output", async () => {
  put(join(cwd, ".claude/settings.json"), stop("mine"));
  expect(await hookFindings(cwd)).toEqual([]);
});

test("a missing program is a problem, with a fix", async () => {
  put(join(cwd, ".claude/settings.json"), stop("/no/such/node /x/ralph.js hook event claude"));
  expect(await found("claude hook")).toMatchObject({
    is: "problem",
    hint: "/no/such/node is missing: reinstall it, `ralph hook install claude --project`",
  });
});

test.each([
  ["behind our line", '{"hooks": {"Stop": [{"hooks": [{"command": "ralph hook event claude"}]}]} "x"}'],
  ["before it", '{"model" "x" [[["hooks": "ralph hook event claude"'],
])("a file that is broken %s is a problem, reported with its location", async (_, text) => {
  put(join(cwd, ".claude/settings.json"), text);
  expect(await found("claude hook")).toMatchObject({
    is: "problem",
    hint: expect.stringMatching(/settings\.json:1:\d+: /),
  });
});

/** A complete installation. */
function whole(folder: string): void {
  put(join(folder, ".claude/settings.json"), stop(`${process.execPath} ralph.js hook event claude`));
  for (const name of ["ralph", "cancel-ralph", "ralph-status"]) put(join(folder, `.claude/commands/${name}.md`), "x");
}

test("both scopes are harmless, a plugin beside them is reported", async () => {
  whole(cwd);
  expect(await found("claude hook")).toMatchObject({ is: "ok" });
  whole(home);
  expect(await found("claude hook")).toMatchObject({ is: "ok", hint: expect.stringContaining("in both places") });
  put(join(cwd, ".claude/settings.local.json"), { enabledPlugins: { "ralph@ralph-engine": true } });
  expect(await found("claude hook")).toMatchObject({
    is: "warning",
    hint: expect.stringContaining("the plugin is enabled"),
  });
  put(join(cwd, ".claude/settings.local.json"), { disableAllHooks: true });
  expect(await found("claude hook")).toMatchObject({
    is: "problem",
    hint: expect.stringContaining("disableAllHooks in "),
  });
  rmSync(join(cwd, ".claude/commands"), { recursive: true });
  expect(await found("claude hook")).toMatchObject({
    is: "warning",
    hint: expect.stringMatching(/^missing: .*ralph\.md/),
  });
});

test("the effective cap is shown with its source", async () => {
  put(join(home, ".claude/settings.json"), { enabledPlugins: { "ralph@ralph-engine": true } });
  expect((await found("claude cap"))?.says).toContain("8 times in a row without a tool call (its own limit)");
  vi.stubEnv("CLAUDE_CODE_STOP_HOOK_BLOCK_CAP", "30");
  expect((await found("claude cap"))?.says).toContain(
    "30 times in a row without a tool call (CLAUDE_CODE_STOP_HOOK_BLOCK_CAP in the environment)",
  );
  const local = join(cwd, ".claude/settings.local.json");
  put(local, '{ "env": { "CLAUDE_CODE_STOP_HOOK_BLOCK_CAP": "0" } // none\n}');
  expect(await found("claude cap")).toMatchObject({ says: expect.stringContaining(`in ${local}`), is: "ok" });
  expect((await found("claude cap"))?.hint).toBeUndefined();
});

test("hooks that Codex does not trust yet are reported", async () => {
  const file = join(cwd, ".codex/hooks.json");
  put(file, stop(`${process.execPath} ralph.js hook event codex`));
  put(join(cwd, ".codex/skills/ralph/SKILL.md"), "x");
  expect(await found("codex hook")).toMatchObject({
    is: "warning",
    hint: expect.stringMatching(/^Hooks of a project also need/),
  });
  const project = `[projects.${JSON.stringify(cwd)}]\ntrust_level = "trusted"\n`;
  put(join(home, ".codex/config.toml"), project);
  expect(await found("codex hook")).toMatchObject({ is: "warning", hint: expect.stringMatching(/^Codex skips hooks/) });
  put(
    join(home, ".codex/config.toml"),
    `${project}\n[hooks.state.${JSON.stringify(`${file}:stop:0:0`)}]\ntrusted_hash = "x"\n`,
  );
  expect(await found("codex hook")).toMatchObject({ is: "ok" });
});
