import { expect, test } from "vitest";
import { sandbox } from "./support/sandbox.ts";

const PLAN = `
iterations:
  - steps:
      - run: "echo compiling; echo 'a.ts(1,2): error TS2304' >&2; exit 2"
      - write: { path: done, content: x }
      - say: <promise>DONE</promise>
`;

test("a failed tool, a check that fails before the work, and a commit look like what they are", async () => {
  const box = sandbox();
  box.initGit();
  box.write("s.yaml", PLAN);
  box.write(".ralph/settings.json", '{"scm": {"tasks": ["commit"], "message": "title"}}');
  const run = ["run", "--prompt", "Add the discount", "--scenario", "s.yaml", "--verify", "test -e done"];
  const { code, stdout, stderr } = await box.ralph(...run);
  expect(stdout).toContain("\n  ✗ shell failed: exit code 2: a.ts(1,2): error TS2304\n");
  expect(stderr).toContain("\n  · before any work: test -e done (exit code 1): fails now, as it should\n");
  expect(stderr).toMatch(/\n {2}✓ commit done: [0-9a-f]{10} Add the discount \(iteration 1\)\n/);
  expect(code).toBe(0);
  expect((await box.ralph("logs")).stdout).toContain("  ✗ shell failed: exit code 2: a.ts(1,2): error TS2304\n");
  const why = (await box.ralph("why")).stdout.replace(/\n {12}/g, " ");
  expect(why).toMatch(/effect +commit done: [0-9a-f]{40} “Add the discount \(iteration 1\)”/);
});
