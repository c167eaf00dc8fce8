import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test, vi } from "vitest";
import { claudeInstallation } from "../src/adapters/hosts/claude/installation.ts";
import { commandTexts } from "../src/adapters/hosts/install-files/texts.ts";
import { atEnd } from "./support/at-end.ts";
import { full } from "./support/effort.ts";
import { type InProcessSandbox, inProcess } from "./support/in-process.ts";

const REPOSITORY = resolve(import.meta.dirname, "..");
const PLUGIN = join(REPOSITORY, "claude-plugin");
const json = (path: string) => JSON.parse(readFileSync(join(REPOSITORY, path), "utf8"));
const finished = atEnd();

/** Only the box's own programs and those of the system, and its own home folder. */
const alone = (box: InProcessSandbox) => ({
  HOME: box.path("../home"),
  PATH: `${box.bin}:/usr/bin:/bin`,
  CLAUDE_CONFIG_DIR: "",
});

test.concurrent("a host's hooks are installed, shown and removed again", async () => {
  const box = inProcess(finished);
  const text = '{\n  "model": "opus" // mine\n}\n';
  box.write(".claude/settings.json", text);
  const run = (...args: string[]) => box.command(["hook", ...args], alone(box));
  const installed = await run("install", "claude");
  expect(installed).toMatchObject({ code: 0, stderr: "" });
  expect(installed.stdout).toMatch(/^Installed for claude, in this project \(--user: for you, in all projects\):\n/);
  expect(installed.stdout).toContain("It contains paths of this machine, so do not commit it");
  await run("install", "codex", "--user");
  const status = await run("status", "--json");
  expect(JSON.parse(status.stdout)).toMatchObject({
    installed: [
      { host: "claude", scope: "project", gone: null, missing: [] },
      { host: "codex", scope: "user", gone: null, missing: [] },
    ],
    loops: [],
  });
  const doctor = await box.command(["doctor"], alone(box));
  expect(doctor.stdout).toMatch(/^✓ claude hook +project: .*settings\.json starts .*hook event claude$/m);
  expect(doctor.stdout).toMatch(/^! codex hook +user: .*hooks\.json starts .*\n +Codex skips hooks/m);
  expect(doctor.stdout).toMatch(/^✓ claude cap +Claude Code ends a turn after continuing 8 times/m);
  const removed = await run("uninstall", "all");
  expect(removed.stdout).toContain("Nothing is installed for codex in this project.");
  expect(removed.stdout).toContain("ralph hook uninstall codex --user");
  expect(box.read(".claude/settings.json")).toBe(text);
  expect(box.exists(".claude/commands")).toBe(false);
});

test.concurrent("mistakes are reported with the valid values, and nothing is written", async () => {
  const box = inProcess(finished);
  box.write(".claude/settings.json", '{\n  "a": 1,,\n}');
  const [host, both, broken, help] = await Promise.all([
    box.ralphProcess("hook", "install", "vim"),
    box.ralph("hook", "install", "claude", "--user", "--project"),
    box.ralph("hook", "install", "claude"),
    box.ralphProcess("hook", "--help"),
  ]);
  expect(host).toMatchObject({ code: 2, stderr: expect.stringContaining("claude, codex, opencode") });
  expect(both).toMatchObject({ code: 2, stderr: expect.stringContaining("cannot be used with option '--user'") });
  expect(broken).toMatchObject({ code: 2, stderr: expect.stringMatching(/settings\.json:2:10: .*\n.*2 \|/) });
  expect(box.exists(".claude/commands")).toBe(false);
  expect(help.stdout).toMatch(/install.*uninstall.*status/s);
  expect(help.stdout).not.toMatch(/^ +event/m);
});

test("the plugin has this version, and the commands and hooks of an installation", () => {
  expect(json("claude-plugin/.claude-plugin/plugin.json").version).toBe(json("package.json").version);
  for (const { name, content } of commandTexts(claudeInstallation.commandHead)) {
    expect(readFileSync(join(PLUGIN, "commands", name), "utf8")).toBe(content);
    // Without it the model is offered the command, and may start it itself.
    expect(content).toMatch(/^disable-model-invocation: true$/m);
  }
  expect(Object.keys(json("claude-plugin/hooks/hooks.json").hooks)).toEqual(["UserPromptSubmit", "Stop", "SessionEnd"]);
  expect(json(".claude-plugin/marketplace.json").plugins[0].source).toBe("./claude-plugin");
});

/** An engine that prints its name. */
function engine(folder: string, name = "ralph-engine"): void {
  mkdirSync(join(folder, "dist"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, type: "module" }));
  writeFileSync(
    join(folder, "dist/ralph.js"),
    `#!/usr/bin/env node\nconsole.log(${JSON.stringify(folder)}, ...process.argv.slice(2));\n`,
    { mode: 0o755 },
  );
}

full("the plugin's launcher finds the engine, and tolerates its absence", () => {
  const box = inProcess();
  const launch = (plugin: string, prompt = "hello") =>
    execFileSync(process.execPath, [join(plugin, "launcher.mjs")], {
      cwd: box.cwd,
      encoding: "utf8",
      env: { PATH: `${box.bin}:/usr/bin:/bin`, CLAUDE_PROJECT_DIR: box.cwd },
      input: JSON.stringify({ hook_event_name: "UserPromptSubmit", prompt }),
    });
  const copy = box.path("../cache/ralph");
  cpSync(PLUGIN, copy, { recursive: true });
  expect(launch(copy)).toBe("");
  expect(JSON.parse(launch(copy, '/ralph:ralph "x"'))).toMatchObject({
    systemMessage: expect.stringContaining("npm install -g ralph-engine"),
  });
  expect(launch(copy, '/ralph:ralph "x"')).not.toContain('"decision"');
  const [other, global, local, own] = ["other", "global", "work/node_modules/ralph-engine", "own"].map((name) =>
    box.path(`../${name}`),
  ) as [string, string, string, string];
  engine(other, "another-ralph");
  symlinkSync(join(other, "dist/ralph.js"), join(box.bin, "ralph"));
  expect(launch(copy)).toBe("");
  engine(global);
  box.program("ralph-real", `# ralph-engine\nexec '${process.execPath}' '${global}/dist/ralph.js' "$@"`);
  execFileSync("mv", [join(box.bin, "ralph-real"), join(box.bin, "ralph")]);
  expect(launch(copy)).toBe(`${global} hook event claude\n`);
  execFileSync("ln", ["-sf", join(global, "dist/ralph.js"), join(box.bin, "ralph")]);
  expect(launch(copy)).toBe(`${global} hook event claude\n`);
  engine(local);
  expect(launch(copy)).toBe(`${local} hook event claude\n`);
  engine(own);
  cpSync(PLUGIN, join(own, "claude-plugin"), { recursive: true });
  expect(launch(join(own, "claude-plugin"))).toBe(`${own} hook event claude\n`);
});

full("a copied OpenCode plugin works, with the ralph on PATH", async () => {
  const box = inProcess();
  const copy = box.write("plugin/ralph.js", readFileSync(join(REPOSITORY, "dist/opencode.js"), "utf8"));
  const answer = { prompt: { text: "From PATH", fresh: false }, toasts: [], says: "", refused: false };
  box.program("ralph", `echo '${JSON.stringify(answer)}'`);
  vi.stubEnv("PATH", `${box.bin}:${process.env.PATH}`);
  vi.stubEnv("RALPH_STATE_DIR", box.state);
  const client = { session: { messages: async () => ({ data: [] }) }, tui: { showToast: async () => ({}) } };
  const { default: plugin } = await import(pathToFileURL(copy).href);
  const hooks = await plugin.server({ client, directory: box.cwd });
  const parts: object[] = [];
  await hooks["command.execute.before"]({ command: "ralph", sessionID: "ses_1", arguments: "x" }, { parts });
  expect(parts).toEqual([{ type: "text", text: "From PATH" }]);
  await hooks.dispose();
});
