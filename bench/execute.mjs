// A row about `ralph execute`: Ralph's share of the processor time when agents and checks do almost nothing.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const TASKS = 50;
/** Promises and approves immediately; a coder writes a file. */
const AGENT = `prompt=$(cat)
role=\${prompt##*\\*\\*Agent\\*\\*: }; role=\${role%%
*}
promise=\${prompt##*<promise>}; promise=\${promise%%</promise>*}
if [ "$role" = coder ]; then echo x > "file-$$.txt"; else echo '<review>{"approved": true, "findings": []}</review>'; fi
echo "<promise>$promise</promise>"`;

/** Measures and adds the row. */
export async function executeRow({ sandbox, row, ran }) {
  const { cwd, script, ralph, sh } = sandbox("execute");
  script("../agent", AGENT);
  mkdirSync(join(cwd, ".ralph"));
  writeFileSync(join(cwd, ".ralph/settings.json"), '{"agent": {"command": "../agent", "prompt": "stdin"}}');
  writeFileSync(
    join(cwd, "tasks.json"),
    JSON.stringify(
      Array.from({ length: TASKS }, (_, i) => ({
        id: `T-${i}`,
        title: `Task ${i}`,
        completion: { outcome: "A file is there", acceptance_criteria: [{ text: "It is", check: "ls file-*" }] },
      })),
    ),
  );
  await ran(
    sh(
      "git init -q -b main && git config user.name b && git config user.email b@b && git add -A && git commit -qm start",
    ),
    0,
  );
  await ran(ralph(["task", "create", "--file", "tasks.json", "--spec", "bench"]), 0);
  let own = 0;
  const before = ticksOf("self").children;
  const { ms, peakMb } = await ran(
    ralph(["execute", "--max-parallel", "6", "-q"], {
      onSample: (_rss, pid) => {
        own = Math.max(own, ticksOf(pid).own);
      },
    }),
    0,
  );
  const share = own / (ticksOf("self").children - before);
  row(
    `share of processor time used by the \`ralph execute\` process: ${TASKS} tasks × 4 stages, six at once`,
    `${(100 * share).toFixed(0)} % (${(ms / TASKS).toFixed(0)} ms a task, ${peakMb.toFixed(0)} MB)`,
    "≤ 30 %",
    share <= 0.3,
  );
}

/** The processor time of a process and of its exited children (Linux). */
function ticksOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
      .map(Number);
    const [user, system, childUser, childSystem] = fields.slice(11, 15);
    return { own: user + system, children: childUser + childSystem };
  } catch {
    return { own: 0, children: 0 };
  }
}
