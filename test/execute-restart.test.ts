import { test, vi } from "vitest";
import { PATIENT } from "./support/patience.ts";
import { factsOf, pipeline } from "./support/pipeline.ts";

test.concurrent("what an interrupted execution keeps of earlier settings is said; --restart begins with those of now", async ({
  expect,
  onTestFinished,
}) => {
  const box = pipeline(onTestFinished, { graceMs: 300, ralph: { stages: ["coder", "qa"] } });
  await box.task("A", { coder: "test -f A.txt", qa: "test -f A.txt" });
  box.plan("coder", 'echo "work $n" >> A.txt');
  box.plan("qa", '[ "$n" -gt 2 ] || sleep 600');
  const interrupted = async (calls: string[]) => {
    const running = box.start(["execute"]);
    await vi.waitFor(() => expect(box.calls()).toEqual(calls), PATIENT);
    running.child.kill("SIGINT");
    const { code, stderr } = await running.ended;
    expect(code).toBe(130);
    return stderr;
  };
  await interrupted(["A coder", "A qa"]);
  const settings = JSON.parse(box.read(".ralph/settings.json")) as { ralph: object };
  const changed = {
    ...settings,
    guardrails: [{ command: "true" }],
    ralph: { ...settings.ralph, qa: { max_iterations: 2 } },
  };
  box.write(".ralph/settings.json", JSON.stringify(changed));
  box.git("commit", "--quiet", "-am", "settings");
  const kept =
    "its qa loop continues with the settings it began with: guardrails none (now true); max_iterations 5 (now 2)";
  const dry = await box.ralph("execute", "--dry-run");
  expect([dry.code, dry.stdout]).toEqual([0, expect.stringContaining(kept)]);
  expect(dry.stdout).toMatch(/^tasks +1\. A Task A {2}\(continues at qa\)$/m);
  const again = (await box.ralph("execute", "--dry-run", "--restart")).stdout;
  expect([again.includes("continues"), again]).toEqual([false, expect.stringMatching(/^tasks +1\. A Task A$/m)]);
  expect(await interrupted(["A coder", "A qa", "A qa"])).toContain(`A ! ${kept}. \`ralph execute --restart\``);

  const { loop } = await box.status("A");
  const { code, lines } = await box.execute("--restart");
  expect(code).toBe(0);
  expect(factsOf(lines, "A").slice(0, 3)).toEqual(["task.taken", "task.restarted", "stage.began"]);
  const said = lines.find(({ type, words }) => type === "note" && String(words).includes("--restart"));
  expect(said).toMatchObject({
    task: "A",
    words: expect.stringContaining(`task/A and its commits stay; dropped: its qa loop ${loop} (`),
  });
  expect(box.calls().slice(3)).toEqual(["A coder", "A qa"]);
  // The work of the first execution was kept.
  expect(box.read("A.txt")).toBe("work 1\nwork 2\n");
  const loops = (await box.json("list")) as { id: string; status: string; reason: string }[];
  expect(loops.find(({ id }) => id === loop)).toMatchObject({ status: "stopped" });
});
