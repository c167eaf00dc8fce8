// The cost of counting tests: a check that runs 2,000 tests, against its own runs without Ralph.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compare } from "./measure.mjs";

const TESTS = 2_000;

export async function countingRow({ sandbox, row, times, ran }) {
  const { cwd, script, ralph, sh } = sandbox("counting");
  mkdirSync(join(cwd, "test"));
  writeFileSync(
    join(cwd, "test/many.test.js"),
    `const { test } = require("node:test");\nfor (let i = 0; i < ${TESTS}; i += 1) test(\`test \${i}\`, () => {});\n`,
  );
  script("agent.sh", "echo '<promise>DONE</promise>'");
  const loop = async (verify) =>
    (await ran(ralph(["run", "--prompt", "x", "--agent", "./agent.sh", "-q", "--verify", verify]), 0)).ms;
  // Once before the work, and once for the claim. The difference of two loops leaves out everything else.
  const { ratio } = await compare(
    5,
    async () => (await ran(sh("node --test test/ > log && node --test test/ > log"), 0)).ms,
    async () => (await loop("node --test test/")) - (await loop("true")),
  );
  row(
    `a check of ${TESTS.toLocaleString("en")} tests against its two runs alone`,
    times(ratio),
    "≤ 1.50 ×",
    ratio <= 1.5,
  );
}
