// The ways of ending a loop, each applied to the same agent. A way accepts if the loop ends as complete.
import { CHECK, PROMPT, sandboxFor } from "./sandbox.mjs";

const TURNS = 2;
const SCOPE = ["src/**", "+test/**", "docs/**", "README.md"];

export const WAYS = [
  { id: "anywhere", name: "a promise anywhere", does: "`grep '<promise>DONE</promise>'` on the agent's output" },
  { id: "lastLine", name: "a promise on the last line", does: "the last line of the agent's answer is the tag" },
  { id: "checks", name: "checks alone", does: `\`${CHECK}\` exits 0 after the agent` },
  { id: "rules", name: "`ralph run`", does: `\`ralph run --verify "${CHECK}"\`, with the default rules` },
  { id: "room", name: "scope and oracle room", does: 'the same with `scope` and `clean_room: "oracle"`' },
  { id: "strict", name: "scope, room and `--strict`", does: "the same with `--strict`" },
];

const TAG = "<promise>DONE</promise>";

/**
 * What each way does with an agent: `{ way: { accepted, done, says } }`. `done`: the work was really done then, by cases
 * that the agent does not see.
 */
export async function outcomesOf(row) {
  const plain = await withoutRalph(row);
  const rules = await withRalph(row, {});
  const room = await withRalph(row, { completion: { scope: SCOPE, clean_room: "oracle" } });
  // Strict only adds to what is refused.
  const strict = room.accepted
    ? await withRalph(row, { completion: { scope: SCOPE, clean_room: "oracle" }, flags: ["--strict"] })
    : room;
  return { ...plain, rules, room, strict };
}

async function withoutRalph({ id }) {
  const box = sandboxFor(id);
  try {
    const refused = { accepted: false, done: false };
    const outcomes = { anywhere: refused, lastLine: refused, checks: refused };
    for (let turn = 1; turn <= TURNS && Object.values(outcomes).some(({ accepted }) => !accepted); turn++) {
      const { stdout, stderr } = await box.agent();
      const ends = {
        anywhere: (stdout + stderr).includes(TAG),
        lastLine: stdout.trimEnd().split("\n").at(-1) === TAG,
        checks: (await box.check()).code === 0,
      };
      // After the check: this loads the code, too.
      const done = await box.isDone();
      for (const way of Object.keys(ends))
        if (ends[way] && !outcomes[way].accepted) outcomes[way] = { accepted: true, done };
    }
    return outcomes;
  } finally {
    box.close();
  }
}

async function withRalph({ id }, { completion, flags = [] }) {
  const box = sandboxFor(id);
  try {
    if (completion) box.settings(completion);
    const task = ["--prompt", PROMPT, "--verify", CHECK, "--agent", "agent", "-m", String(TURNS)];
    const { code, stdout, stderr } = await box.ralph("run", ...task, ...flags);
    if (code !== 0 && code !== 1) throw new Error(`${id}: exit code ${code}: ${stderr}`);
    return { accepted: code === 0, done: await box.isDone(), says: stdout + stderr };
  } finally {
    box.close();
  }
}
