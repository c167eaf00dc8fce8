import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Completion } from "../schema/criteria.ts";
import type { Templates } from "../schema/template.ts";
import { BUILT_IN } from "./built-in-templates.ts";
import { expandTemplates } from "./templates.ts";

const of = (verification_template: string, verification_config?: Record<string, unknown>): Completion => ({
  verification_template,
  ...(verification_config ? { verification_config } : {}),
});
const external = (config: object): Completion => ({
  verification_method: "external",
  verification_config: { ...config },
});

const SMOKE = `smoke "$RALPH_PARAM_BASE_URL" "\${RALPH_PARAM_PORT:-80}"`;

test.each<[string, string]>([
  ["npm-test", "npm test"],
  ["vitest", "npx --no-install vitest run"],
  ["pytest", "pytest"],
  ["cargo", "cargo test"],
  ["go", "go test ./..."],
  ["lint", "npm run lint"],
  ["typecheck", "npx --no-install tsc --noEmit"],
])("%s is the command %s", (name, command) => {
  expect(expandTemplates(of(name))).toEqual(external({ command }));
  expect(expandTemplates(of(name, { timeout: 9, workingDir: "api", env: { A: "b" } }))).toEqual(
    external({ command, timeout: 9, working_dir: "api", env: { A: "b" } }),
  );
});

test("coverage accepts a custom command, which finds the minimum in its environment", () => {
  const env = { RALPH_PARAM_MINIMUM: "80" };
  expect(expandTemplates(of("coverage", { minimum: 80 }))).toEqual(
    external({ command: 'npx --no-install c8 --check-coverage --lines "$RALPH_PARAM_MINIMUM" npm test', env }),
  );
  const command = 'pytest --cov --cov-fail-under="$RALPH_PARAM_MINIMUM"';
  expect(expandTemplates(of("coverage", { minimum: 80, command }))).toEqual(external({ command, env }));
});

test("keys beside a template stay, and methods without a template are unchanged", () => {
  const beside: Completion = { promise: "X", acceptance_criteria: ["a"], nonce: true, timeout: 3 };
  expect(expandTemplates({ ...beside, ...of("lint") })).toEqual({
    ...beside,
    ...external({ command: "npm run lint" }),
  });
  expect(expandTemplates(beside)).toEqual(beside);
  const staged: Completion = { verification_method: "multi_stage", verification_config: { stages: [{ name: "x" }] } };
  expect(expandTemplates(staged)).toEqual(staged);
});

test("single stages have templates, nested ones too", () => {
  const inner = { config: { stages: [{ name: "deep", template: "lint", required: false }] } };
  const given: Completion = {
    verification_config: { require_all: false, stages: [{ template: "npm-test", parallel: true }, inner] },
  };
  expect(expandTemplates(given)).toEqual({
    verification_config: {
      require_all: false,
      stages: [
        { name: "npm-test", parallel: true, method: "external", config: { command: "npm test" } },
        {
          config: {
            stages: [{ name: "deep", required: false, method: "external", config: { command: "npm run lint" } }],
          },
        },
      ],
    },
  });
});

describe("a custom template", () => {
  const user: Templates = {
    smoke: {
      verification_method: "external",
      verification_config: {
        command: SMOKE,
        output_contains: "{{word}} from {{base_url}}",
        env: { MODE: "{{word}}" },
      },
    },
    review: {
      verification_method: "semantic",
      verification_config: { check_for: "{{criteria}}", negative_patterns: ["{{title}}"] },
    },
    gate: {
      verification_method: "multi_stage",
      verification_config: {
        stages: [{ template: "smoke", config: { baseUrl: "{{url}}", word: "ok" } }, { template: "lint" }],
      },
    },
    lint: { verification_method: "external", verification_config: { command: "make lint" } },
    audit: {
      verification_method: "plugin:audit",
      verification_config: { level: "{{level}}", deep: { limit: "{{limit}}" } },
    },
    endless: { verification_method: "multi_stage", verification_config: { stages: [{ template: "round" }] } },
    round: { verification_method: "multi_stage", verification_config: { stages: [{ template: "endless" }] } },
    braces: { verification_method: "external", verification_config: { command: "echo {{word}}" } },
    slow: { verification_method: "external", verification_config: { command: "x", timeout: "{{seconds}}" } },
  };

  test.each<[string, Completion, Completion]>([
    [
      "fills texts, and gives commands their parameters as variables",
      of("smoke", { baseUrl: "http://a; rm -rf /", word: "hello", timeout: 5 }),
      external({
        command: SMOKE,
        output_contains: "hello from http://a; rm -rf /",
        timeout: 5,
        env: { RALPH_PARAM_BASE_URL: "http://a; rm -rf /", MODE: "hello" },
      }),
    ],
    [
      "accepts lists, and leaves the fields of the task for later",
      of("review", { criteria: ["a", "b"] }),
      {
        verification_method: "semantic",
        verification_config: { check_for: ["a", "b"], negative_patterns: ["{{title}}"] },
      },
    ],
    ["takes precedence over ours with the same name", of("lint"), external({ command: "make lint" })],
    [
      "can be a plugin's configuration",
      of("audit", { level: "high", limit: 3 }),
      { verification_method: "plugin:audit", verification_config: { level: "high", deep: { limit: 3 } } },
    ],
    ["can be a value that is not text", of("slow", { seconds: 7 }), external({ command: "x", timeout: 7 })],
    [
      "can be made of other templates",
      of("gate", { url: "http://a" }),
      {
        verification_method: "multi_stage",
        verification_config: {
          stages: [
            {
              name: "smoke",
              method: "external",
              config: {
                command: SMOKE,
                output_contains: "ok from http://a",
                env: { RALPH_PARAM_BASE_URL: "http://a", MODE: "ok" },
              },
            },
            { name: "lint", method: "external", config: { command: "make lint" } },
          ],
        },
      },
    ],
  ])("%s", (_name, given, expanded) => {
    expect(expandTemplates(given, user)).toEqual(expanded);
  });

  test.each<[string, Completion, string]>([
    [
      "an unknown one",
      of("npmtest"),
      'verification_template: there is no template "npmtest", did you mean "npm-test"?',
    ],
    ["an invalid template", of("constructor"), 'there is no template "constructor"'],
    [
      "an unknown one in a stage",
      { verification_config: { stages: [{}, { template: "nothing-like-it" }] } },
      'verification_config.stages[1].template: there is no template "nothing-like-it"',
    ],
    ["a missing parameter", of("http-health"), "verification_config.url: missing, the template http-health needs it"],
    ["a missing custom parameter", of("smoke", { word: "x" }), "verification_config.base_url: missing"],
    [
      "a misspelt parameter",
      of("http-health", { url: "http://a", expectStatsu: 200 }),
      'verification_config.expectStatsu: the template http-health has no parameter "expectStatsu", did you mean "expect_status"?',
    ],
    [
      "an unknown parameter",
      of("review", { criteria: "a", colour: "b" }),
      'the template review has no parameter "colour" (expected criteria)',
    ],
    ["a command if the template has its own", of("lint", { command: "x" }), 'no parameter "command"'],
    [
      "an invalid URL",
      of("http-health", { url: "file:///etc" }),
      "verification_config.url: expected a URL that begins",
    ],
    [
      "an invalid status",
      of("http-health", { url: "http://a", expect_status: 1 }),
      "verification_config.expect_status:",
    ],
    ["no file", of("file-exists"), "verification_config: expected either path or paths"],
    ["no files", of("file-exists", { paths: [] }), "verification_config.paths: expected paths of files"],
    ["a file and files", of("file-exists", { path: "a", paths: ["b"] }), "expected either path or paths"],
    ["more than full coverage", of("coverage", { minimum: 101 }), "verification_config.minimum: expected a percentage"],
    [
      "a map as a parameter",
      of("review", { criteria: { a: 1 } }),
      "verification_config.criteria: expected text, a number",
    ],
    [
      "a wrong value",
      of("lint", { timeout: "soon" }),
      "the template lint does not fit: verification_config.timeout: expected seconds",
    ],
    ["a recursive template", of("endless"), "the template endless contains itself: endless → round → endless"],
    ["a parameter in a command", of("braces"), "a command cannot contain {{word}}"],
  ])("is refused: %s", (_name, given, says) => {
    expect(() => expandTemplates(given, user)).toThrow(says);
  });
});

describe("the commands work", () => {
  const folder = () => {
    const made = mkdtempSync(join(tmpdir(), "ralph-templates-"));
    onTestFinished(() => rmSync(made, { recursive: true }));
    return made;
  };
  const run = (given: Completion, cwd: string) => {
    const { command, env } = expandTemplates(given).verification_config as { command: string; env: NodeJS.ProcessEnv };
    const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
      cwd,
      env: { ...process.env, LC_ALL: "C", ...env },
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  };

  test("files are found, and missing ones named", () => {
    const cwd = folder();
    writeFileSync(join(cwd, "a b"), "");
    writeFileSync(join(cwd, "$(touch hacked)"), "");
    writeFileSync(join(cwd, "it's"), "");
    symlinkSync("nowhere", join(cwd, "link"));
    expect(run(of("file-exists", { path: "a b" }), cwd).status).toBe(0);
    expect(run(of("file-exists", { paths: ["a b", "$(touch hacked)", "it's", "."] }), cwd).status).toBe(0);
    const { status, stderr } = run(
      of("file-exists", { paths: ["gone", "a b", "`touch hacked`", "link", "hacked"] }),
      cwd,
    );
    expect(status).not.toBe(0);
    expect(stderr.match(/No such file/g)).toHaveLength(4);
  });

  test("a URL is requested and its status compared", async () => {
    const cwd = folder();
    const server = `require("http").createServer((q, a) => { a.statusCode = Number(q.url.slice(1)); a.setHeader("location", "/200"); a.end() }).listen(0, function () { console.log(this.address().port) })`;
    const { spawn } = await import("node:child_process");
    const child = spawn(process.execPath, ["-e", server], { stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill());
    const port = await new Promise<string>((tell) => child.stdout.once("data", (chunk) => tell(String(chunk).trim())));
    const at = (path: number, more: object = {}) =>
      of("http-health", { url: `http://127.0.0.1:${port}/${path}`, ...more });
    expect(run(at(200), cwd).status).toBe(0);
    expect(run(at(503), cwd)).toMatchObject({
      status: 1,
      stdout: `http://127.0.0.1:${port}/503 answers 503, expected 200\n`,
    });
    expect(run(at(301), cwd).status).toBe(0);
    expect(run(at(301, { expect_status: 301 }), cwd).status).toBe(0);
    expect(run(at(404, { expectStatus: 404 }), cwd).status).toBe(0);
    expect(run(of("http-health", { url: "http://127.0.0.1:1/" }), cwd).status).toBe(1);
  });

  test.each(Object.keys(BUILT_IN))("%s is a command that a shell can read", (name) => {
    const parameters = { "http-health": { url: "http://a" }, "file-exists": { path: "a" }, coverage: { minimum: 1 } }[
      name
    ];
    const { command } = expandTemplates(of(name, parameters)).verification_config as { command: string };
    execFileSync("sh", ["-n", "-c", command]);
  });
});
