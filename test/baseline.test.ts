import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const DONE = "<promise>DONE</promise>";
const GREEN = "! the checks pass before any work: they cannot show whether the work is done";

function loop(completion: object, agent = ""): Sandbox {
  const box = sandbox();
  box.write(".ralph/settings.json", JSON.stringify({ completion }));
  box.program("agent", `echo ran >> runs\n${agent}\necho '${DONE}'`);
  return box;
}

const external = (command: string) => ({ verification_method: "external", verification_config: { command } });
const stages = (...list: object[]) => ({ verification_method: "multi_stage", verification_config: { stages: list } });
const stage = (name: string, command: string, more: object = {}) => ({
  name,
  method: "external",
  config: { command },
  ...more,
});

const run = (box: Sandbox, ...args: string[]) => box.ralph("run", "--prompt", "x", "--agent", "agent", ...args);

interface Story {
  iterations: { attempts?: unknown; verdict?: { checks: { name: string; since?: string }[] } }[];
}

test("a check that cannot be run is refused before the agent starts, and a resume continues once it can", async () => {
  const box = loop(external("proof-tool --all"));
  const refused = await run(box);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("✗ before any work: proof-tool --all (the program proof-tool was not found)");
  expect(refused.stderr).toContain("■ check-missing");
  expect(box.exists("runs")).toBe(false);
  box.program("proof-tool", "[ -f runs ]");
  const resumed = await box.ralph("resume");
  expect(resumed.code).toBe(0);
  expect(resumed.stderr).toContain("· before any work: proof-tool --all (exit code 1): fails now, as it should");
  expect(box.read("runs")).toBe("ran\n");
});

full("a check that the agent should create is allowed without a baseline", async () => {
  const box = loop({ ...external("./check.sh"), baseline: false }, "echo exit 0 > check.sh; chmod +x check.sh");
  const { code, stderr } = await run(box);
  expect(stderr).not.toContain("before any work");
  expect(code).toBe(0);
});

full("a folder that does not exist yet is not refused", async () => {
  const config = { command: "test -f x", working_dir: "packages/x" };
  const box = loop(
    { verification_method: "external", verification_config: config },
    "mkdir -p packages/x; touch packages/x/x",
  );
  const { code, stderr } = await run(box);
  expect(stderr).toContain("before any work: test -f x (the folder packages/x does not exist)");
  expect(code).toBe(0);
});

full("the result of each check is shown", async () => {
  const box = loop(
    stages(
      stage("mended", "test -f made", { required: true }),
      stage("broken", "test -f old", { required: false }),
      stage("open", "false", { required: false }),
      stage("green", "true"),
    ),
    "touch made; rm -f old",
  );
  box.write("old", "");
  const { code, stderr } = await run(box);
  expect(code).toBe(0);
  expect(stderr).not.toContain(GREEN);
  for (const [command, since] of [
    ["test -f made", "fixed"],
    ["test -f old", "regressed"],
    ["false", "still failing"],
    ["true", "already passing"],
  ]) {
    expect(stderr).toMatch(new RegExp(`check: ${command} \\(exit code \\d, \\S+, ${since}\\)`));
  }
  expect(stderr).toContain("  ! warning: broken (exit code 1)\n  ! warning: open (exit code 1)\n");
  const { iterations } = (await box.json("why")) as Story;
  const told = JSON.stringify(iterations);
  for (const since of ["fixed", "regressed", "still failing", "already passing"]) expect(told).toContain(since);
});

full("checks that pass before any work are reported, and refused if they must fail first", async () => {
  const box = loop(external("true"));
  const green = await run(box);
  expect(green.code).toBe(0);
  expect(green.stderr.indexOf(GREEN)).toBeGreaterThan(0);
  expect(green.stderr.indexOf(GREEN)).toBeLessThan(green.stderr.indexOf("── iteration 1"));

  const strict = loop({ ...external("true"), require_red_first: true });
  const refused = await run(strict);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("■ already-green");
  expect(strict.exists("runs")).toBe(false);
});

full("a single stage can be required to fail first", async () => {
  const box = loop(stages(stage("new", "test -f new", { require_red_first: true }), stage("old", "true")), "touch new");
  expect((await run(box)).code).toBe(0);
  const again = await run(box);
  expect(again.code).toBe(2);
  expect(again.stderr).toContain("new");
  expect(again.stderr).toContain("■ already-green");
});

full("an interrupted baseline is repeated", async () => {
  const box = loop(external("[ -f go ] || { touch began; sleep 300; }; false"));
  const running = box.start(["run", "--prompt", "x", "--agent", "agent", "-m", "1"]);
  await expect.poll(() => box.exists("began")).toBe(true);
  running.child.kill("SIGINT");
  expect((await running.ended).code).toBe(130);
  expect(box.exists("runs")).toBe(false);
  box.write("go", "");
  const { stderr } = await box.ralph("resume");
  expect(stderr).toContain("before any work");
  expect(box.read("runs")).toBe("ran\n");
});
