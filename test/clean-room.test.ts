import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { full } from "./support/effort.ts";
import { expectNothingLeft } from "./support/leftovers.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const DONE = "<promise>DONE</promise>";

interface Given {
  command: string;
  agent?: string;
  files?: Record<string, string>;
  room?: object | true;
  criteria?: object;
  settings?: object;
}

/** A repository whose check runs in a clean room, with an agent that claims after its work. */
function loop({ command, agent = "", files = {}, room = true, criteria = {}, settings = {} }: Given): Sandbox {
  const box = sandbox();
  box.initGit();
  const check = { verification_method: "external", verification_config: { command } };
  box.write(
    ".ralph/settings.json",
    JSON.stringify({ completion: { clean_room: room, ...check, ...criteria }, ...settings }),
  );
  for (const [name, content] of Object.entries(files)) box.write(name, content);
  box.write(".gitignore", "node_modules\n*.log\n");
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "files");
  box.program("agent", `printf '%s' "$1" > ../prompt-$RALPH_ITERATION\n${agent}\necho '${DONE}'`);
  return box;
}

const ARGS = ["run", "--prompt", "x", "--agent", "agent"];
const run = (box: Sandbox, ...args: string[]) => box.ralph(...ARGS, ...args);
const prompt = (box: Sandbox, n: number) => box.read(`../prompt-${n}`);
const roomsOf = (box: Sandbox) => readdirSync(join(box.state, "rooms")).filter((name) => name !== "dependencies");
const COMMIT = "git add --all; git commit --quiet -m work";

function expectNoRoom(box: Sandbox): void {
  expect(roomsOf(box)).toEqual([]);
  expect(box.git("worktree", "list").trim().split("\n")).toHaveLength(1);
}

test("uncommitted files do not help, and the agent is told which", async () => {
  const box = loop({
    command: "test -f made.txt",
    agent: `touch made.txt more.txt; [ "$RALPH_ITERATION" = 1 ] || { ${COMMIT}; }`,
  });
  const { code, stderr } = await run(box);
  expect(code).toBe(0);
  const first = box.git("rev-parse", "--short=9", "HEAD~1").trim();
  expect(prompt(box, 2)).toContain(
    `Note: checked on commit ${first}, without ignored files and uncommitted changes: made.txt, more.txt`,
  );
  const head = box.git("rev-parse", "--short=9", "HEAD").trim();
  expect(stderr).toContain(`✓ verified: 1 of 1 checks pass (checked on commit ${head}, without ignored files)`);
  expectNoRoom(box);
});

full("checks run outside the repository, without the agent's programs and modules", async () => {
  const box = loop({
    command: 'pwd; echo "LOOP=$RALPH_LOOP"; tool; node -e \'require("mine")\' && exit 1; test ! -e node_modules',
    files: { "package.json": "{}" },
    agent:
      "mkdir -p node_modules/mine; touch node_modules/mine/index.js made; git add made; git commit --quiet -m made",
    criteria: { baseline: false },
  });
  box.program("tool", "echo the right tool");
  box.write("node_modules/.bin/tool", "#!/bin/sh\necho the agent's tool\n");
  box.git("update-index", "--refresh");
  const { code } = await box.start([...ARGS, "-m", "1"], {
    PATH: `${box.path("node_modules/.bin")}:${box.bin}:${process.env.PATH}`,
    NODE_PATH: box.path("node_modules"),
  }).ended;
  expect(code).toBe(0);
  const [loopFolder] = readdirSync(join(box.state, "loops"));
  const log = readFileSync(join(box.state, "loops", loopFolder ?? "", "check-1-1-1.log"), "utf8");
  expect(log).toContain(`${join(box.state, "rooms", loopFolder ?? "")}-`);
  expect(log).toContain(`LOOP=${loopFolder}`);
  expect(log).toContain("the right tool");
});

full("the baseline runs on the commit at the start of the loop", async () => {
  const box = loop({ command: "test -f made.txt", agent: COMMIT });
  box.write("made.txt", "not committed");
  const { code, stderr } = await run(box);
  expect(code).toBe(0);
  expect(stderr).toContain("· before any work: test -f made.txt (exit code 1): fails now, as it should");
  expect(stderr).toMatch(/✓ check: test -f made\.txt \(exit code 0, \S+, fixed\)/);
});

const WITH_DEP = {
  "package.json": JSON.stringify({ name: "w", version: "1.0.0", dependencies: { dep: "file:dep" } }),
  "package-lock.json": JSON.stringify({
    name: "w",
    version: "1.0.0",
    lockfileVersion: 3,
    requires: true,
    packages: {
      "": { name: "w", version: "1.0.0", dependencies: { dep: "file:dep" } },
      dep: { version: "1.0.0" },
      "node_modules/dep": { resolved: "dep", link: true },
    },
  }),
  "dep/package.json": JSON.stringify({ name: "dep", version: "1.0.0" }),
  "dep/index.js": "module.exports = 42;\n",
};

full("dependencies are installed once per lockfile, and reused afterwards", async () => {
  const box = loop({
    // Changes that a check makes to its modules must not reach the next one.
    command: `node -e 'process.exit(require("dep") === 42 ? 0 : 1)' && test ! -e node_modules/marker && touch node_modules/marker && test -f made.txt`,
    files: WITH_DEP,
    agent: `echo "$RALPH_ITERATION" > change; [ "$RALPH_ITERATION" = 1 ] || touch made.txt; ${COMMIT}`,
  });
  const { code, stderr } = await run(box);
  expect(code).toBe(0);
  expect(stderr.match(/clean room: npm ci/g)).toHaveLength(1);
  expect(readdirSync(join(box.state, "rooms/dependencies"))).toHaveLength(1);
  expect((await run(box)).stderr).not.toContain("npm ci");
  expectNoRoom(box);
});

full("an outdated lockfile must be fixed by the agent", async () => {
  const wrong = JSON.stringify({ name: "w", version: "1.0.0", dependencies: { dep: "file:dep", gone: "file:gone" } });
  const box = loop({
    command: "true",
    files: WITH_DEP,
    agent: `[ "$RALPH_ITERATION" = 1 ] && echo '${wrong}' > package.json || git checkout --quiet HEAD~1 package.json; ${COMMIT}`,
    criteria: { baseline: false },
  });
  const { code, stderr } = await run(box);
  expect(stderr).toMatch(/✗ not proven \(fail\): clean room: npm ci: exit code 1/);
  expect(prompt(box, 2)).toContain("Command: npm ci");
  expect(code).toBe(0);
});

full.each<[string, object, number, string]>([
  ["fails", { setup: "echo no luck; exit 3" }, 1, "✗ not proven (fail): clean room: echo no luck; exit 3: exit code 3"],
  ["times out", { setup: "sleep 60", timeout: 0.3 }, 1, "timed out after 300ms"],
  ["cannot be run", { setup: "no-such-installer" }, 1, "■ unverifiable"],
])("a setup that %s is not a pass", async (_name, room, exit, says) => {
  const box = loop({ command: "true", room, agent: `touch made; ${COMMIT}`, criteria: { baseline: false } });
  const { code, stderr } = await run(box, "-m", "1");
  expect(stderr).toContain(says);
  expect(code).toBe(exit);
  expectNoRoom(box);
});

full("a setup that cannot be run is refused before the agent starts", async () => {
  const box = loop({ command: "true", room: { setup: "no-such-installer" } });
  const { code, stderr } = await run(box);
  expect(stderr).toContain("■ check-missing");
  expect(code).toBe(2);
  expect(box.exists("../prompt-1")).toBe(false);
});

full("a custom setup makes folders that are cached under the lockfile's hash", async () => {
  const box = loop({
    command: "cat deps/lib",
    files: { "uv.lock": "1" },
    room: { setup: 'echo ran >> "$COUNTER"; mkdir deps; cp uv.lock deps/lib', cached: ["deps"] },
    agent: `[ "$RALPH_ITERATION" = 1 ] || echo 2 > uv.lock; echo "$RALPH_ITERATION" > change; ${COMMIT}`,
    criteria: { verification_config: { command: "grep -q 2 deps/lib" } },
  });
  const counter = box.path("../counter");
  const { code } = await box.start(ARGS, { COUNTER: counter }).ended;
  expect(code).toBe(0);
  // Before any work, and again for the changed lockfile; not for the first iteration.
  expect(readFileSync(counter, "utf8")).toBe("ran\nran\n");
});

full("a loop in a folder of the repository is checked in that folder of the commit", async () => {
  const box = loop({ command: "true", agent: "" });
  const criteria = {
    clean_room: true,
    verification_method: "external",
    verification_config: { command: "test -f here" },
  };
  box.write("sub/.ralph/settings.json", JSON.stringify({ completion: criteria }));
  box.program("agent", `touch here; [ "$RALPH_ITERATION" = 1 ] || { ${COMMIT}; }; echo '${DONE}'`);
  const { code, stderr } = await box.shell('cd sub && exec "$@"', ...ARGS).ended;
  expect(stderr).toContain("the folder sub is not in commit");
  expect(code).toBe(0);
});

full("a commit with another check than the folder is tampering", async () => {
  const box = loop({
    command: "./check.sh",
    files: { "check.sh": "#!/bin/sh\nexit 1\n" },
    agent: "",
  });
  box.git("update-index", "--chmod=+x", "check.sh");
  box.git("commit", "--quiet", "-m", "executable");
  box.git("checkout", "--quiet", "--force", "HEAD");
  box.program(
    "agent",
    `cp check.sh ../honest; printf '#!/bin/sh\\nexit 0\\n' > check.sh; git commit --quiet -am lie; cat ../honest > check.sh; echo '${DONE}'`,
  );
  const { code, stderr } = await run(box, "-m", "1");
  expect(stderr).toMatch(/✗ not proven \(fail\): tampered: check\.sh \(changed: .*, in commit [0-9a-f]{9}\)/);
  expect(code).toBe(1);
});

full("a stop removes the room, and the next run removes that of a killed one", async () => {
  const box = loop({
    command: '[ -e "$GO" ] || { touch "$BEGAN"; sleep 300; }',
    agent: `echo more >> made; ${COMMIT}`,
    criteria: { baseline: false },
  });
  const env = { GO: box.path("../go"), BEGAN: box.path("../began") };
  const judged = async (start: () => ReturnType<Sandbox["start"]>) => {
    rmSync(env.BEGAN, { force: true });
    const running = start();
    await expect.poll(() => existsSync(env.BEGAN)).toBe(true);
    expect(roomsOf(box)).toHaveLength(1);
    return running;
  };
  const stopped = await judged(() => box.start(ARGS, env));
  stopped.child.kill("SIGINT");
  expect((await stopped.ended).code).toBe(130);
  expectNoRoom(box);

  const killed = await judged(() => box.start(["resume"], env));
  killed.child.kill("SIGKILL");
  await killed.ended;
  await expectNothingLeft(box);
  expect(roomsOf(box)).toHaveLength(1);

  // Another loop cleans up after a killed one, but not after a running one.
  const other = await judged(() => box.start(["resume"], env));
  const [busy] = roomsOf(box);
  box.write("../go", "");
  const third = await box.start([...ARGS, "--force"], env).ended;
  expect(third.code).toBe(0);
  expect(roomsOf(box)).toEqual([busy]);
  other.child.kill("SIGINT");
  await other.ended;
  expectNoRoom(box);
});

full("two loops at once have a room each", async () => {
  const box = loop({
    command:
      'touch "$MEET/$RALPH_LOOP"; while [ "$(ls "$MEET" | wc -l)" -lt 2 ]; do sleep 0.05; done; test -f made.txt',
    files: { ...WITH_DEP, "made.txt": "" },
    agent: "echo more >> work.txt",
    criteria: { baseline: false },
  });
  box.write("../meet/.keep", "");
  rmSync(box.path("../meet/.keep"));
  const runs = [1, 2].map(() => box.start([...ARGS, "-m", "1", "--force"], { MEET: box.path("../meet") }).ended);
  expect((await Promise.all(runs)).map(({ code }) => code)).toEqual([0, 0]);
  expectNoRoom(box);
});

full("a clean room proves the commit, which verifies in a clone of it", async () => {
  const box = loop({ command: "test -f made", agent: `touch made; ${COMMIT}; touch beside` });
  expect(await run(box, "-m", "1")).toMatchObject({ code: 0 });
  box.git("clone", "--quiet", ".", "../clone");
  const [receipt = ""] = readdirSync(box.path(".ralph/receipts"));
  const verify = `cd ../clone && exec "$@" ${box.path(`.ralph/receipts/${receipt}`)}`;
  expect(await box.shell(verify, "receipt", "verify").ended).toMatchObject({ code: 0 });
});

full("no room is made before any work if nothing would run in it", async () => {
  const box = loop({
    command: "true",
    agent: `touch made; ${COMMIT}`,
    room: { setup: "echo set up >> ../../count" },
    criteria: { baseline: false, zero_work_guard: true },
  });
  expect(await run(box)).toMatchObject({ code: 0 });
  expect(box.read("../state/count")).toBe("set up\n");
});

full("a state folder inside the checkout gets its rooms elsewhere, each in its own place", async () => {
  const box = loop({
    command: "pwd; git rev-parse --show-toplevel",
    agent: "echo more >> work.txt",
    criteria: { baseline: false },
  });
  const { code } = await box.start([...ARGS, "-m", "1"], { RALPH_STATE_DIR: box.path(".state") }).ended;
  expect(code).toBe(0);
  await box.start([...ARGS, "-m", "1"], { RALPH_STATE_DIR: box.path(".other") }).ended;
  expect(box.exists(".state/rooms")).toBe(false);
  const places = readdirSync(join(box.cwd, "..")).filter((name) => name.startsWith("ralph-rooms-"));
  expect(places).toHaveLength(2);
});

full.each<[string, (box: Sandbox) => void, object | true, RegExp]>([
  [
    "no repository",
    () => undefined,
    true,
    /clean_room needs a git repository, and .* is not one\n {2}help: .*git init/,
  ],
  ["no commit", (box) => box.git("init", "--quiet"), true, /clean_room needs a commit to check.*\n {2}help: commit/],
  [
    "folders that lead outside",
    (box) => box.initGit(),
    { setup: "true", cached: ["../x"] },
    /clean_room\.cached: "\.\.\/x" leads out of the loop's folder\n {2}help: name folders inside/,
  ],
  [
    "the whole folder",
    (box) => box.initGit(),
    { setup: "true", cached: ["./"] },
    /clean_room\.cached: "\.\/" leads out/,
  ],
])("refused before the loop starts: %s", async (_name, prepare, room, says) => {
  const box = sandbox();
  prepare(box);
  box.write(".ralph/settings.json", JSON.stringify({ completion: { clean_room: room }, verify: ["true"] }));
  box.program("agent", `touch ran; echo '${DONE}'`);
  const { code, stderr } = await run(box);
  expect(stderr).toMatch(says);
  expect(code).toBe(2);
  expect(box.exists("ran")).toBe(false);
});

full("code that changes a check in the room while it runs is tampering", async () => {
  const stages = [
    { name: "unit", method: "external", config: { command: "node unit.mjs" } },
    { name: "gate", method: "external", config: { command: "sh gate.sh" } },
  ];
  const box = loop({
    command: "",
    files: { "unit.mjs": "import './work.mjs';\n", "work.mjs": "", "gate.sh": "exit 1\n" },
    criteria: { verification_method: "multi_stage", verification_config: { stages } },
    agent: `echo "import { writeFileSync } from 'node:fs'; writeFileSync('gate.sh', '');" > work.mjs; ${COMMIT}`,
  });
  const { code, stderr } = await run(box, "-m", "1");
  expect(stderr).toContain("✓ check: sh gate.sh");
  expect(stderr).toContain("tampered: gate.sh (replaced while the checks ran, in the clean room)");
  expect(code).toBe(1);
});

full.each<[string, object | true, string, string]>([
  ["its script", { setup: "sh setup.sh" }, "echo true > setup.sh", "tampered: setup.sh (changed"],
  [
    "an install script",
    true,
    `echo '{"scripts":{"postinstall":"true"}}' > package.json`,
    "tampered: package.json#scripts.postinstall (added",
  ],
])("a setup is fixed when the loop starts: %s", async (_name, room, does, says) => {
  const box = loop({
    command: "true",
    room,
    files: {
      "setup.sh": "exit 0\n",
      "package.json": "{}",
      "package-lock.json": JSON.stringify({ lockfileVersion: 3, requires: true, packages: { "": {} } }),
    },
    agent: `${does}; ${COMMIT}`,
  });
  const { code, stderr } = await run(box, "-m", "1");
  expect(stderr).toContain(says);
  expect(code).toBe(1);
});
