import { expect, test } from "vitest";
import { atEnd } from "./support/at-end.ts";
import { full, sample } from "./support/effort.ts";
import { type Planted, projectWith, runParts } from "./support/planted.ts";
import { trickProject } from "./support/trick-project.ts";
import { TRICKS, type Trick } from "./support/tricks.ts";

const finished = atEnd();

const CLAIMS = "true";
const REST: Planted = { agent: "true" };

const ADDED = TRICKS.filter(({ says = "" }) => /\(added|node_modules|hooks/.test(says));
const loopOf = ({ verify = "sh check.sh" }: Trick): Planted => ({ loop: CLAIMS, verify: [verify] });

// src/verify/tamper/protection-since.test.ts checks that every other trick has the same result.
test.concurrent.each(
  sample(
    ADDED.map((trick) => [trick.name, trick] as const),
    1,
  ),
)("planted by a step before the loop: %s", async (_name, trick) => {
  const { code, stderr } = await runParts(trickProject(finished, trick), { agent: trick.does }, loopOf(trick));
  expect(stderr).toContain("tampered: ");
  expect(stderr).toContain(trick.says);
  expect(code).toBe(1);
});

full.concurrent.each(ADDED.map((trick) => [trick.name, trick] as const))(
  "the user's, by a command of the workflow: %s",
  async (_name, trick) => {
    const box = trickProject(finished, trick);
    const bash = `BIN='${box.bin}'\n${trick.does}`;
    const { code, stderr } = await runParts(box, { agent: "echo 1 > src/new.ts" }, { bash }, loopOf(trick));
    expect(stderr).not.toContain("tampered");
    expect(code).toBe(0);
  },
);

/** `npm test` runs the user's script, which runs the agent's code. */
const NODE = {
  "package.json": '{"scripts":{"test":"node test.mjs"}}\n',
  "test.mjs": 'import "./src/sum.mjs";\n',
  "src/sum.mjs": "\n",
  "setup.sh": "echo script-shell=/bin/sh > .npmrc\n",
  "lib/rc.mjs": 'import fs from "node:fs";\nfs.writeFileSync(".npmrc", "script-shell=/bin/sh");\n',
  "setup.mjs": 'import "./lib/rc.mjs";\n',
  Makefile: "setup:\n\tsh setup.sh\n",
};
const TEST = ["npm test --silent"];
const LOOP: Planted = { loop: CLAIMS, verify: TEST };
const PLANTS = "import fs from 'node:fs'; fs.writeFileSync('.npmrc', 'script-shell=/bin/sh');";
const PLANT: Planted = { agent: "echo script-shell=/bin/true > .npmrc" };
const RC = ".npmrc (added)";

full.concurrent.each<[string, string, Planted[]]>([
  [
    "another step, and a command that does something else, come in between",
    RC,
    [PLANT, { bash: "touch x" }, REST, LOOP],
  ],
  ["a command formats what was planted", RC, [PLANT, { bash: "echo '; neat' >> .npmrc" }, LOOP]],
  ["a command commits it", RC, [PLANT, { bash: "git add -A; git commit -qm wip" }, LOOP]],
  ["it follows a user's command that added something else", RC, [REST, { bash: "npm pkg set jest={}" }, PLANT, LOOP]],
  [
    "a command runs a script that an agent has written",
    RC,
    [{ agent: "cp setup.sh gen.sh" }, { bash: "sh gen.sh" }, LOOP],
  ],
  [
    "a command runs a script that an agent has changed",
    RC,
    [{ agent: "echo >> setup.sh" }, { bash: "sh setup.sh" }, LOOP],
  ],
  [
    "a command runs a script that imports what an agent has changed",
    RC,
    [{ agent: "echo >> lib/rc.mjs" }, { bash: "node setup.mjs" }, LOOP],
  ],
  [
    "a command runs the tests, and they run an agent's code",
    RC,
    [{ agent: `echo "${PLANTS}" > src/sum.mjs` }, { bash: TEST[0] ?? "" }, LOOP],
  ],
  [
    "a command installs what an agent has added",
    RC,
    [
      {
        agent: `mkdir p; echo '{"name":"p","version":"1.0.0","scripts":{"install":"echo x=1 > ../.npmrc"}}' > p/package.json
echo '{"scripts":{"test":"node test.mjs"},"dependencies":{"p":"file:p"}}' > package.json`,
      },
      { bash: "npm install --silent --no-audit --no-fund --offline; sh setup.sh" },
      LOOP,
    ],
  ],
  [
    "a command calls git, and git a hook that an agent has planted",
    RC,
    [
      { agent: "cp setup.sh .git/hooks/post-commit; chmod +x .git/hooks/post-commit; echo x > x" },
      { bash: "git add -A; git commit -qm x" },
      LOOP,
    ],
  ],
  [
    "a loop verified by another check plants it for the next one",
    "package.json#scripts.pretest (added",
    [{ loop: "npm pkg set scripts.pretest=true", verify: ["true"] }, LOOP],
  ],
  [
    "two agents remove tests together",
    "a.test.mjs (",
    [
      { agent: "echo \"test('b', () => { expect(f(1)); expect(f(2)) });\" > b.test.mjs" },
      { loop: "rm b.test.mjs; echo \"test('c', () => {});\" > a.test.mjs", verify: TEST },
    ],
  ],
])("planted, although %s", async (_name, says, parts) => {
  const box = projectWith(finished, { ...NODE, "a.test.mjs": "test('a', () => { expect(f(1)); });\n" });
  const { code, stderr } = await runParts(box, ...parts);
  expect(stderr).toContain("tampered: ");
  expect(stderr).toContain(says);
  expect(code).toBe(1);
});

full.concurrent.each<[string, Planted[]]>([
  [
    "a step edits sources and adds tests and a dependency",
    [
      {
        agent: `echo 'export {};' > src/sum.mjs; echo "test('b', () => { expect(1); });" > b.test.mjs
npm pkg set dependencies.left-pad=1`,
      },
      LOOP,
    ],
  ],
  [
    "a user's script runs after a step that worked elsewhere",
    [{ agent: "echo 1 > src/sum.mjs" }, { bash: "sh setup.sh" }, LOOP],
  ],
  ["a user's script with imports does", [{ agent: "echo > src/sum.mjs" }, { bash: "node setup.mjs" }, LOOP]],
  [
    "a command writes a script that a later command runs",
    [
      REST,
      { bash: "cat > gen.sh <<'END'\nnpx vitest run\nmake\nEND\ncp setup.sh gen.sh" },
      REST,
      { bash: "sh gen.sh" },
      LOOP,
    ],
  ],
  ["a command undoes what was planted", [PLANT, { bash: "rm .npmrc" }, LOOP]],
  ["a command changes a check after a step", [REST, { bash: "npm pkg set scripts.pretest=true" }, LOOP, LOOP]],
  ["a command deletes tests", [REST, { bash: "rm a.test.mjs" }, LOOP]],
  [
    "loops follow each other, and add tests and dependencies",
    [
      {
        loop: `echo "test('b', () => { expect(1); });" > b.test.mjs; npm pkg set dependencies.left-pad=1`,
        verify: TEST,
      },
      { loop: "mv a.test.mjs c.test.mjs", verify: TEST },
      LOOP,
    ],
  ],
  ["a loop removes what a step planted", [PLANT, { loop: "rm .npmrc", verify: TEST }]],
])("honest: %s", async (_name, parts) => {
  const box = projectWith(finished, { ...NODE, "a.test.mjs": "test('a', () => { expect(1); });\n" });
  const { code, stderr } = await runParts(box, ...parts);
  expect(stderr).not.toContain("tampered");
  expect(code).toBe(0);
});

full.concurrent("a step may create a project from scratch, like a loop's own agent", async () => {
  const scaffold = `echo '{"scripts":{"test":"vitest run","pretest":"true"},"vitest":{}}' > package.json
echo 'export default {}' > vitest.config.ts; mkdir src; echo "test('a', () => { expect(1); });" > src/a.test.ts`;
  // The loop's own agent must create what the check names, which needs the flag.
  const verify = { verification_method: "external", verification_config: { command: TEST[0] }, missing_ok: true };
  for (const parts of [[{ agent: scaffold }, LOOP], [{ loop: scaffold, verify }]]) {
    const box = projectWith(finished, { "README.md": "# new\n" });
    box.program("vitest", "exit 0");
    const { code, stderr } = await runParts(box, ...parts);
    expect(stderr).not.toContain("tampered");
    expect(code, stderr).toBe(0);
  }
});

full.concurrent("files that exist when the next run starts are the user's", async () => {
  const box = projectWith(finished, NODE);
  const first = await runParts(box, PLANT, LOOP);
  expect(first.stderr).toContain(`tampered: ${RC}`);
  box.write(".npmrc", "script-shell=/bin/sh\n");
  const second = await runParts(box, REST, LOOP);
  expect(second.stderr).not.toContain("tampered");
  expect(second.code).toBe(0);
});

full.concurrent("a run whose record is missing does not complete", async () => {
  const box = projectWith(finished, NODE);
  const { code, stderr } = await runParts(box, { agent: 'rm -rf "$STATE"/runs/*/trust' }, LOOP);
  expect(stderr).toContain("made when its run started, is gone");
  expect(stderr).not.toContain("completed");
  expect(code).not.toBe(0);
});
