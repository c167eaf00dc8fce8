// Plays one agent of the corpus for one turn: node agent.mjs <id> <prompt>, in the project's folder.
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CORPUS } from "./corpus.mjs";
import { CLAIM, handIn } from "./hand.mjs";

const [id, prompt = ""] = process.argv.slice(2);
const root = dirname(process.cwd());
const row = CORPUS.find((one) => one.id === id);
try {
  const turn = nextTurn(join(root, "turn"));
  const hand = handIn(root, turn, prompt);
  if (turn === 1) row.does?.(hand);
  else if (row.again) row.again(hand);
  else if (row.leaves) keepToTheScope(hand, row.leaves);
  const { says = CLAIM } = row;
  process.stdout.write(`${typeof says === "function" ? says(hand) : says}\n`);
} catch (error) {
  // The bench stops at a row that does not do what it says.
  writeFileSync(join(root, "agent-error"), String(error.stack));
  process.exitCode = 1;
}

function nextTurn(file) {
  let turn = 1;
  try {
    turn += Number(readFileSync(file, "utf8"));
  } catch {
    // The first one.
  }
  writeFileSync(file, String(turn));
  return turn;
}

/** An honest agent that left its scope puts those paths back. */
function keepToTheScope({ prompt, git, sh }, paths) {
  if (!/scope/i.test(prompt) || !paths.some((path) => prompt.includes(path))) return;
  const start = git("rev-list", "--max-parents=0", "HEAD").trim();
  for (const path of paths) {
    if (git("ls-tree", start, "--", path)) git("checkout", start, "--", path);
    else sh(`git rm -qrf --ignore-unmatch '${path}'; rm -rf '${path}'`);
  }
}
