import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

/** A repository with settings, and an agent that is a small program. */
function prepared(completion: object, agent: string): Sandbox {
  const box = sandbox();
  box.initGit();
  box.write(".ralph/settings.json", JSON.stringify({ completion }));
  box.program("agent", agent);
  return box;
}

const run = (box: Sandbox, ...more: string[]) => box.ralph("run", "--prompt", "Do it.", "--agent", "agent", ...more);

/** Prints the tag that this prompt asks for. */
const AS_ASKED = `printf '%s' "$1" | grep -o '<response>.*</response>' | tail -1`;

full("a promise without this iteration's nonce does not count", async () => {
  const box = prepared({ nonce: true }, "echo '<response>DONE</response>'");
  const { code, stderr } = await run(box, "-m", "2");
  expect(code).toBe(1);
  expect(stderr).toContain("■ iteration-limit");
});

full("a promise with the previous iteration's nonce does not count, one with its own does", async () => {
  const box = prepared(
    { nonce: true },
    `tag=$(${AS_ASKED})\n[ -f kept ] || echo "$tag" > kept\n[ "$RALPH_ITERATION" = 3 ] && echo "$tag" || cat kept`,
  );
  // The tag of the first iteration is not shown in the first iteration.
  box.program("stale", `[ "$RALPH_ITERATION" = 1 ] && agent "$@" > /dev/null || agent "$@"`);
  const { code } = await box.ralph("run", "--prompt", "Do it.", "--agent", "stale", "-m", "5");
  expect(code).toBe(0);
  const { iterations } = (await box.json("why")) as { iterations: { ended: { claim: { text: string } | null } }[] };
  expect(iterations.map(({ ended }) => ended.claim?.text ?? null)).toEqual([
    null,
    null,
    expect.stringMatching(/^DONE [0-9a-f]{4}$/),
  ]);
});

test("a claim without work is refused for any check results, and the agent is told", async () => {
  const box = prepared(
    { zero_work_guard: true, verification_method: "external", verification_config: { command: "true" } },
    `printf '%s' "$1" > "../prompt-$RALPH_ITERATION"\n[ "$RALPH_ITERATION" = 2 ] && echo work > made.txt\necho '<promise>DONE</promise>'`,
  );
  const { code, stdout } = await run(box);
  expect(code, stdout).toBe(0);
  expect(box.read("../prompt-2")).toContain("no tool was used and nothing was changed since the loop began");
  const why = await box.ralph("why");
  expect(why.stdout.match(/continued: no tool was used and nothing was changed/g)).toHaveLength(1);
});

full("without the guard the same claim is left to the checks", async () => {
  const box = prepared(
    { zero_work_guard: false, verification_method: "external", verification_config: { command: "true" } },
    "echo '<promise>DONE</promise>'",
  );
  expect((await run(box)).code).toBe(0);
});

full("committed work counts", async () => {
  const box = prepared(
    { zero_work_guard: true },
    "echo work > made.txt; git add made.txt; git commit -qm work; echo '<promise>DONE</promise>'",
  );
  expect((await run(box, "-m", "1")).code).toBe(0);
});

full("a promise that differs from completionResponse is refused with its location", async () => {
  const box = sandbox();
  box.write(".ralph/settings.json", '{\n  "completionResponse": "READY",\n  "completion": { "promise": "DONE" }\n}');
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent");
  expect(code).toBe(2);
  expect(stderr).toContain(".ralph/settings.json:3:30: completion.promise: differs from completionResponse");
});

full("the definition of done reaches the agent", async () => {
  const box = prepared(
    { outcome: "It is fast.", acceptanceCriteria: [{ text: "under 10 ms", check: "true" }] },
    `printf '%s' "$1" > prompt\necho '<promise>DONE</promise>'`,
  );
  expect((await run(box)).code).toBe(0);
  expect(box.read("prompt")).toContain("## What done means\n\nIt is fast.\n\n- under 10 ms");
});
