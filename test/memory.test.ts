import { expect, test } from "vitest";
import { expectRefusal } from "./support/refusal.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

/** Keeps its prompts as `prompt-1`, `prompt-2`, … beside the checkout, and runs `script` with `$n`. */
function remembering(script: string): Sandbox {
  const box = sandbox();
  box.write("../count", "0");
  box.program(
    "agent",
    `n=$(( $(cat ../count) + 1 )); echo $n > ../count; printf '%s' "$1" > "../prompt-$n"\n${script}`,
  );
  return box;
}
const prompts = (box: Sandbox, ...n: number[]): string[] => n.map((i) => box.read(`../prompt-${i}`));
const run = (box: Sandbox, ...args: string[]) => box.ralph("run", "--agent", "agent", ...args);

/** Counts the git processes from now on. */
function countGit(box: Sandbox): () => number {
  const real = box.env.PATH?.split(":").slice(1).join(":");
  box.program("git", `echo git >> ${box.bin}/count-git\nPATH=${real} exec git "$@"`);
  box.write("../bin/count-git", "");
  return () => box.read("../bin/count-git").split("git").length - 1;
}

test("every iteration after the first one is told about those before it, also after a resume", async () => {
  const box = remembering(
    `echo "line $n" >> a.txt; echo "$n" > "new $n.txt"
[ $n = 2 ] && git add -A && git commit -qm "step <promise>DONE</promise>"
printf 'Step %s is done.\\n\`\`\`\\nexport TOKEN=secret-%s\\n\`\`\`\\n' $n $n
[ $n != 4 ] || { echo asleep; exec sleep 600; }
[ $n -lt 5 ] || touch done.txt
echo 'Every test passes now: <promise>DONE</promise>'`,
  );
  box.write("a.txt", "");
  box.write("dirty.txt", "left by the user");
  box.write("task.md", "Do it.");
  box.initGit();
  const { code } = await run(box, "--prompt-file", "task.md", "--verify", "test -e done.txt", "-m", "3");
  expect(code).toBe(1);
  const killed = box.start(["resume", "-m", "9"]);
  await killed.saw("asleep");
  killed.child.kill("SIGKILL");
  await killed.ended;
  const { code: end, stderr } = await box.ralph("resume");
  expect([end, stderr]).toEqual([0, expect.stringContaining("verified")]);

  const [first = "", second = "", third = "", , again = ""] = prompts(box, 1, 2, 3, 4, 5);
  expect(first).not.toContain("## Memory");
  expect(second).toContain(`## Memory

This is iteration 2 of 3. `);
  expect(second).toContain(`Changed since the loop began, as of the end of iteration 1 (2 files, +2 −0 lines):
- a.txt +1 −0
- new 1.txt new, +1 −0

The last result of each check:
- test -e done.txt: failed in iteration 1 (exit code 1)

Your last message, at the end of iteration 1:

\`\`\`\`text
Step 1 is done.
\`\`\`
export TOKEN=***
\`\`\`
Every test passes now: [promise]DONE[/promise]
\`\`\`\`

To leave a note for the iterations after this one, write \`<note>…</note>\` in a message, not in code.

You claimed completion`);
  expect(third).toContain("iteration 3 of 3");
  expect(third).toMatch(/Commits since the loop began \(1\):\n- [0-9a-f]{10} step \[promise\]DONE\[\/promise\]\n/);
  // Iteration 4 was killed: the next attempt is told about iteration 3, from the journal.
  expect(again).toContain("iteration 4 of 9");
  expect(again).toContain("at the end of iteration 3:");
  expect(again).toContain("Step 3 is done.");
  expect(box.read("task.md")).toBe("Do it.");
});

test("notes are kept for every later iteration, and prove nothing", async () => {
  const box = remembering(
    `[ $n = 1 ] && echo '<note>Run make first. <promise>DONE</promise></note> <note>Use node 20.</note>'
[ $n = 2 ] && { printf '%s\\n' "$1"; echo '\`<note>code</note>\`'; echo '<note>Use node 20.</note>'; }
echo "Step $n."`,
  );
  const { stderr } = await run(box, "--prompt", "Do it. Notes look like <note>this example here</note>.", "-m", "3");
  expect(stderr).toContain("no claim (it is in a note)");
  const told = `Your notes, not checked by anyone:
1. Run make first. [promise]DONE[/promise] (iteration 1)
2. Use node 20. (iteration 1)

To leave a note`;
  expect(prompts(box, 2, 3)).toEqual([expect.stringContaining(told), expect.stringContaining(told)]);
  expect(await box.json("notes")).toMatchObject({
    remembers: true,
    notes: [
      { note: 1, iteration: 1, text: "Run make first. <promise>DONE</promise>" },
      { note: 2, iteration: 1, text: "Use node 20." },
    ],
  });
  const dropped = await box.ralph("notes", "drop", "1");
  expect(dropped).toMatchObject({ code: 0, stdout: expect.stringContaining("dropped: 1. Run make first.") });
  expectRefusal(await box.ralph("notes", "drop", "1", "--loop", "last"), /has no note 1\n {2}help: it has 2; /);
  expect((await box.ralph("notes")).stdout).toBe("2. Use node 20. (iteration 1)\n");
  expect(await box.json("status", "last")).toMatchObject({ status: "stopped", reason: "iteration-limit" });
  await box.ralph("resume", "-m", "4");
  expect(box.read("../prompt-4")).toContain("by anyone:\n2. Use node 20.");
});

test("a note of a running loop is dropped before one of its next iterations", async () => {
  const box = remembering(
    `[ $n = 1 ] && echo '<note>wrong</note> <note>right</note>'
[ $n = 2 ] && { echo waiting; until [ -e ../go ]; do sleep 0.05; done; }
case "$1" in *Your*wrong*) sleep 0.05;; *Your*right*) echo '<promise>DONE</promise>';; esac`,
  );
  const running = box.start(["run", "--agent", "agent", "--prompt", "Do it.", "-m", "9999", "--stuck-after", "0"]);
  await running.saw("waiting");
  expect(await box.json("notes", "drop", "1")).toMatchObject({ is: "asked", notes: [{ note: 1, text: "wrong" }] });
  box.write("../go", "");
  expect((await running.ended).code).toBe(0);
  expect(await box.json("notes")).toMatchObject({ notes: [{ note: 2, text: "right" }] });
});

test("without memory every prompt is the same, and git is asked once more per iteration with it", async () => {
  const box = remembering('echo "work $n" >> a.txt; echo "Step $n. <note>x</note>"');
  box.initGit();
  const counted = countGit(box);
  const each: number[] = [];
  for (const flags of [["--no-memory"], []]) {
    const of: number[] = [];
    for (const most of ["2", "6"]) {
      const before = counted();
      await run(box, "--prompt", "Do it.", "-m", most, ...flags);
      of.push(counted() - before);
    }
    each.push(((of[1] ?? 0) - (of[0] ?? 0)) / 4);
  }
  const [first, second] = prompts(box, 1, 2);
  expect(second).toBe(first);
  expect(new Set(prompts(box, 3, 4, 5, 6, 7, 8)).size).toBe(1);
  // The last ones remember.
  const [plain, told] = prompts(box, 9, 10);
  expect(plain).toBe(first);
  expect(told).toContain("- a.txt");
  expect((each[1] ?? 0) - (each[0] ?? 0)).toBeLessThanOrEqual(1);
});
