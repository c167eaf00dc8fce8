import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

interface Metafile {
  outputs: Record<
    string,
    { entryPoint?: string; inputs: Record<string, unknown>; imports: { path: string; kind: string }[] }
  >;
}

const { outputs } = JSON.parse(readFileSync(resolve("dist/metafile.json"), "utf8")) as Metafile;

/** Every source that an entry loads at once, without the dynamic imports. */
function eager(entry: string, seen = new Set<string>()): Set<string> {
  if (seen.has(entry)) return seen;
  seen.add(entry);
  const output = outputs[entry];
  for (const { path, kind } of output?.imports ?? []) if (kind === "import-statement") eager(path, seen);
  for (const input of Object.keys(output?.inputs ?? {})) seen.add(input);
  return seen;
}

test("the entry loads only itself", () => {
  const sources = [...eager("dist/ralph.js")].filter((path) => path.endsWith(".ts"));
  expect(sources.sort()).toEqual(["src/core/version.ts", "src/faces/cli/bin.ts"]);
});

test.each(["claude", "codex", "opencode"])("a %s session without a loop loads none of the engine", (host) => {
  const entryOf = (source: string) => Object.keys(outputs).find((path) => outputs[path]?.entryPoint === source) ?? "";
  const sources = ["src/faces/cli/hook-event.ts", `src/adapters/hosts/${host}/dialect.ts`].flatMap((source) => [
    ...eager(entryOf(source)),
  ]);
  const loaded = sources.filter((path) => /^(src|node_modules)\//.test(path));
  expect(loaded).toContain(`src/adapters/hosts/${host}/dialect.ts`);
  expect(
    loaded.filter((path) => !/^src\/(faces\/cli\/hook-event|core\/|adapters\/(io|hosts|agents)\/)/.test(path)),
  ).toEqual([]);
  expect(loaded.filter((path) => /^src\/core\/(schema|loop|claim)\//.test(path))).toEqual([]);
});

const HEAVY = /node_modules\/(zod|yaml|jsonc-parser|react|ai|@ai-sdk|sucrase|picomatch|hono|@hono)\//;
/** What drives a loop must know the protected files, which globs may name. */
const isDrivers = (command: string, path: string): boolean =>
  ["run", "resume", "cancel"].includes(command) && path.includes("node_modules/picomatch/");

test.each([
  "run",
  "resume",
  "status",
  "board",
  "list",
  "why",
  "backtest",
  "stats",
  "cancel",
  "logs",
  "init",
  "completion",
  "completion-ids",
  "task-list",
  "task-show",
  "task-delete",
  "workflow-runs",
])("`ralph %s` loads nothing large that it may not need", (command) => {
  const entry = Object.keys(outputs).find(
    (path) => outputs[path]?.entryPoint === `src/faces/cli/commands/${command}.ts`,
  );
  const heavy = [...eager(String(entry))].filter((path) => HEAVY.test(path) && !isDrivers(command, path));
  expect(entry).toBeDefined();
  expect(heavy).toEqual([]);
});

test("the library for hosts loads nothing large except the glob matcher", () => {
  const heavy = [...eager("dist/hook.js")].filter((path) => HEAVY.test(path));
  expect(heavy.filter((path) => !path.includes("node_modules/picomatch/"))).toEqual([]);
});

test("reading valid settings loads the schema on demand, and nothing that locates mistakes", () => {
  const entry = Object.keys(outputs).find((path) => path.startsWith("dist/settings-text-"));
  const packages = [...eager(String(entry))].filter((path) => path.includes("node_modules/"));
  expect(entry).toBeDefined();
  expect(packages).toEqual([]);
});

test("`ralph run` loads an agent's adapter only when that agent is used", () => {
  const entry = Object.keys(outputs).find((path) => outputs[path]?.entryPoint === "src/faces/cli/commands/run.ts");
  const agents = [...eager(String(entry))].filter((path) => path.startsWith("src/adapters/agents/"));
  expect(agents.sort()).toEqual(
    [
      "agent-flags",
      "agent",
      "ask",
      "chosen-agents",
      "command",
      "flags",
      "listener",
      "outcome",
      "output",
      "reader",
      "run",
    ].map((name) => `src/adapters/agents/${name}.ts`),
  );
});

test("only `ralph serve` loads the server", () => {
  const servers = Object.keys(outputs).filter((entry) => {
    const isCommand = outputs[entry]?.entryPoint?.startsWith("src/faces/cli/commands/");
    return isCommand && [...eager(entry)].some((path) => /node_modules\/@?hono\//.test(path));
  });
  expect(servers.map((entry) => outputs[entry]?.entryPoint)).toEqual(["src/faces/cli/commands/serve.ts"]);
});

test("OpenCode's plugin is one file, which runs in Bun", () => {
  const imports = outputs["dist/opencode.js"]?.imports.map(({ path }) => path);
  expect(new Set(imports)).toEqual(
    new Set(["child_process", "crypto", "fs", "os", "path", "timers/promises", "url"].map((name) => `node:${name}`)),
  );
});
