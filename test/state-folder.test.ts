import { execFileSync } from "node:child_process";
import { mkdirSync, openSync, readFileSync, statSync, truncateSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { expect, onTestFinished, test } from "vitest";
import { full, sampled } from "./support/effort.ts";
import { expectRefusal } from "./support/refusal.ts";
import { type Ended, type Sandbox, sandbox } from "./support/sandbox.ts";

const RUN = ["run", "--agent", "yes-agent", "--prompt", "x"];

function withAgent(): Sandbox {
  const box = sandbox();
  box.program("yes-agent", 'echo "<promise>DONE</promise>"');
  return box;
}

sampled(1).each([
  ["in /proc", () => "/proc/ralph", /cannot write \/proc\/ralph: ENOENT.*\n.*set RALPH_STATE_DIR/],
  ["below a file", (box: Sandbox) => `${box.write("file", "")}/state`, /file: EEXIST.*\n.*a file exists where/],
  [
    "that is a file",
    (box: Sandbox) => box.write("file", ""),
    /file: EEXIST.*\n.*a file exists where a folder is needed/,
  ],
])("a state folder %s is refused, and doctor says so", async (_name, folderIn, says) => {
  const box = withAgent();
  const env = { RALPH_STATE_DIR: folderIn(box) };
  const [run, status, doctor] = await Promise.all([
    box.start(RUN, env).ended,
    box.start(["status"], env).ended,
    box.start(["doctor"], env).ended,
  ]);
  expectRefusal(run, says);
  // Commands that only read need no state folder.
  expect(status).toMatchObject({ code: 0, stderr: "" });
  expect(doctor.code).toBe(1);
  expect(doctor.stdout).toMatch(/✗ state folder {2}cannot write .*\n.*RALPH_STATE_DIR/);
});

/** Every command that opens the journal refuses it, and leaves it byte for byte. */
async function expectUntouched(box: Sandbox, says: RegExp, doctorSays: RegExp): Promise<void> {
  const journal = join(box.state, "ralph.db");
  const before = readFileSync(journal);
  for (const args of [RUN, ["status"], ["list"], ["why"], ["resume"]]) expectRefusal(await box.ralph(...args), says);
  const doctor = await box.ralph("doctor");
  expect(doctor).toMatchObject({ code: 1, stderr: "" });
  expect(doctor.stdout).toMatch(doctorSays);
  expect(readFileSync(journal).equals(before)).toBe(true);
}

async function withJournal(): Promise<{ box: Sandbox; journal: string }> {
  const box = withAgent();
  expect((await box.ralph(...RUN)).code).toBe(0);
  return { box, journal: join(box.state, "ralph.db") };
}

full("only the owner can read a state folder", async () => {
  const { box } = await withJournal();
  expect(statSync(box.state).mode & 0o777).toBe(0o700);
});

test("a journal of a newer version is left alone", async () => {
  const { box, journal } = await withJournal();
  const db = new DatabaseSync(journal);
  db.exec("PRAGMA user_version = 99; PRAGMA journal_mode = DELETE");
  db.close();
  await expectUntouched(box, /newer Ralph \(schema 99.*\n.*install that version/, /✗ journal .*newer version \(99\)/);
});

full("a journal with garbage in the middle is left alone", async () => {
  const { box, journal } = await withJournal();
  const pages = statSync(journal).size - 4096;
  writeSync(openSync(journal, "r+"), Buffer.alloc(pages, "garbage "), 0, pages, 4096);
  await expectUntouched(box, /ralph\.db is damaged\n.*ralph doctor/, /✗ journal .*damaged.*\n.*start over/);
});

full("a truncated journal is left alone", async () => {
  const { box, journal } = await withJournal();
  truncateSync(journal, 4096 * 3 + 100);
  await expectUntouched(box, /ralph\.db is damaged/, /✗ journal .*damaged/);
});

full("a file that is not a database is left alone", async () => {
  const { box, journal } = await withJournal();
  writeFileSync(journal, "these are my notes, not a database\n".repeat(200));
  await expectUntouched(box, /ralph\.db is not a database/, /✗ journal .*not a database/);
});

full("an empty file is a new journal", async () => {
  const box = withAgent();
  mkdirSync(box.state);
  writeFileSync(join(box.state, "ralph.db"), "");
  expect((await box.ralph("doctor")).code).toBe(0);
  expect((await box.ralph(...RUN)).code).toBe(0);
});

/** Fills up while the agent prints: 20 iterations of 40 KB. */
const CHATTY = `i=0; while [ $i -lt 20 ]; do printf '%02000d\\n' 0; i=$((i+1)); done
[ "$RALPH_ITERATION" -lt 20 ] || echo "<promise>DONE</promise>"`;

/** After space was freed the journal is intact, and the loop continues to its end. */
async function expectRecovery(box: Sandbox): Promise<void> {
  expect((await box.ralph("doctor")).stdout).toContain("intact");
  const resumed = await box.ralph("resume", "-q");
  expect(resumed.stderr).toMatch(/^\? promise-only .*: the promise was given; .*\(20 iterations/);
  expect(resumed.code).toBe(0);
}

full.each(["460k", "400k", "360k"])(
  "a disk that is full at %s stops the loop, which continues once there is space",
  async (size) => {
    const box = sandbox();
    box.program("chatty", CHATTY);
    const grow = tinyDisk(box.state, size);
    const args = ["run", "--agent", "chatty", "--prompt", "x", "-m", "20"];
    const { code, stderr } = await (grow ? box.ralph(...args) : limited(box, args, 80));
    expect(stderr).toMatch(/error: (the database|cannot write) .*\n {2}help: .*ralph resume/);
    expect(stderr).not.toMatch(/^ {4}at /m);
    expect(code).toBe(1);
    const views = await Promise.all(["status", "list", "why", "doctor"].map((view) => box.ralph(view)));
    expect(views.map((view) => view.stderr)).toEqual(["", "", "", ""]);
    grow?.();
    await expectRecovery(box);
  },
);

full.each([
  [
    "the log",
    300,
    `head -c 400000 /dev/zero | tr '\\0' x; echo; ${CHATTY}`,
    /cannot write .*EFBIG.*\n {2}help: .*ulimit/,
  ],
  [
    "the journal",
    230,
    `exec >/dev/null; ${CHATTY.replace("echo", "exec >&3; echo")}`,
    /the database .*\n {2}help: .*resume/,
  ],
])("a limit on file sizes that %s meets stops the loop in the same way", async (_name, kilobytes, agent, says) => {
  const box = sandbox();
  box.program("chatty", `exec 3>&1\n${agent}`);
  const { code, stderr } = await limited(box, ["run", "--agent", "chatty", "--prompt", "x", "-m", "20"], kilobytes);
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(/^ {4}at /m);
  expect(code).toBe(1);
  await expectRecovery(box);
});

/** A separate file system for the state folder; null if mounting is not allowed. Returns how to enlarge it. */
function tinyDisk(folder: string, size: string): (() => void) | null {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return null;
  }
  onTestFinished(() => void execFileSync("umount", [folder]));
  return () => void execFileSync("mount", ["-o", "remount,size=20m", folder]);
}

/** Runs ralph with a limit on file sizes, in kilobytes. */
const limited = (box: Sandbox, args: readonly string[], kilobytes: number): Promise<Ended> =>
  box.shell(`ulimit -f ${kilobytes * 2}; exec "$@"`, ...args).ended;
