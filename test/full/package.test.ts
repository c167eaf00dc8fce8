import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "ralph-package-")));
const env = {
  ...process.env,
  RALPH_STATE_DIR: join(folder, "state"),
  npm_config_ignore_scripts: "true",
  TMPDIR: folder,
};
const run = (file: string, ...args: string[]) => execFileSync(file, args, { cwd: folder, env, encoding: "utf8" });

beforeAll(() => {
  // Scripts are off for packing: a rebuild would remove dist/ under the other tests.
  const [packed] = JSON.parse(
    execFileSync("npm", ["pack", "--json", "--pack-destination", folder], { cwd: resolve("."), env, encoding: "utf8" }),
  );
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  run("npm", "install", "--prefer-offline", "--no-audit", "--no-fund", join(folder, packed.filename));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("the packed package installs without scripts and answers", () => {
  const { version } = JSON.parse(readFileSync("package.json", "utf8"));
  expect(run("node_modules/.bin/ralph", "--version").trim()).toBe(version);
  expect(run("node_modules/.bin/specflow", "ralph-status")).toContain("No loop is running here");
});

test("its demo runs", () => {
  expect(run("node_modules/.bin/ralph", "demo", "--json")).toContain('"reason":"verified"');
});

test("the library can be imported and detects a claim", () => {
  const code =
    'import { presets, readClaim } from "ralph-engine"; console.log(readClaim("<promise>DONE</promise>", presets.hook("DONE")).claim.text)';
  expect(run(process.execPath, "--input-type=module", "-e", code).trim()).toBe("DONE");
});

test("a plugin finds its types and its helper", () => {
  const plugin = (pass: string) => `
import { defineVerifier, PLUGIN_API_VERSION, type Verifier } from "ralph-engine/plugin";
interface Config { max: number }
const config: Verifier<Config>["config"] & {} = {
  "~standard": { version: 1, vendor: "own", validate: () => ({ value: { max: 1 } }) },
};
export const verifier = defineVerifier({
  apiVersion: PLUGIN_API_VERSION,
  name: "mine",
  config,
  verify: ({ config: { max }, claim }) => ({ is: ${pass}, reason: max.toFixed() + claim?.quote }),
});
`;
  const check = (file: string, source: string) => {
    writeFileSync(join(folder, file), source);
    const tsc = resolve("node_modules/typescript/bin/tsc");
    return run(process.execPath, tsc, "--noEmit", "--strict", "--skipLibCheck", "--module", "nodenext", file);
  };
  expect(check("good.ts", plugin('"pass"'))).toBe("");
  expect(() => check("bad.ts", plugin('"ok"'))).toThrow();
  const code = 'import { defineVerifier } from "ralph-engine/plugin"; console.log(defineVerifier({ name: "x" }).name)';
  expect(run(process.execPath, "--input-type=module", "-e", code).trim()).toBe("x");
});

test("the library for hosts has its types, and starts loops from the package", () => {
  const host = (variant: string) => `
import { createRalphLoopHook, type RalphLoopState, type Toast } from "ralph-engine/hook";
const variant = (toast: Toast): ${variant} => toast.variant;
const hook = createRalphLoopHook({
  config: { continuationDelay: 100 },
  getMessages: async (sessionId: string) => [{ role: "assistant", content: sessionId }],
  injectPrompt: async (_sessionId, prompt) => void prompt.length,
  showToast: (toast) => void variant(toast),
  verify: ["npm test"],
});
const started: boolean = hook.startLoop("s", "Do it", { maxIterations: 5 });
const state: RalphLoopState | null = started ? hook.getState("s") : null;
export const iteration: number | undefined = state?.iteration;
`;
  const check = (file: string, source: string) => {
    writeFileSync(join(folder, file), source);
    const tsc = resolve("node_modules/typescript/bin/tsc");
    // Our own declarations are checked too: they must not need types that are not installed with us.
    return run(process.execPath, tsc, "--noEmit", "--strict", "--lib", "es2023", "--module", "nodenext", file);
  };
  expect(check("host.ts", host('"info" | "success" | "warning" | "error"'))).toBe("");
  expect(() => check("wrong-host.ts", host("number"))).toThrow();
  const code = `import { createRalphLoopHook } from "ralph-engine/hook";
const hook = createRalphLoopHook();
console.log(hook.startLoop("s", "Do it"), hook.getState().iteration, hook.cancelLoop("s"));`;
  expect(run(process.execPath, "--input-type=module", "-e", code)).toBe("true 1 true\n");
});

test("npm install builds only what is not built yet, without loading the bundler; packing always builds", () => {
  const copy = join(folder, "copy");
  const files = [
    "build.mjs",
    "package.json",
    "package-lock.json",
    "tsconfig.json",
    "tsconfig.build.json",
    "src",
    "dist",
  ];
  for (const name of files) cpSync(name, join(copy, name), { recursive: true });
  const { prepare, prepack } = JSON.parse(readFileSync("package.json", "utf8")).scripts;
  const build = (script: string) => {
    const [file = "", ...args] = script.split(" ");
    const { stdout, stderr } = spawnSync(file, args, { cwd: copy, encoding: "utf8" });
    return stdout + stderr;
  };
  expect(build(prepare)).toBe("dist/ is up to date\n");
  // The copy has no node_modules, so that a build fails.
  expect(build(prepack)).toContain("Cannot find package 'esbuild'");
  appendFileSync(join(copy, "src/index.ts"), "// changed\n");
  expect(build(prepare)).toContain("Cannot find package 'esbuild'");
});
