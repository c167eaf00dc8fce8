import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { type InProcessSandbox, inProcess } from "./support/in-process.ts";
import type { Ended } from "./support/sandbox.ts";

const VARIABLES = /API_KEY$|^ANTHROPIC_|^CLAUDE_|^CODEX_|^GOOGLE_|^XDG_DATA_HOME$/;
const GIT = execFileSync("which", ["git"], { encoding: "utf8" }).trim();

/** No agent is logged in, and PATH has only git and the box's programs: none of the machine's agents. */
function nobody(box: InProcessSandbox, more: Record<string, string> = {}): Record<string, string> {
  box.program("git", `exec '${GIT}' "$@"`);
  return {
    ...Object.fromEntries(Object.keys(process.env).flatMap((name) => (VARIABLES.test(name) ? [[name, ""]] : []))),
    HOME: box.path("../home"),
    PATH: box.bin,
    ...more,
  };
}

const doctor = (box: InProcessSandbox, more?: Record<string, string>): Promise<Ended> =>
  box.command(["doctor"], nobody(box, more));

/** The lines about one subject. */
function about(name: string, { stdout }: Ended): string {
  const blocks = stdout.split(/^(?=[✓!✗] )/m);
  return blocks.find((block) => block.slice(2, 15).trim() === name) ?? "";
}

test("agents on PATH are shown with version and login", async () => {
  const box = inProcess();
  box.program("claude", 'echo "1.2.3 (Claude Code)"');
  box.program("codex", 'echo "codex-cli 0.50.0"');
  box.program("amp", "echo broken >&2; exit 1");
  box.program("qwen", "printf '\\033[2J0.1.0\\n'");
  box.write("../home/.codex/auth.json", "not read");
  const end = await box.start(["doctor"], nobody(box, { DASHSCOPE_API_KEY: "abc" })).ended;
  expect(about("claude", end)).toMatch(
    /^! claude +1\.2\.3 \(Claude Code\), .*\/bin\/claude\n +no login found: run `claude` and \/login, or set ANTHROPIC_API_KEY/,
  );
  expect(about("codex", end)).toMatch(/^✓ codex +codex-cli 0\.50\.0, .*\/bin\/codex, login found\n$/);
  expect(about("amp", end)).toMatch(/^! amp +--version failed \(broken\), .*\n +try `amp --version`\n$/);
  expect(about("qwen", end)).toMatch(/^✓ qwen +0\.1\.0, .*login found\n$/);
  expect(about("gemini", end)).toBe("");
  expect(end).toMatchObject({ code: 0, stderr: "" });
});

test("checks that nobody has set are rated, too", async () => {
  const box = inProcess();
  expect(about("checks", await doctor(box))).toBe("");
  box.write("package.json", '{"scripts":{"test":"node --test","lint":"eslint ."}}');
  expect(about("checks", await doctor(box))).toMatch(
    /^! checks +none are set; found: npm test, npm run lint \(fair: 2 checks · no scope .*\n +`ralph init` writes them/,
  );
  box.write(".ralph/settings.json", '{"verify":["npm test"]}');
  expect(about("checks", await doctor(box))).toMatch(/^✓ checks +fair: 1 check ·/);
});

test("the agent that a run would use is shown", async () => {
  const box = inProcess();
  expect(about("agent", await doctor(box))).toMatch(
    /^! agent +no agent was chosen, and none of .*\n +choose one with --agent/,
  );
  box.program("codex", "echo 1.0");
  expect(about("agent", await doctor(box))).toBe("✓ agent         ralph run uses codex, the only known one on PATH\n");
  box.program("claude", "echo 1.0");
  const several = await doctor(box);
  expect(about("agent", several)).toMatch(/^! agent +no agent was chosen, and several are on PATH: claude, codex/);
  expect(several.code).toBe(0);
  box.write(".ralph/settings.json", '{"agents": [{"command": "claude"}, {"command": "codex"}]}');
  expect(about("agent", await doctor(box))).toBe("✓ agent         ralph run uses claude, then codex\n");
});

test("a chosen agent that is missing is a problem", async () => {
  const box = inProcess();
  box.write(".ralph/settings.json", '{"agent": {"command": "no-such-agent"}}');
  const end = await doctor(box);
  expect(about("agent", end)).toMatch(/^✗ agent +agent not found: no-such-agent\n +install it/);
  expect(end.code).toBe(1);
});

test("settings are shown with the files they came from, and without secrets", async () => {
  const box = inProcess();
  box.write(".ralph/settings.json", '{"maximumIterations": 10, "verify": ["npm test"], "agent": {"command": "agent"}}');
  box.program("agent", "exit 1");
  box.write(
    ".ralph/settings.local.json",
    JSON.stringify({
      maximumIterations: 20,
      agent: { command: "agent", flags: ["--api-key", "s3cret"] },
      notify: [{ on: "failed", webhook: "https://hooks.example.com/s3cret" }],
    }),
  );
  const end = await doctor(box);
  const told = about("settings", end);
  expect(told).toMatch(/^✓ settings +\.ralph\/settings\.json, \.ralph\/settings\.local\.json\n/);
  expect(told).toMatch(/^ {16}maximumIterations = 20 +\.ralph\/settings\.local\.json$/m);
  expect(told).toMatch(/^ {16}verify = \["npm test"\] +\.ralph\/settings\.json$/m);
  const json = await box.command(["doctor", "--json"], nobody(box));
  const findings = JSON.parse(json.stdout);
  expect(findings.find(({ name }: { name: string }) => name === "settings").values).toContainEqual({
    key: "notify[0].webhook",
    value: "https://hooks.example.com/***",
    from: ".ralph/settings.local.json",
  });
  expect(end.stdout + json.stdout).not.toContain("s3cret");
  expect([end.code, json.code]).toEqual([0, 0]);
});

test("settings that a run would refuse are a problem, with the same message", async () => {
  const box = inProcess();
  box.write(".ralph/settings.json", '{\n  "verfy": ["npm test"]\n  "timeout": 5\n}');
  const [end, run] = await Promise.all([doctor(box), box.ralph("run", "--prompt", "x")]);
  const [said = ""] = run.stderr.replace(/^error: /, "").split("  help:");
  expect(said).toContain(".ralph/settings.json:3:3: expected a comma before this");
  expect(about("settings", end).replaceAll(`\n${" ".repeat(16)}`, "\n")).toContain(said);
  expect(about("agent", end)).toBe("");
  expect(end.code).toBe(1);
});

test("--json has the facts about agents", async () => {
  const box = inProcess();
  box.program("gemini", "echo 0.9.1");
  const { stdout } = await box.command(["doctor", "--json"], nobody(box, { GEMINI_API_KEY: "s3cret" }));
  expect(JSON.parse(stdout)).toContainEqual({
    name: "gemini",
    is: "ok",
    says: expect.stringContaining("0.9.1"),
    agent: { command: "gemini", file: box.path("../bin/gemini"), version: "0.9.1", login: "found" },
  });
  expect(stdout).not.toContain("s3cret");
});

test("run files that git would commit are reported", async () => {
  const box = inProcess();
  expect(about("run files", await doctor(box))).toBe("");
  box.initGit();
  box.write(".ralph/settings.json", "{}");
  expect(about("run files", await doctor(box))).toBe("✓ run files     kept out of commits\n");
  box.write(".ralph/settings.local.json", "{}");
  box.write(".ralph/guardrail_1_npm-test.log", "");
  const open = await doctor(box);
  expect(about("run files", open)).toMatch(
    /^! run files +git does not ignore \.ralph\/guardrail_1_npm-test\.log and 1 more\n +the next loop lists them in \.git\/info\/exclude, unless a \.gitignore includes them: guardrail_\*\.log, execution\.jsonl, artifacts\/\*\* and settings\.local\.json/,
  );
  expect(open.code).toBe(0);
  box.write(".gitignore", ".ralph/*.log\n");
  expect(about("run files", await doctor(box))).toMatch(/git does not ignore \.ralph\/settings\.local\.json\n/);
  box.write(".ralph/.gitignore", "settings.local.json\n");
  expect(about("run files", await doctor(box))).toBe("✓ run files     kept out of commits\n");
});

test("workflows are shown, and those with mistakes", async () => {
  const box = inProcess();
  expect(about("workflows", await doctor(box))).toBe("");
  box.write(".ralph/workflows/tidy.yaml", "name: tidy\ndescription: Tidies up.\nsteps:\n  - prompt: Tidy up.\n");
  expect(about("workflows", await doctor(box))).toBe("✓ workflows     tidy\n");
  box.write(".ralph/workflows/bad.yaml", "name: bad\n");
  expect(about("workflows", await doctor(box))).toMatch(
    /^! workflows +tidy; with faults: \.ralph\/workflows\/bad\.yaml\n +`ralph workflow validate` shows/,
  );
});

test("a file in the place of .ralph does not confuse it", async () => {
  const box = inProcess();
  box.initGit();
  box.write(".ralph", "in the way");
  expect(await doctor(box)).toMatchObject({ code: 0, stderr: "" });
});

test("missing permissions are shown with the settings that give them", async () => {
  const box = inProcess();
  box.program("claude", "echo 1.2.3");
  box.program("codex", "echo 1.2.3");
  const settings = (value: object) =>
    box.write(".ralph/settings.json", JSON.stringify({ verify: ["npm test"], ...value }));
  const permissions = async () => about("permissions", await doctor(box));
  settings({ agent: { command: "claude", flags: ["--model opus"] } });
  const lacks = await permissions();
  expect(lacks).toMatch(
    /^! permissions +in a loop claude gets no answers, and it lacks --permission-mode acceptEdits, /,
  );
  const [, json = "{}"] = /in \.ralph\/settings\.json: (.*)/.exec(lacks.replaceAll(/\n +/g, " ")) ?? [];
  expect(JSON.parse(json)).toEqual({
    agent: {
      command: "claude",
      flags: ["--model opus", "--permission-mode acceptEdits", "--allowedTools Bash(npm test:*)"],
    },
  });
  settings(JSON.parse(json));
  expect(await permissions()).toMatch(/^✓ permissions +claude may edit files and run the checks/);
  settings({ agent: "claude" });
  box.write(".claude/settings.json", '{"permissions":{"defaultMode":"acceptEdits","allow":["Bash(npm:*)"]}}');
  expect(await permissions()).toMatch(/^✓ permissions/);
  settings({ agent: "codex -s read-only -m x" });
  expect(await permissions()).toMatch(/lacks -s workspace-write\n.*"flags":\["-m","x","-s workspace-write"\]/);
  settings({ agent: "git" });
  expect(await permissions()).toBe("");
});
