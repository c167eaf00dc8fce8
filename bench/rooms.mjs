import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compare } from "./measure.mjs";

const FILES = 1_000;
const PACKAGES = 100;
const FILES_IN_PACKAGE = 10;

/** A project with dependencies, and an agent that claims after every change; its check always fails, after a while. */
function project({ cwd, script, sh }) {
  const write = (path, text) => {
    mkdirSync(join(cwd, path, ".."), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  for (let i = 0; i < FILES; i++) write(`src/${i % 20}/file-${i}.js`, `export const value = ${i};\n`);
  write("package.json", JSON.stringify({ name: "x", version: "1.0.0" }));
  write("package-lock.json", JSON.stringify({ name: "x", version: "1.0.0", lockfileVersion: 3, packages: {} }));
  write(".gitignore", "node_modules/\nbig/\n");
  script("agent.sh", "echo \"// $RANDOM$$\" >> src/0/file-0.js\necho '<promise>DONE</promise>'");
  // Stands for a test run: it starts a node and computes for a second.
  script(
    "check.sh",
    "test -d node_modules && exec node -e 'const end = Date.now() + 1000; while (Date.now() < end); process.exit(1)'",
  );
  const install = `for i in $(seq ${PACKAGES}); do mkdir -p node_modules/p$i; for j in $(seq ${FILES_IN_PACKAGE}); do echo "module.exports = $j" > node_modules/p$i/$j.js; done; done`;
  script("install.sh", install);
  return sh("git init -q && git add -A && git -c user.name=b -c user.email=b@b commit -qm start && ./install.sh");
}

/** What a claim costs in the oracle room, from the second one on, against the same check in the checkout. */
export async function roomsRow({ sandbox, row, times, ran }) {
  const box = sandbox("rooms");
  await ran(project(box), 0);
  const settings = (completion) => {
    mkdirSync(join(box.cwd, ".ralph"), { recursive: true });
    writeFileSync(join(box.cwd, ".ralph/settings.json"), JSON.stringify({ completion, stuckAfter: 0 }));
  };
  const args = ["run", "--prompt", "x", "--agent", "./agent.sh", "--verify", "./check.sh", "-q"];
  const claims = async (n) => (await ran(box.ralph([...args, "-m", String(n)]), 1)).ms;
  const perClaim = async (completion) => {
    settings(completion);
    rmSync(box.env.RALPH_STATE_DIR, { recursive: true, force: true });
    return ((await claims(4)) - (await claims(2))) / 2;
  };
  const room = { mode: "oracle", setup: "./install.sh", cached: ["node_modules"] };
  const { ratio, base, ours } = await compare(
    2,
    () => perClaim({}),
    () => perClaim({ scope: ["src/**"], clean_room: room }),
  );
  row(
    `a claim in the oracle room against the checkout, from the second on (${FILES} files, ${PACKAGES} packages)`,
    `${times(ratio)} (${ours.toFixed(0)} ms : ${base.toFixed(0)} ms)`,
    "≤ 5.00 ×",
    ratio <= 5,
  );
}
