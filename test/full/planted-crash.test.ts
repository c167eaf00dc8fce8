import { test } from "vitest";
import { openSqliteStore } from "../../src/adapters/store/sqlite-store.ts";
import { LONG } from "../support/patience.ts";
import { aBash, aLoop, aStep, aWorkflow, type WorkflowSandbox, workflowSandbox } from "../support/workflow-runs.ts";

/** Plants a script in its first step, and nothing later; its loop does honest work. */
const AGENT = `prompt=$(cat)
echo '{"type":"system","subtype":"init","session_id":"s","model":"m"}'
case "$prompt" in Plan*) echo '{"scripts":{"pretest":"true","test":"true"}}' > package.json ;; Fix*) echo worked > worked.txt ;; esac
printf '{"type":"assistant","message":{"id":"m","model":"m","content":[{"type":"text","text":"<promise>COMPLETE</promise>"}]},"session_id":"s"}\\n'
echo '{"type":"result","subtype":"success","is_error":false,"result":"","session_id":"s"}'`;

const WORKFLOW = aWorkflow([
  aStep("plan", "Plan"),
  // Both writes are the user's.
  aBash("configure", "echo loglevel=error >> .npmrc; sleep 0.01; echo fund=false >> .npmrc"),
  aStep("look", "Look"),
  aLoop("fix", "Fix it", { maxIterations: 1, verify: ["npm test --silent"] }),
]);

/** The number of boundaries at which the driver is killed, spread over all of them. */
const SAMPLES = 5;

test(
  "a run killed at any write still distinguishes the agents' changes from the user's",
  LONG,
  async ({ expect, onTestFinished }) => {
    const boundaries = await killedAt(null);
    for (let i = 0; i < SAMPLES; i += 1) await killedAt(Math.floor(((i + 0.5) * boundaries) / SAMPLES));

    async function killedAt(boundary: number | null): Promise<number> {
      const box = workflowSandbox(onTestFinished);
      box.program("claude", AGENT);
      box.write("package.json", '{"scripts":{"test":"true"}}\n');
      if (boundary !== null) await (await box.begin(WORKFLOW, "do it", { TEST_DIES_AT: String(boundary) })).ended;
      const id = await runOf(box);
      const last = await (id === undefined ? box.begin(WORKFLOW) : box.again("resume", id));
      const { state, error } = await last.ended;
      expect(error).toBeNull();
      expect(state.status, `killed at ${boundary}`).toBe("failed");
      expect(state.detail, `killed at ${boundary}`).toContain('tampered: package.json#scripts.pretest (added: "true")');
      expect(state.detail, `killed at ${boundary}`).not.toContain("npmrc");
      return Number(last.lines().findLast((line) => "boundaries" in line)?.boundaries ?? 0);
    }
  },
);

async function runOf({ state, exists }: WorkflowSandbox): Promise<string | undefined> {
  if (!exists(`${state}/ralph.db`)) return undefined;
  const store = await openSqliteStore(`${state}/ralph.db`);
  try {
    return (await store.runs.list())[0]?.id;
  } finally {
    store.close();
  }
}
