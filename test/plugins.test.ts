import { cpSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test } from "vitest";
import { atEnd } from "./support/at-end.ts";
import { full, sample } from "./support/effort.ts";
import { expectRefusal } from "./support/refusal.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const finished = atEnd();

const DONE = 'echo "<promise>DONE</promise>"';

interface Plugged {
  plugin?: string;
  config?: object;
  timeout?: number;
  baseline?: boolean;
  graceMs?: number;
}

/** A loop that a plugin decides, with an agent that promises at once. */
function plugged(box: Sandbox, { plugin = "mine", config, graceMs = 100, ...more }: Plugged = {}): void {
  box.program("agent", DONE);
  const completion = {
    verification_method: `plugin:${plugin}`,
    acceptance_criteria: [{ text: "It greets", check: "true" }],
    outcome: "It works",
    ...(config ? { verification_config: config } : {}),
    ...more,
  };
  box.write(".ralph/settings.json", JSON.stringify({ completion, graceMs }));
}

const run = (box: Sandbox, ...more: string[]) =>
  box.ralph("run", "--prompt", "x", "--agent", "agent", "-m", "1", ...more);

const verifier = (verify: string, more = "") =>
  `export const verifier = { apiVersion: 1, name: "mine", ${more} verify: ${verify} };\n`;
const PASS = '({ is: "pass", reason: "all is well" })';

test.concurrent("a plugin gets the facts of its decision, before any work and after a claim", async () => {
  const box = sandbox(finished);
  plugged(box, { config: { maxLines: 3 } });
  const tell = `async ({ signal, ...input }) => {
    const { appendFileSync } = await import("node:fs");
    appendFileSync("told", JSON.stringify({ ...input, aborted: signal.aborted, here: process.cwd() }) + "\\n");
    return ${PASS};
  }`;
  box.write(".ralph/plugins/mine.mjs", verifier(tell));
  const { code, stderr } = await run(box);
  expect(stderr).toContain("✓ check: mine (all is well");
  expect(code).toBe(0);
  const told = box
    .read("told")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const always = {
    cwd: box.cwd,
    here: box.cwd,
    config: { maxLines: 3 },
    acceptanceCriteria: ["It greets"],
    outcome: "It works",
    aborted: false,
    loop: expect.stringMatching(/^\w{8}$/),
  };
  expect(told).toEqual([
    { ...always, iteration: 0, claim: null },
    { ...always, iteration: 1, claim: { text: "DONE", quote: "<promise>DONE</promise>" } },
  ]);
});

full.concurrent("its reason reaches the agent, and its output the log", async () => {
  const box = sandbox(finished);
  plugged(box);
  box.program("agent", `printf "%s" "$1" > "prompt-$RALPH_ITERATION"\n${DONE}`);
  box.write(
    ".ralph/plugins/mine.mjs",
    verifier(
      '() => { console.log("{\\"is\\":\\"pass\\"}"); return { is: "fail", reason: "too long" + "!".repeat(9e5), output: "a.ts: 9 lines" } }',
    ),
  );
  const { code } = await run(box, "-m", "2");
  expect(code).toBe(1);
  expect(JSON.stringify(await box.json("why")).length).toBeLessThan(20_000);
  expect(box.read("prompt-2")).toContain("too long");
  expect(box.read("prompt-2")).toContain("a.ts: 9 lines");
  const why = (await box.ralph("why", "last")).stdout;
  expect(why).toContain("  check-1-1-2.log  ");
  const folder = /^logs {2}(\S+)$/m.exec(why)?.[1];
  expect(readFileSync(`${folder}/check-1-1-2.log`, "utf8")).toBe('{"is":"pass"}\n');
});

const PROVES_NOTHING: [string, string, RegExp][] = [
  ["throws", '() => { throw new Error("no luck") }', /the plugin \S+ threw: Error: no luck/],
  ["rejects", 'async () => { throw "text" }', /the plugin \S+ threw: text/],
  ["returns nothing", "() => undefined", /gave an invalid answer: expected \{ is, reason \}, got nothing/],
  ["returns true", "() => true", /gave an invalid answer: expected \{ is, reason \}, got the boolean true/],
  [
    "returns something else",
    '() => ({ is: "ok", reason: "x" })',
    /invalid answer: is: expected pass, fail or unknown, got "ok"/,
  ],
  ["returns no reason", '() => ({ is: "pass" })', /invalid answer: reason: missing/],
  [
    "returns an empty reason",
    '() => ({ is: "pass", reason: " " })',
    /invalid answer: reason: expected text that is not empty/,
  ],
  ["returns too much", '() => ({ is: "pass", reason: "x", extra: 1 })', /invalid answer: extra: /],
  [
    "returns invalid JSON",
    "() => { const it = {}; it.it = it; return it }",
    /the plugin \S+ threw: TypeError: .*circular/,
  ],
  ["ends", "() => process.exit(0)", /ended without an answer \(exit code 0\)/],
  ["never answers", "() => new Promise(() => undefined)", /ended without an answer \(exit code 13\)/],
  [
    "fails elsewhere",
    "() => { setTimeout(() => { throw 1 }); return new Promise((r) => setTimeout(r, 9e3)) }",
    /ended without an answer \(exit code \d+\)/,
  ],
  ["is killed", "() => process.kill(process.pid, 9)", /was ended: SIGKILL/],
  ["does not know", '() => ({ is: "unknown", reason: "no network" })', /no network/],
];

full.concurrent("a plugin that returns no answer, or a wrong one, proves nothing", async () => {
  const box = sandbox(finished);
  box.program("agent", DONE);
  const named = PROVES_NOTHING.map(([does, verify, says]) => ({ name: does.replaceAll(" ", "-"), verify, says }));
  for (const { name, verify } of named) box.write(`.ralph/plugins/${name}.mjs`, verifier(verify));
  const stages = named.map(({ name }) => ({ name, method: `plugin:${name}`, parallel: true }));
  const completion = { verification_method: "multi_stage", verification_config: { stages }, baseline: false };
  box.write(".ralph/settings.json", JSON.stringify({ completion, graceMs: 100 }));
  const { code, stderr } = await run(box);
  expect(stderr).toMatch(/■ unverifiable/);
  expect(code).toBe(1);
  for (const { name, says } of named) {
    const told = stderr.split("\n").find((line) => line.includes(` check: ${name} (`));
    expect(told, name).toMatch(says);
  }
});

full.concurrent("a plugin that proves nothing before any work costs nothing", async () => {
  const box = sandbox(finished);
  plugged(box);
  box.program("agent", `touch paid\n${DONE}`);
  box.write(".ralph/plugins/mine.mjs", verifier('() => { throw new Error("no luck") }'));
  const { code, stderr } = await run(box);
  expect(stderr).toMatch(/■ check-missing: mine: the plugin mine threw: Error: no luck/);
  expect(code).toBe(2);
  expect(box.exists("paid")).toBe(false);
});

test.concurrent.each(
  sample(
    [
      ["in an endless loop", "() => { while (true); }"],
      ["with a timer", "() => new Promise(() => setInterval(() => undefined, 1e3))"],
    ],
    1,
  ),
)("a plugin that hangs %s is ended, and proves nothing", async (_name, verify) => {
  const box = sandbox(finished);
  plugged(box, { timeout: 1, baseline: false });
  box.write(".ralph/plugins/mine.mjs", verifier(verify));
  const { code, stderr } = await run(box);
  expect(stderr).toContain("the plugin mine gave no answer within 1s");
  expect(code).toBe(1);
});

full.concurrent("a plugin is told to stop, and ends with the loop", async () => {
  const box = sandbox(finished);
  plugged(box, { graceMs: 60_000 });
  const verify = `({ signal }) => new Promise((resolve) => {
    const waiting = setInterval(() => undefined, 1e3);
    console.log("begun");
    import("node:fs").then(({ writeFileSync }) => {
      writeFileSync("begun", "");
      signal.addEventListener("abort", () => { writeFileSync("told", ""); clearInterval(waiting); resolve(${PASS}) });
    });
  })`;
  box.write(".ralph/plugins/mine.mjs", verifier(verify));
  const going = box.start(["run", "--prompt", "x", "--agent", "agent"]);
  while (!box.exists("begun")) await new Promise((done) => setTimeout(done, 20));
  going.child.kill("SIGINT");
  expect((await going.ended).code).toBe(130);
  expect(box.exists("told")).toBe(true);
});

full.concurrent.each<[string, string, string]>([
  [
    "TypeScript",
    "mine.ts",
    `import type { Verifier } from "ralph-engine/plugin";\nconst is: "pass" | "fail" = "pass";\nexport const verifier: Verifier = { apiVersion: 1, name: "x", verify: () => ({ is, reason: "all is well" }) };`,
  ],
  [
    "TypeScript with a helper beside it",
    "mine.ts",
    `import { reason } from "../helper.ts";\nexport const verifier = { apiVersion: 1, name: "x", verify: () => ({ is: "pass" as const, reason }) };`,
  ],
  ["a default export", "mine.mjs", `export default { apiVersion: 1, name: "x", verify: () => ${PASS} };`],
  ["CommonJS", "mine.js", `module.exports = { apiVersion: 1, name: "x", verify: () => ${PASS} };`],
  [
    "with the helper of the package",
    "mine.mjs",
    `import { defineVerifier } from "ralph-engine/plugin";\nexport const verifier = defineVerifier({ apiVersion: 1, name: "x", verify: () => ${PASS} });`,
  ],
])("a plugin can be %s", async (_name, file, source) => {
  const box = sandbox(finished);
  plugged(box);
  box.write(".ralph/helper.ts", 'export const reason: string = "all is well";\n');
  box.write(`.ralph/plugins/${file}`, source);
  const { code, stderr } = await run(box);
  expect(stderr).toContain("all is well");
  expect(code).toBe(0);
});

full.concurrent.each(["verifiers", "@acme/verifiers"])("a plugin can be the package %s", async (name) => {
  const box = sandbox(finished);
  plugged(box, { plugin: name, config: { word: "hello" } });
  const exports = { ".": { import: "./main.mjs" } };
  box.write(`node_modules/${name}/package.json`, JSON.stringify({ name, exports }));
  box.write(
    `node_modules/${name}/main.mjs`,
    verifier('({ config }) => ({ is: "pass", reason: "says " + config.word })'),
  );
  const { code, stderr } = await run(box);
  expect(stderr).toContain("says hello");
  expect(code).toBe(0);
});

const SCHEMA = `config: { "~standard": { version: 1, vendor: "own", validate: (given) =>
  typeof given.max === "number" ? { value: { max: given.max } } : { issues: [{ message: "expected a number", path: ["max"] }] } } },`;

full.concurrent.each<[string, Plugged, Record<string, string>, RegExp]>([
  [
    "is missing",
    { plugin: "licences" },
    { "size.mjs": verifier(`() => ${PASS}`), "style.ts": "export {}", "notes.md": "", "types.d.ts": "" },
    /error: there is no plugin licences\n {2}help: \.ralph\/plugins has size, style; a package must be installed/,
  ],
  ["is a path", { plugin: "../../etc/passwd" }, {}, /error: there is no plugin \.\.\/\.\.\/etc\/passwd\n/],
  ["is a Node built-in", { plugin: "fs" }, {}, /error: there is no plugin fs\n/],
  ["cannot be read", {}, { "mine.mjs": "export const = 1" }, /error: the plugin mine cannot be loaded: SyntaxError/],
  [
    "exits when it is loaded",
    {},
    { "mine.mjs": "process.exit(3)" },
    /the plugin mine ended without an answer \(exit code 3\)/,
  ],
  ["exports nothing", {}, { "mine.mjs": "" }, /the plugin mine exports neither a default nor a verifier/],
  [
    "has another version",
    {},
    { "mine.mjs": `export const verifier = { apiVersion: 2, name: "x", verify: () => ${PASS} }` },
    /the plugin mine has apiVersion 2: this Ralph supports version 1/,
  ],
  [
    "has no version",
    {},
    { "mine.mjs": `export const verifier = { name: "x", verify: () => ${PASS} }` },
    /the plugin mine has no apiVersion/,
  ],
  [
    "has no verifier",
    {},
    { "mine.mjs": 'export const verifier = { apiVersion: 1, name: "x" }' },
    /the plugin mine must have a name and a verify function/,
  ],
  [
    "rejects its configuration",
    { config: { max: "many" } },
    { "mine.mjs": verifier(`() => ${PASS}`, SCHEMA) },
    /error: the plugin mine rejects its configuration: config\.max: expected a number\n {2}help: fix verification_config/,
  ],
  [
    "has no schema for it",
    { config: { max: 1 } },
    { "mine.mjs": verifier(`() => ${PASS}`, "config: { max: Number },") },
    /the config of the plugin mine is not a Standard Schema/,
  ],
])("a plugin that %s is refused before anything starts", async (_name, given, files, says) => {
  const box = sandbox(finished);
  plugged(box, given);
  for (const [name, content] of Object.entries(files)) box.write(`.ralph/plugins/${name}`, content);
  const ended = await run(box);
  expectRefusal(ended, says);
  expect(await box.json("list")).toEqual([]);
});

full.concurrent("a dry run reports a missing plugin, and loads none", async () => {
  const box = sandbox(finished);
  plugged(box);
  const dry = async () => (await box.json("run", "--prompt", "x", "--agent", "agent", "--dry-run")) as object;
  expect(await dry()).toMatchObject({ problems: [{ message: "there is no plugin mine" }] });
  box.write(".ralph/plugins/mine.mjs", 'throw new Error("loaded")');
  expect(await dry()).toMatchObject({
    problems: [],
    fingerprinted: expect.arrayContaining([".ralph/plugins/mine.mjs"]),
  });
});

full.concurrent("a plugin gets its configuration as parsed by its schema", async () => {
  const box = sandbox(finished);
  plugged(box, { config: { max: 3, more: true } });
  box.write(
    ".ralph/plugins/mine.mjs",
    verifier('({ config }) => ({ is: "pass", reason: JSON.stringify(config) })', SCHEMA),
  );
  expect((await run(box)).stderr).toContain('{"max":3}');
});

full.concurrent.each([
  ["its file", 'echo "//" >> .ralph/plugins/mine.mjs'],
  ["a file beside it", "echo x > .ralph/plugins/helper.mjs"],
  ["a file that could take its place", "echo x > .ralph/plugins/mine.js"],
])("an agent that changes %s has tampered", async (_name, change) => {
  const box = sandbox(finished);
  plugged(box);
  box.write(".ralph/plugins/mine.mjs", verifier(`() => ${PASS}`));
  box.write(".ralph/plugins/helper.mjs", "");
  box.program("agent", `${change}\n${DONE}`);
  const { code, stderr } = await run(box);
  expect(code).toBe(1);
  expect(stderr).toContain("tampered: .ralph/plugins");
});

full.concurrent("an agent that changes a plugin's package, or puts a file in its place, has tampered", async () => {
  for (const change of [
    "echo '//' >> node_modules/checks/lib/rule.mjs",
    "mkdir -p .ralph/plugins; echo x > .ralph/plugins/checks.mjs",
  ]) {
    const box = sandbox(finished);
    plugged(box, { plugin: "checks" });
    box.write("node_modules/checks/package.json", '{"exports":"./main.mjs"}');
    box.write("node_modules/checks/lib/rule.mjs", `export const verify = () => ${PASS};\n`);
    box.write(
      "node_modules/checks/main.mjs",
      'import { verify } from "./lib/rule.mjs";\nexport const verifier = { apiVersion: 1, name: "c", verify };\n',
    );
    box.program("agent", `${change}\n${DONE}`);
    const { code, stderr } = await run(box);
    expect(code).toBe(1);
    expect(stderr).toMatch(/tampered: (node_modules\/checks\/lib\/rule\.mjs|\.ralph\/plugins)/);
  }
});

full.concurrent("the plugin example does what its README says", async () => {
  const box = sandbox(finished);
  cpSync(resolve("examples/plugins"), box.cwd, { recursive: true });
  mkdirSync(join(box.cwd, "node_modules"));
  // Stands for `npm install`.
  symlinkSync(resolve("node_modules/zod"), join(box.cwd, "node_modules/zod"));
  box.program("ralph", `exec ${process.execPath} ${box.ralphPath} "$@"`);
  const commands = /```sh\n([\s\S]*?)```/.exec(box.read("README.md"))?.[1] ?? "";
  box.program("pasted", `set -e\n${commands}`);
  const { code, stdout } = await box.run("pasted");
  expect(code).toBe(0);
  expect(stdout).toContain("fail: short: plugin:short-files (1 of 2 files have more than 3 lines, still failing)");
  expect(stdout).toContain("stopped: verified (2 of 2 checks pass)");
});

full("a planted file with the plugin's name is not used", async () => {
  const box = sandbox();
  plugged(box, { plugin: "theirs", baseline: false });
  box.write(".ralph/plugins/theirs.mjs", verifier('() => ({ is: "fail", reason: "not done" })'));
  box.write("planted.mjs", verifier(`() => ${PASS}`).replace("mine", "theirs"));
  box.program("agent", `cp planted.mjs .ralph/plugins/aa.mjs\n${DONE}`);
  const { code, stderr } = await run(box);
  expect(stderr).toContain("not done");
  expect(code).toBe(1);
});

full("only the file's name counts, not the name in the verifier", async () => {
  const box = sandbox();
  plugged(box);
  box.write(".ralph/plugins/other.mjs", verifier(`() => ${PASS}`));
  expectRefusal(await run(box), /there is no plugin mine/);
});

full("a package placed before the plugin's own is tampering", async () => {
  const box = sandbox();
  plugged(box, { baseline: false });
  const manifest = '{"name":"mine","type":"module","exports":"./index.js"}';
  box.write("../node_modules/mine/package.json", manifest);
  box.write("../node_modules/mine/index.js", verifier('() => ({ is: "fail", reason: "not done" })'));
  box.write("planted/package.json", manifest);
  box.write("planted/index.js", verifier(`() => ${PASS}`));
  box.program("agent", `mkdir node_modules; cp -r planted node_modules/mine\n${DONE}`);
  const { code, stderr } = await run(box);
  expect(stderr).toContain("tampered: node_modules/mine (added)");
  expect(code).toBe(1);
});
