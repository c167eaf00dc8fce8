import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { pipeline } from "./support/pipeline.ts";
import { sandbox } from "./support/sandbox.ts";

const STAGES = { stages: ["coder", "tester"], coder: { max_iterations: 2 }, tester: { max_iterations: 2 } };
const CODE = "src/it.sh";
const CHECK = "sh test/it.sh";

function taskProject(completion: object, ralph: object = {}) {
  const box = pipeline(undefined, { completion, ralph: { ...STAGES, max_attempts: 1, ...ralph } });
  box.write(CODE, "exit 1\n");
  box.write("test/it.sh", "sh src/it.sh\n");
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "code and a failing test");
  return box;
}

const FIX = `echo "exit 0" > ${CODE}`;

test("a task's coder that leaves its scope is refused by name; restoring the file is enough", async () => {
  const box = taskProject({ scope: ["src/**"], clean_room: "oracle" });
  box.plan(
    "coder",
    `printf '%s' "$prompt" > "$PLAN/prompt-$n"; if [ "$n" = 1 ]; then ${FIX}; echo "# x" >> test/it.sh; else git checkout -q HEAD~1 test; fi`,
  );
  box.plan("tester", ":");
  await box.task("T-1", { coder: CHECK, tester: CHECK });
  const { code } = await box.execute();
  expect(box.read("../plan/prompt-1")).toContain("## Scope");
  expect(box.read("../plan/prompt-2")).toContain("outside the scope: test/it.sh (changed): restore that");
  expect(code).toBe(0);
  expect(box.git("show", "main:test/it.sh")).toBe("sh src/it.sh\n");
  expect(box.git("show", `main:${CODE}`)).toBe("exit 0\n");
});

full("each stage has its own scope, and answers for its own changes", async () => {
  const box = taskProject({});
  box.plan("coder", FIX);
  box.plan("tester", 'echo "exit 0" > test/more.sh');
  const definition = {
    task: {
      id: "T-1",
      spec_id: "demo",
      title: "Make it pass",
      completion: {
        outcome: "it passes",
        acceptance_criteria: [{ text: "it passes", check: CHECK }],
        scope: ["src/**"],
        coder: { promise: "CODED" },
        tester: { promise: "TESTED", scope: ["+test/**"] },
      },
    },
  };
  box.write("../task.yaml", JSON.stringify(definition));
  expect((await box.ralph("task", "import", "../task.yaml")).code).toBe(0);
  const { code } = await box.execute();
  expect(code).toBe(0);
  expect(box.git("ls-tree", "-r", "--name-only", "main")).toContain("test/more.sh");
});

full("an earlier attempt does not take a change out of the scope", async () => {
  const box = taskProject({ scope: ["src/**"] }, { max_attempts: 2 });
  box.plan("coder", 'if [ "$n" -le 2 ]; then echo "exit 0" > test/it.sh; else echo "# work" >> src/it.sh; fi');
  await box.task("T-1", { coder: CHECK });
  const { code } = await box.execute();
  expect(code).toBe(1);
  expect(box.git("show", "main:test/it.sh")).toBe("sh src/it.sh\n");
});

const WORKFLOW = `name: fix
description: "Triggers: 'fix it'"
loop:
  until: DONE
  max_iterations: 1
  verify: [sh test/it.sh]
prompt: "Fix it: $USER_MESSAGE"
`;

test("the settings' scope counts for the loops of a workflow", async () => {
  const box = sandbox();
  box.initGit();
  box.write(CODE, "exit 1\n");
  box.write("test/it.sh", "sh src/it.sh\n");
  box.write(".ralph/settings.json", JSON.stringify({ agent: { command: "agent" }, completion: { scope: ["src/**"] } }));
  box.write(".ralph/workflows/fix.yaml", WORKFLOW);
  box.git("add", "-A");
  box.git("commit", "--quiet", "-m", "files");
  box.program("agent", `${FIX}; echo x >> other.txt; echo '<promise>DONE</promise>'`);
  const { code, stdout, stderr } = await box.ralph("workflow", "run", "fix", "do it");
  expect(`${stdout}${stderr}`).toContain("outside the scope: other.txt (added)");
  expect(code).toBe(1);
});
