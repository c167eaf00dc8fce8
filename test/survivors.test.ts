import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { atEnd } from "./support/at-end.ts";
import { sample } from "./support/effort.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const finished = atEnd();
const isLinux = process.platform === "linux";

interface Left {
  name: string;
  /** What the agent does, besides its work. */
  does: string;
  verify?: readonly string[];
  settings?: object;
  files?: Record<string, string>;
  /** `caught`: the loop does not pass. */
  outcome: "caught" | "passes";
  says?: string;
  /** Must not be on standard error. */
  silent?: string;
}

const FILES = {
  "src/sum.mjs": "export const sum = () => 1;\n",
  "snapshot.txt": "old\n",
  "server.mjs": `import { createServer } from "node:http";
createServer((_, answer) => answer.end("ok")).listen("../socket", () => console.log("listening"));\n`,
  "client.mjs": `import { get } from "node:http";
get({ socketPath: "../socket" }, (answer) => process.exit(answer.statusCode === 200 ? 0 : 1)).on("error", () => process.exit(1));\n`,
  // Cheats once the check has started.
  "cheat.sh": "echo $$ > ../pid; until [ -f ../on ]; do sleep 0.02; done; echo true > check.sh; touch ../cheated\n",
  // What a protected script calls is not protected.
  "helper.sh": "true\n",
  "first.sh": "sh helper.sh\n",
  "guard.sh": "sh helper.sh\n",
  "check.sh": "grep -q 'a + b' src/sum.mjs\n",
};
const UNTIL_STARTED = "until [ -s ../pid ]; do sleep 0.02; done";
/** Waits for the cheat if it is alive, so that the result does not depend on speed. */
const CHEATABLE =
  'touch ../on; if kill -0 "$(cat ../pid 2>/dev/null || echo none)" 2>/dev/null; then until [ -f ../cheated ]; do sleep 0.02; done; fi; sh check.sh';
const SERVED = "node server.mjs > ../serving 2>&1 & echo $! > ../pid; until [ -s ../serving ]; do sleep 0.02; done";
const ENDED = "that the turn left running: ";
const UNPROTECTED = { protect: ["!check.sh"] };

const CASES: readonly Left[] = [
  {
    name: "a daemon without an environment that rewrites a test during the checks",
    does: `setsid env -i PATH="$PATH" sh cheat.sh > /dev/null 2>&1 & ${UNTIL_STARTED}`,
    verify: [CHEATABLE],
    settings: UNPROTECTED,
    outcome: "caught",
    says: `${ENDED}sh cheat.sh (pid`,
  },
  {
    name: "the same, forked twice",
    does: `(setsid sh -c '(sh cheat.sh > /dev/null 2>&1 &)' > /dev/null 2>&1 &); ${UNTIL_STARTED}`,
    verify: [CHEATABLE],
    settings: UNPROTECTED,
    outcome: "caught",
    says: `${ENDED}sh cheat.sh (pid`,
  },
  {
    name: "the same, after the supervisor was killed",
    does: `(setsid env -i PATH="$PATH" sh cheat.sh > /dev/null 2>&1 &); ${UNTIL_STARTED}; kill -9 $PPID; sleep 600`,
    verify: [CHEATABLE],
    settings: UNPROTECTED,
    outcome: "caught",
  },
  {
    name: "a server that answers the checks",
    does: SERVED,
    verify: ["node client.mjs"],
    outcome: "caught",
    says: `${ENDED}node server.mjs (pid`,
  },
  {
    name: "a process that a guardrail leaves for the check",
    does: "echo 'setsid env -i PATH=\"$PATH\" sh cheat.sh > /dev/null 2>&1 & until [ -s ../pid ]; do sleep 0.02; done' > helper.sh",
    verify: [CHEATABLE],
    settings: { ...UNPROTECTED, guardrails: [{ command: "sh guard.sh", failAction: "APPEND" }] },
    outcome: "caught",
    says: "that sh guard.sh left running: sh cheat.sh (pid",
  },
  {
    name: "a process that one check leaves for the next",
    does: "echo 'setsid sh cheat.sh > /dev/null 2>&1 & until [ -s ../pid ]; do sleep 0.02; done' > helper.sh",
    verify: ["sh first.sh", CHEATABLE],
    settings: UNPROTECTED,
    outcome: "caught",
    says: "that sh first.sh left running: sh cheat.sh (pid",
  },
  {
    name: "a check that changes a tracked file before any work, too",
    does: "sed -i 's/1/a + b/' src/sum.mjs",
    verify: ["date +%N > snapshot.txt; sh check.sh"],
    outcome: "passes",
  },
  {
    name: "a guardrail that formats",
    does: "sed -i 's/1/a + b/' src/sum.mjs",
    settings: { guardrails: [{ command: "echo >> src/sum.mjs", failAction: "APPEND" }] },
    outcome: "passes",
  },
  {
    name: "a server that is part of the work",
    does: SERVED,
    verify: ["node client.mjs"],
    settings: { completion: { services: true } },
    outcome: "passes",
    says: "kept running: node server.mjs (pid",
  },
  {
    name: "a build daemon that the checks start again",
    does: "sed -i 's/1/a + b/' src/sum.mjs; sh build.sh",
    verify: ["sh build.sh && sh check.sh"],
    files: {
      "build.sh":
        "kill -0 $(cat ../daemon 2>/dev/null || echo none) 2>/dev/null || { rm -f ../daemon; setsid sh -c 'echo $$ > ../daemon; exec sleep 600' > /dev/null 2>&1 & }; until [ -s ../daemon ]; do sleep 0.02; done\n",
    },
    outcome: "passes",
    says: `${ENDED}sleep 600 (pid`,
  },
  {
    name: "an agent that leaves nothing",
    does: "sed -i 's/1/a + b/' src/sum.mjs; true & wait",
    outcome: "passes",
    silent: "left running",
  },
];

function project({
  does,
  verify = ["sh check.sh"],
  settings = {},
  files = {},
}: Omit<Left, "name" | "outcome">): Sandbox {
  const box = sandbox(finished);
  box.initGit();
  for (const [name, content] of Object.entries({ ...FILES, ...files })) box.write(name, content);
  box.write(".ralph/settings.json", JSON.stringify({ verify, ...settings }));
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "project");
  box.program("agent", `rm -f ../on\n${does}\necho work > work.txt\necho '<promise>DONE</promise>'`);
  return box;
}

const RUN = ["run", "--prompt", "x", "--agent", "agent", "-m", "1"] as const;

test.runIf(isLinux).concurrent.each(
  sample(
    CASES.map((left) => [left.outcome, left.name, left] as const),
    4,
  ),
)("%s: %s", async (_is, _name, left) => {
  const box = project(left);
  const { code, stderr } = await box.ralph(...RUN);
  if (left.says) expect(stderr).toContain(left.says);
  if (left.silent) expect(stderr).not.toContain(left.silent);
  expect(stderr).not.toContain("files changed while");
  expect(code).toBe(left.outcome === "passes" ? 0 : 1);
  await expect.poll(() => alive(box), { timeout: 60_000 }).toEqual([]);
});

/** The processes of a sandbox that wrote down their ids and still run. */
function alive(box: Sandbox): number[] {
  return ["../pid", "../daemon"].flatMap((name) => {
    const pid = box.exists(name) ? Number(box.read(name)) : 0;
    return pid > 0 && existsSync(`/proc/${pid}/stat`) && !isZombie(pid) ? [pid] : [];
  });
}

const isZombie = (pid: number): boolean => / Z /.test(readFileSync(`/proc/${pid}/stat`, "latin1"));

/** Does something each time when the check says so, from outside: no turn has started it. */
async function whileChecking(
  box: Sandbox,
  does: (time: number) => void,
): Promise<{ code: number | null; stderr: string }> {
  let times = 0;
  const looking = setInterval(() => {
    if (!box.exists("../on")) return;
    rmSync(box.path("../on"));
    does(++times);
    writeFileSync(box.path("../done"), "");
  }, 20);
  try {
    return await box.ralph(...RUN);
  } finally {
    clearInterval(looking);
  }
}

const HANDSHAKE = "touch ../on; until [ -f ../done ]; do sleep 0.02; done; rm ../done; sh check.sh";
const WORK = "sed -i 's/1/a + b/' src/sum.mjs";

test.concurrent("files that change during the checks every time leave the claim unverifiable", async () => {
  const box = project({ does: WORK, verify: [HANDSHAKE] });
  const { code, stderr } = await whileChecking(box, (time) => {
    // Not before any work.
    if (time > 1) restoreExactly(box.path("src/sum.mjs"));
  });
  expect(stderr).toContain("files changed while the checks ran: src/sum.mjs");
  expect(stderr).toContain("unverifiable");
  expect(code).not.toBe(0);
});

/** Writes other content and then the same again, with the same times. */
function restoreExactly(path: string): void {
  const [content, { atime, mtime }] = [readFileSync(path), statSync(path)];
  writeFileSync(path, "// other\n");
  writeFileSync(path, content);
  utimesSync(path, atime, mtime);
}

test.concurrent("a file that changes during the checks once is judged again", async () => {
  const box = project({ does: WORK, verify: [HANDSHAKE] });
  const { code, stderr } = await whileChecking(box, (time) => {
    if (time === 2) box.write("snapshot.txt", "edited by the user\n");
  });
  expect(stderr).toContain("files changed while the checks ran: snapshot.txt");
  expect(code).toBe(0);
});

test.concurrent("an untracked file that appears during the checks, such as an editor's, changes nothing", async () => {
  const box = project({ does: WORK, verify: [HANDSHAKE] });
  const { code, stderr } = await whileChecking(box, (time) => {
    if (time > 1) box.write("src/.sum.mjs.swp", `${time}`);
  });
  expect(stderr).not.toContain("files changed");
  expect(code).toBe(0);
});
