import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, expect, test, vi } from "vitest";
import { claudeInstallation } from "../../../adapters/hosts/claude/installation.ts";
import { codexInstallation } from "../../../adapters/hosts/codex/installation.ts";
import { hostStatuses, installHost } from "./install.ts";
import { ownProgram } from "./own-program.ts";

const root = mkdtempSync(join(tmpdir(), "ralph-own-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

let boxes = 0;
let cwd = "";
let bin = "";
let dist = "";
beforeEach(() => {
  const box = join(root, String(boxes++));
  [cwd, bin, dist] = ["work", "bin", "engine/dist"].map((name) => join(box, name)) as [string, string, string];
  for (const folder of [cwd, bin]) mkdirSync(folder, { recursive: true });
  engine(dirname(dist));
  vi.stubEnv("HOME", join(box, "home"));
  vi.stubEnv("RALPH_STATE_DIR", join(box, "state"));
  vi.stubEnv("PATH", bin);
  for (const name of ["CLAUDE_CONFIG_DIR", "CODEX_HOME", "XDG_CONFIG_HOME"]) vi.stubEnv(name, "");
});

function engine(folder: string, name = "ralph-engine"): void {
  mkdirSync(join(folder, "dist"), { recursive: true });
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name }));
  for (const file of ["ralph.js", "opencode.js"]) writeFileSync(join(folder, "dist", file), `// ${file}\n`);
  chmodSync(join(folder, "dist/ralph.js"), 0o755);
}
const depend = () => {
  writeFileSync(join(cwd, "package.json"), '{"devDependencies": {"ralph-engine": "*"}}');
  engine(join(cwd, "node_modules/ralph-engine"));
};
const INSTALLATIONS = { claude: claudeInstallation, codex: codexInstallation };
const line = (host: "claude" | "codex", scope: "project" | "user" = "project") =>
  ownProgram({ installation: INSTALLATIONS[host], scope, cwd, dist }).line;
const here = (host: string) => `${process.execPath} ${join(dist, "ralph.js")} hook event ${host}`;

test("for a user it is this exact program, for a project one that others have too", () => {
  expect(line("claude")).toBe(here("claude"));
  symlinkSync(join(dist, "ralph.js"), join(bin, "ralph"));
  expect(line("claude")).toBe("ralph hook event claude");
  expect(line("codex")).toBe("ralph hook event codex");
  expect(line("claude", "user")).toBe(here("claude"));
  depend();
  expect(line("claude")).toBe('node "$CLAUDE_PROJECT_DIR/node_modules/ralph-engine/dist/ralph.js" hook event claude');
  expect(line("codex")).toBe("ralph hook event codex");
});

test("a program with the same name, and npm's temporary PATH entries, do not count", () => {
  engine(join(dirname(bin), "other"), "another-ralph");
  symlinkSync(join(dirname(bin), "other/dist/ralph.js"), join(bin, "ralph"));
  expect(line("claude")).toBe(here("claude"));
  const shims = join(cwd, "node_modules/.bin");
  mkdirSync(shims, { recursive: true });
  symlinkSync(join(dist, "ralph.js"), join(shims, "ralph"));
  vi.stubEnv("PATH", shims);
  expect(line("claude")).toBe(here("claude"));
});

test("an installation in the other scope is reported, and the home folder is not another scope", async () => {
  const notes = async (scope: "project" | "user", folder = cwd) => {
    const report = await installHost({ host: "codex", scope, cwd: folder, force: false, dist });
    return report.notes.filter((note) => /as well/.test(note));
  };
  expect(await notes("user")).toEqual([]);
  expect(await notes("project")).toEqual([expect.stringContaining("harmless")]);
  expect(await notes("user", join(dirname(bin), "home"))).toEqual([]);
});

test("a copy in a package runner's cache is reported", () => {
  const cached = join(dirname(bin), ".npm/_npx/1a2b/node_modules/ralph-engine");
  engine(cached);
  const { notes } = ownProgram({ installation: claudeInstallation, scope: "user", cwd, dist: join(cached, "dist") });
  expect(notes).toEqual([expect.stringContaining("which may remove it")]);
});

test("OpenCode's plugin is found again with the program that it starts, in each of its three forms", async () => {
  const starts = async () =>
    (await hostStatuses(cwd)).flatMap(({ installed }) => installed.map((one) => [one.host, one.starts, one.gone]));
  const install = () => installHost({ host: "opencode", scope: "project", cwd, force: false, dist });
  await install();
  expect(await starts()).toEqual([["opencode", `${process.execPath} ${join(dist, "ralph.js")}`, null]]);
  symlinkSync(join(dist, "ralph.js"), join(bin, "ralph"));
  expect((await install()).files.filter(({ did }) => did === "changed")).toHaveLength(1);
  expect(await starts()).toEqual([["opencode", "ralph", null]]);
  rmSync(join(bin, "ralph"));
  expect(await starts()).toEqual([["opencode", "ralph", "ralph"]]);
  symlinkSync(process.execPath, join(bin, "node"));
  depend();
  await install();
  const own = join(cwd, "node_modules/ralph-engine/dist/ralph.js");
  expect(await starts()).toEqual([["opencode", `node ${own}`, null]]);
  rmSync(own);
  expect(await starts()).toEqual([["opencode", `node ${own}`, own]]);
});
