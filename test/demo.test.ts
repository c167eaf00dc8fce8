import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { sandbox } from "./support/sandbox.ts";

test("the demo rejects a false promise, is stopped by a guardrail, then verifies", async () => {
  const { code, stdout, stderr } = await sandbox().ralph("demo");
  expect(code).toBe(0);
  expect(stdout.match(/<promise>DONE<\/promise>/g)).toHaveLength(3);
  const inOrder = [
    "iteration 1/10",
    "✗ not proven",
    "iteration 2/10",
    "✗ guardrail",
    "iteration 3/10",
    "✓ verified",
    "why last",
  ];
  const positions = inOrder.map((text) => stderr.indexOf(text));
  expect(positions).toEqual([...positions].sort((a, b) => a - b));
  expect(positions[0]).toBeGreaterThan(0);
});

/** The tests may themselves be run by `npx`. */
const OUTSIDE_NPM = { npm_command: "" };

full("the commands it prints work as printed, where the user is", async () => {
  const box = sandbox();
  const { stderr } = await box.start(["demo"], OUTSIDE_NPM).ended;
  const printed = (part: string) =>
    stderr.split("\n").find((line) => line.startsWith("    ") && line.includes(part)) ?? "";
  const run = async (part: string) => (await box.open("sh", "-c", printed(part)).ended).stdout;
  expect(await run("why last")).toContain("decision  stopped: verified");
  expect(await run("receipt")).toContain("check     ✓ node check.mjs (exit code 0");
  expect(await run("logs last")).toContain("The bounds are swapped.");
  expect(await run("git -C")).toContain("Fix the bounds of clamp");
});

full.each([
  ["on PATH", "", "ralph", OUTSIDE_NPM],
  ["in a project that has it", "node_modules/.bin/ralph", "npx ralph", OUTSIDE_NPM],
  ["through npx, elsewhere", "", "npx -p ralph-engine ralph", { npm_command: "exec" }],
])("it prints how to start the program: %s", async (_name, file, command, env: Record<string, string>) => {
  const box = sandbox();
  if (file) box.write(file, "");
  if (command === "ralph") box.program("ralph", `exec ${process.execPath} ${box.ralphPath} "$@" # ralph-engine`);
  const { stderr } = await box.start(["demo"], env).ended;
  expect(stderr).toMatch(new RegExp(`^ {4}RALPH_STATE_DIR=\\S+ ${command} why last$`, "m"));
});
