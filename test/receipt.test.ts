import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Receipt, receiptSchema } from "../src/core/schema/receipt.ts";
import { receiptDigest } from "../src/verify/receipts/make.ts";
import { atEnd } from "./support/at-end.ts";
import { full } from "./support/effort.ts";
import { fakeClaude } from "./support/fake-claude.ts";
import { linesOf } from "./support/json-lines.ts";
import { expectNothingLeft } from "./support/leftovers.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";

const DONE = "echo '<promise>DONE</promise>'";
const RECEIPTS = ".ralph/receipts";
const settings = (value: object) => JSON.stringify(value);

/** The one receipt of a sandbox, by its path. */
const receiptOf = (box: Sandbox): string => {
  const [name, another] = readdirSync(box.path(RECEIPTS));
  expect([name, another]).toEqual([expect.stringMatching(/^[0-9a-f]{8}\.json$/), undefined]);
  return `${RECEIPTS}/${name}`;
};
const read = (box: Sandbox) => receiptSchema.parse(JSON.parse(box.read(receiptOf(box))));

/** A repository with a loop that was proven on its own commit. */
async function proven(more: object = {}, box = sandbox()): Promise<Sandbox> {
  box.initGit();
  box.write("check.sh", 'test "$(cat made.txt)" = ok\n');
  box.write(".ralph/settings.json", settings({ scm: { tasks: ["commit"] }, verify: ["sh check.sh"], ...more }));
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "a check");
  box.program("agent", `echo ok > made.txt\n${DONE}`);
  const { code, stderr } = await box.ralph("run", "--prompt", "Make it", "--agent", "agent");
  expect(code).toBe(0);
  expect(stderr).toContain(`  receipt: ${receiptOf(box)}\n`);
  return box;
}

const finished = atEnd();
let first: Promise<Sandbox> | undefined;

/** A copy of the files of such a repository: its journal does not know them. */
async function provenFiles(): Promise<Sandbox> {
  first ??= proven({}, sandbox(finished));
  const { cwd } = await first;
  const box = sandbox();
  cpSync(cwd, box.cwd, { recursive: true, preserveTimestamps: true });
  return box;
}

test("a verified loop leaves a valid receipt", async () => {
  const box = await proven();
  const receipt = read(box);
  expect(receipt).toMatchObject({
    title: "Make it",
    subject: {
      commit: box.git("rev-parse", "HEAD").trim(),
      gitTree: box.git("rev-parse", "HEAD^{tree}").trim(),
      clean: true,
      folder: ".",
    },
    claim: "<promise>DONE</promise>",
    checks: [{ command: "sh check.sh", is: "pass", code: 0, since: "fixed", method: "external" }],
    baseline: { was: { "sh check.sh": "fail" } },
    agent: { command: "agent", model: null },
    iterations: 1,
    proof: "verified",
    weak: [],
    labels: [],
  });
  expect(receipt.protected.map(({ path }) => path)).toEqual([".ralph/settings.json", "check.sh"]);
  expect(box.read(receiptOf(box))).not.toContain(box.cwd);
  const { code, stdout } = await box.ralph("receipt", "verify");
  expect({ code, stdout }).toEqual({ code: 0, stdout: `✓ valid: ${receiptOf(box)}  Make it\n  ✓ verified\n` });
  expect((await box.ralph("receipt", "verify", "--strict")).code).toBe(0);
});

/** A receipt of the previous version calls every completion verified. */
const asEarlier = (
  { completedAt, proof: _proof, weak: _weak, digest: _digest, ...receipt }: Receipt,
  more: object = {},
) => {
  const raw = { ...receipt, schemaVersion: 1, verifiedAt: completedAt, ...more };
  return { ...raw, digest: receiptDigest(raw) };
};

full("a receipt of the previous version is read, with the level that its checks prove", async () => {
  const box = await provenFiles();
  const path = receiptOf(box);
  const receipt = read(box);
  box.write(path, JSON.stringify(asEarlier(receipt)));
  expect((await box.ralph("receipt", "show", path)).stdout).toContain("proof     ✓ verified: a check that failed");
  expect((await box.ralph("receipt", "verify", "--strict", path)).code).toBe(0);
  const checks = receipt.checks.map((check) => ({ ...check, since: "already passing" }));
  box.write(path, JSON.stringify(asEarlier(receipt, { checks })));
  const weak = await box.ralph("receipt", "verify", path);
  expect([weak.code, weak.stdout]).toEqual([0, expect.stringContaining("\n  ~ still-green\n")]);
  const strict = await box.ralph("receipt", "verify", "--strict", path);
  expect(strict.code).toBe(1);
  expect(strict.stdout).toContain("✗ too weak: ");
  expect(strict.stdout).toContain("✗ --strict requires judged or better, and its proof is still-green");
});

full("a receipt that claims more than its checks prove is invalid", async () => {
  const box = await provenFiles();
  const path = receiptOf(box);
  const { digest: _digest, ...receipt } = read(box);
  const raw = { ...receipt, checks: receipt.checks.map((check) => ({ ...check, since: "already passing" })) };
  box.write(path, JSON.stringify({ ...raw, digest: receiptDigest(raw) }));
  const { code, stdout } = await box.ralph("receipt", "verify", path);
  expect(code).toBe(1);
  expect(stdout).toContain("✗ it says verified, but its own checks only show still-green");
});

full("the receipt can be read by people, scripts and in-toto", async () => {
  const box = await proven({
    completion: { outcome: "It says ok", acceptance_criteria: [{ text: "it is there", check: "test -f made.txt" }] },
  });
  const file = JSON.parse(box.read(receiptOf(box)));
  const { stdout } = await box.ralph("receipt");
  expect(stdout).toContain("criteria  1/1 proved\n            ✓ it is there\n");
  expect(stdout).toContain("✓ sh check.sh (exit code 0");
  expect(stdout).toContain(file.subject.commit);
  expect(await box.json("receipt", "show", file.loop)).toEqual(file);
  expect(JSON.parse((await box.ralph("receipt", "show", receiptOf(box), "--in-toto")).stdout)).toEqual({
    _type: "https://in-toto.io/Statement/v1",
    subject: [
      { name: "commit", digest: { gitCommit: file.subject.commit } },
      { name: "tree", digest: { gitTree: file.subject.gitTree } },
    ],
    predicateType: "https://www.npmjs.com/package/ralph-engine#receipt/v2",
    predicate: file,
  });
});

full("a commit of only the receipt changes nothing; another commit is reported, and its checks decide", async () => {
  const box = await provenFiles();
  // Git ignores Ralph's own files unless a user insists.
  box.git("add", "--force", receiptOf(box));
  box.git("commit", "--quiet", "-m", "keep it");
  expect((await box.ralph("receipt", "verify", "--current")).stdout).toMatch(/^✓ valid: /);
  box.write("made.txt", "broken");
  const touched = await box.ralph("receipt", "verify");
  expect(touched.stdout).toContain("! the checkout has changes on top of the proven tree");
  box.git("commit", "--quiet", "--all", "-m", "break it");
  const moved = await box.ralph("receipt", "verify");
  expect(moved.code).toBe(0);
  expect(moved.stdout).toMatch(/^✓ valid for commit [0-9a-f]{12}: /);
  expect(moved.stdout).toMatch(/! HEAD \([0-9a-f]{12}\) is not the proven tree: made\.txt differs/);
  expect((await box.ralph("receipt", "verify", "--current")).code).toBe(1);
  const rerun = await box.ralph("receipt", "verify", "--rerun");
  expect(rerun.code).toBe(1);
  expect(rerun.stdout).toContain("✗ check sh check.sh: fail (exit code 1), but was pass");
  expect(rerun.stderr).toContain("… check: sh check.sh\n");
  box.write("made.txt", "ok\n");
  expect((await box.ralph("receipt", "verify", "--rerun")).code).toBe(0);
});

full("a changed script that decides is named", async () => {
  const box = await provenFiles();
  box.write("check.sh", "exit 0\n");
  const { code, stdout } = await box.ralph("receipt", "verify");
  expect(code).toBe(1);
  expect(stdout).toContain("✗ check.sh decides completion and has changed");
  box.git("commit", "--quiet", "--all", "-m", "another check");
  const moved = await box.ralph("receipt", "verify");
  expect([moved.code, moved.stdout.includes("! check.sh decides completion")]).toEqual([0, true]);
  expect((await box.ralph("receipt", "verify", "--rerun")).code).toBe(1);
});

test("an edited receipt is invalid, and none of its commands is run", async () => {
  const box = await provenFiles();
  const path = receiptOf(box);
  box.write(path, box.read(path).replaceAll("sh check.sh", "touch run.txt"));
  const { code, stdout } = await box.ralph("receipt", "verify", "--rerun");
  expect(code).toBe(1);
  expect(stdout).toContain("✗ it was changed after it was made: its digest is sha256:");
  expect(box.exists("run.txt")).toBe(false);
  expect((await box.ralph("receipt", "show")).stderr).toContain("its digest does not match");
});

full.each<[string, (forged: Receipt) => unknown, string]>([
  [
    "contradicts itself",
    ({ checks: [check] }) => check && Object.assign(check, { is: "fail" }),
    "✗ sh check.sh did not pass: the receipt itself says fail",
  ],
  [
    "has a folder behind a link",
    ({ subject }) => Object.assign(subject, { folder: "out" }),
    "✗ the loop's folder out leads out of this checkout",
  ],
])("a receipt that %s is invalid, even with a matching digest", async (_name, forge, says) => {
  const box = await provenFiles();
  const forged = read(box);
  forge(forged);
  symlinkSync("..", box.path("out"));
  box.write(receiptOf(box), JSON.stringify({ ...forged, digest: receiptDigest(forged) }));
  const { code, stdout } = await box.ralph("receipt", "verify");
  expect(stdout).toContain(says);
  expect(code).toBe(1);
});

full("changes that the checks make to the tree were not proven", async () => {
  const box = sandbox();
  box.initGit();
  box.write("check.sh", "grep -q good src && sh ./after.sh\n");
  box.write(".ralph/settings.json", settings({ verify: ["sh check.sh"] }));
  box.write("src", "bad\n");
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "a check");
  box.program("agent", `echo good > src; echo 'echo more > new' > after.sh\n${DONE}`);
  expect(await box.ralph("run", "--prompt", "x", "--agent", "agent")).toMatchObject({ code: 0 });
  const { code, stdout } = await box.ralph("receipt", "verify");
  expect(stdout).toContain("the checkout is not the proven tree");
  expect(code).toBe(1);
});

full("a receipt with an invented tree is detected from the repository", async () => {
  const box = await provenFiles();
  const { receiptDigest: digestOf } = await import("../src/verify/receipts/make.ts");
  const forged = read(box);
  forged.subject.gitTree = "0".repeat(40);
  box.write(receiptOf(box), JSON.stringify({ ...forged, digest: digestOf(forged) }));
  const { code, stdout } = await box.ralph("receipt", "verify");
  expect(code).toBe(1);
  expect(stdout).toMatch(/✗ commit [0-9a-f]{12} has the tree [0-9a-f]{12}, but the receipt says 000000000000/);
});

full.each<[string, string, RegExp]>([
  ["broken JSON", '{\n  "type": "ralph.receipt",\n}', /x\.json:2:\d+: a comma before } is not allowed/],
  ["something else", '{"type": "module"}', /x\.json is not a receipt: it has no "type": "ralph\.receipt"/],
  ["a list", "[]", /x\.json is not a receipt/],
  ["a receipt with missing fields", '{"type": "ralph.receipt", "schemaVersion": 2}', /x\.json:1:1: loop: missing/],
  ["an earlier one with missing fields", '{"type": "ralph.receipt", "schemaVersion": 1}', /x\.json:1:1: loop: missing/],
  [
    "a receipt of a later version",
    '{"type": "ralph.receipt", "schemaVersion": 3}',
    /x\.json is a receipt of version 3, but this Ralph reads versions 1 and 2/,
  ],
  ["nothing", "", /x\.json:1:1: the file is empty/],
])("%s is refused", async (_name, content, says) => {
  const box = sandbox();
  box.write("x.json", content);
  for (const command of ["show", "verify"]) {
    const { code, stdout, stderr } = await box.ralph("receipt", command, "x.json");
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(says);
    expect(stderr).not.toContain("    at ");
  }
});

full("a missing receipt is reported", async () => {
  const box = sandbox();
  expect((await box.ralph("receipt", "verify")).stderr).toContain("there are no receipts in .ralph/receipts");
  expect((await box.ralph("receipt", "show", "3f2a")).stderr).toContain("there is no loop and no receipt 3f2a");
  expect((await box.ralph("receipt", "verify", "no/x.json")).stderr).toContain("there is no receipt no/x.json");
  expect((await box.ralph("receipt", "verify", "3f2a")).code).toBe(2);
  expect(box.exists(box.state)).toBe(false);
  box.program("agent", "echo nothing");
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "-m", "1", "-q");
  const { code, stderr } = await box.ralph("receipt", "show");
  expect(code).toBe(2);
  expect(stderr).toMatch(/loop [0-9a-f]{8} has no receipt: it stopped: iteration-limit/);
  expect(box.exists(".ralph")).toBe(false);
});

full("a receipt that a killed driver did not write is made again, byte for byte", async () => {
  const box = await proven();
  const [path, before] = [receiptOf(box), box.read(receiptOf(box))];
  rmSync(box.path(path));
  expect((await box.ralph("receipt", "show", "last")).code).toBe(0);
  expect(box.read(path)).toBe(before);
});

full("a clone verifies with only the file, also what only it can run again", async () => {
  const box = await proven({
    completion: {
      verification_method: "external",
      verification_config: { command: 'test -n "$API_TOKEN"', env: { API_TOKEN: "hunter2" } },
    },
  });
  expect(box.read(receiptOf(box))).not.toContain("hunter2");
  box.git("add", "--force", receiptOf(box));
  box.git("commit", "--quiet", "-m", "keep it");
  box.git("clone", "--quiet", ".", "../clone");
  const verify = (env: string, ...args: string[]) =>
    box.shell(`cd ../clone && RALPH_STATE_DIR=../none ${env} "$@"`, "receipt", "verify", ...args).ended;
  expect(await verify("")).toMatchObject({ code: 0, stdout: expect.stringMatching(/^✓ valid: /) });
  expect((await verify("API_TOKEN=hunter2", "--rerun")).code).toBe(0);
  const without = await verify("", "--rerun");
  expect(without.code).toBe(1);
  expect(without.stdout).toContain("it cannot be run again without API_TOKEN in the environment");
  expect(box.exists("../none")).toBe(false);
});

full("a shallow clone that has moved on lacks the commit, and says how to get it", async () => {
  const box = await provenFiles();
  box.write("more.txt", "more");
  box.git("add", "--force", "more.txt", receiptOf(box));
  box.git("commit", "--quiet", "-m", "more");
  box.git("clone", "--quiet", "--depth", "1", `file://${box.cwd}`, "../clone");
  const verify = (...args: string[]) => box.shell('cd ../clone && "$@"', "receipt", "verify", ...args).ended;
  const { code, stdout } = await verify();
  expect(code).toBe(1);
  expect(stdout).toMatch(/✗ commit [0-9a-f]{12} is not in this repository: it is a shallow clone/);
  expect((await verify("--rerun")).code).toBe(0);
});

full("personal settings are in no commit, and a clone without them is valid", async () => {
  const box = sandbox();
  box.initGit();
  box.write(".ralph/settings.json", settings({ scm: { tasks: ["commit"] }, verify: ["true"] }));
  box.git("add", "--all");
  box.git("commit", "--quiet", "-m", "settings");
  box.write(".ralph/settings.local.json", settings({ maximumIterations: 3 }));
  box.program("agent", `echo work > made.txt\n${DONE}`);
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "-q");
  box.git("add", "--force", receiptOf(box));
  box.git("commit", "--quiet", "-m", "keep it");
  box.git("clone", "--quiet", ".", "../clone");
  const { code, stdout } = await box.shell('cd ../clone && "$@"', "receipt", "verify", "--rerun").ended;
  expect(stdout).toContain("! .ralph/settings.local.json is in no commit");
  expect(code).toBe(0);
});

full("uncommitted work is proven in its folder, and nowhere else", async () => {
  const box = sandbox();
  box.initGit();
  box.program("agent", `echo ok > made.txt\n${DONE}`);
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "grep -q ok made.txt", "-q");
  expect(read(box).subject.clean).toBe(false);
  expect((await box.ralph("receipt", "show")).stdout).toContain("the proven state is in no commit");
  expect((await box.ralph("receipt", "verify", "--current")).code).toBe(0);
  const statement = JSON.parse((await box.ralph("receipt", "show", "--in-toto")).stdout);
  expect(statement.subject).toEqual([
    { name: "working tree", digest: { ralphTreeState: read(box).subject.treeState } },
  ]);
  box.git("add", "made.txt");
  box.git("commit", "--quiet", "-m", "work");
  const { code, stdout } = await box.ralph("receipt", "verify");
  expect(code).toBe(1);
  expect(stdout).toContain("which are in no commit");
  expect((await box.ralph("receipt", "verify", "--rerun")).code).toBe(0);
});

full("a bare promise is named as such, and cannot be run again elsewhere", async () => {
  const box = sandbox();
  box.initGit();
  box.program("agent", `echo work > made.txt\n${DONE}`);
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "-q");
  expect(read(box)).toMatchObject({ proof: "promise-only", labels: [] });
  expect((await box.ralph("receipt", "show")).stdout).toContain("proof     ? promise-only: only the agent");
  expect((await box.ralph("receipt", "verify", "--rerun")).code).toBe(0);
  box.write("new.txt", "x");
  const { code, stdout } = await box.ralph("receipt", "verify", "--rerun");
  expect(code).toBe(1);
  expect(stdout).toContain("there is no command in it to run again");
});

full("without git a receipt has what is known", async () => {
  const box = sandbox();
  box.write("check.sh", "exit 0\n");
  box.program("agent", `echo work > made.txt\n${DONE}`);
  const { stdout } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "sh check.sh", "--json");
  expect(linesOf(stdout).at(-1)).toMatchObject({ type: "result", reason: "still-green", receipt: receiptOf(box) });
  expect(read(box).subject).toEqual({ commit: null, gitTree: null, treeState: null, clean: null, folder: "." });
  const verified = await box.ralph("receipt", "verify", "--rerun");
  expect(verified.code).toBe(0);
  expect(verified.stdout).toContain("! there was no git commit when it was proven");
  const statement = await box.ralph("receipt", "show", "--in-toto");
  expect([statement.code, statement.stdout]).toEqual([2, ""]);
  box.write("check.sh", "exit 1\n");
  expect((await box.ralph("receipt", "verify")).code).toBe(1);
});

full.each<[string, (box: Sandbox) => void]>([
  ["a folder that cannot be made", (box) => box.write(RECEIPTS, "a file")],
  [
    "a link that leads outside",
    (box) => {
      mkdirSync(box.path("../elsewhere"));
      mkdirSync(box.path(".ralph"));
      symlinkSync("../../elsewhere", box.path(RECEIPTS));
    },
  ],
])("%s prevents the receipt, not the verification", async (_name, prepare) => {
  const box = sandbox();
  prepare(box);
  box.program("agent", `echo work > made.txt\n${DONE}`);
  const { code, stderr } = await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "true");
  expect(code).toBe(0);
  expect(stderr).toMatch(/ {2}no receipt was written: .+ \(ralph receipt show [0-9a-f]{8} tries again\)/);
  expect(stderr).not.toContain("  receipt: ");
  expect((await box.ralph("receipt", "show")).stdout).toContain("the journal of loop");
  if (box.exists("../elsewhere")) expect(readdirSync(box.path("../elsewhere"))).toEqual([]);
});

full("a receipt planted by an agent is replaced", async () => {
  const box = sandbox();
  box.program("agent", `mkdir -p ${RECEIPTS}\necho '{}' > "${RECEIPTS}/\${RALPH_RUN%%/*}.json"\n${DONE}`);
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "true", "-q");
  expect(receiptSchema.safeParse(JSON.parse(box.read(receiptOf(box)))).success).toBe(true);
});

full("an earlier receipt is not the next agent's work", async () => {
  const box = await proven();
  const head = box.git("rev-parse", "HEAD");
  box.program("agent", DONE);
  // A claim of an agent that does nothing is refused, also beside an uncommitted receipt.
  expect((await box.ralph("run", "--prompt", "again", "--agent", "agent", "-q")).code).toBe(1);
  const own = { scm: { tasks: ["commit"] }, verify: ["sh check.sh"], completion: { zero_work_guard: false } };
  box.write("../guarded.json", settings(own));
  const unguarded = ["--settings", "../guarded.json"];
  expect((await box.ralph("run", "--prompt", "again", "--agent", "agent", "-q", ...unguarded)).code).toBe(0);
  expect(box.git("rev-parse", "HEAD")).toBe(head);
  expect(box.git("status", "--porcelain")).toBe("");
  const { stdout } = await box.ralph("receipt", "verify", "--current");
  expect(stdout.match(/✓ valid/g)).toHaveLength(2);
});

full("the model is read from the stream", async () => {
  const box = sandbox();
  box.initGit();
  box.program("claude", `echo work > made.txt\n${fakeClaude("<promise>DONE</promise>", "opus-9")}`);
  await box.ralph("run", "--prompt", "x", "--agent", "claude", "--verify", "true", "-q");
  expect(read(box).agent).toEqual({ command: "claude", model: "opus-9" });
  expect((await box.ralph("receipt", "show")).stdout).toContain("agent     claude (opus-9)");
});

full("the receipt exists when a hook is notified of the completion", async () => {
  const box = sandbox();
  const command = `cp "${RECEIPTS}/$RALPH_LOOP.json" kept.json`;
  box.write(".ralph/settings.json", settings({ verify: ["true"], notify: [{ on: "completed", command }] }));
  box.program("agent", `echo work > made.txt\n${DONE}`);
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "-q");
  expect(box.read("kept.json")).toBe(box.read(receiptOf(box)));
});

full("a loop of a folder is verified from anywhere in the repository", async () => {
  const box = sandbox();
  box.initGit();
  box.write("sub/.ralph/settings.json", settings({ scm: { tasks: ["commit"] }, verify: ["grep -q ok made.txt"] }));
  box.program("agent", `echo ok > made.txt\n${DONE}`);
  await box.shell('cd sub && "$@"', "run", "--prompt", "x", "--agent", "agent", "-q").ended;
  const { code, stdout } = await box.ralph("receipt", "verify", "last", "--rerun", "--current");
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^✓ valid: sub\/\.ralph\/receipts\//) });
  expect((await box.shell('cd sub && "$@"', "receipt", "verify", "--rerun").ended).code).toBe(0);
});

full("Ctrl-C ends the check that is run again", async () => {
  const box = sandbox();
  box.program("agent", DONE);
  box.program("slow", "[ -f slow ] || exit 0\ntouch begun\nsleep 60");
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "--verify", "slow", "-q");
  box.write("slow", "");
  const run = box.start(["receipt", "verify", "--rerun", "--json"]);
  await expect.poll(() => box.exists("begun")).toBe(true);
  run.child.kill("SIGINT");
  const { code, stdout } = await run.ended;
  expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
  await expectNothingLeft(box);
});

full("commands that are run again are shown completely, and failed ones with their output", async () => {
  const box = sandbox();
  box.program("agent", DONE);
  box.write(".ralph/settings.json", settings({ verify: ["true\ntest ! -f bad || { echo it broke; exit 3; }"] }));
  await box.ralph("run", "--prompt", "x", "--agent", "agent", "-q");
  box.write("bad", "");
  const { code, stderr } = await box.ralph("receipt", "verify", "--rerun");
  expect(code).toBe(1);
  expect(stderr).toContain("  … check: true\n    test ! -f bad || { echo it broke; exit 3; }\n");
  expect(stderr).toContain("(exit code 3");
  expect(stderr).toContain("\n    it broke\n");
});

full("an unreadable receipt is reported with the reason", async () => {
  const box = await provenFiles();
  const path = receiptOf(box);
  if (process.getuid?.() === 0) {
    rmSync(box.path(path));
    mkdirSync(box.path(path));
  } else chmodSync(box.path(path), 0);
  const { code, stderr } = await box.ralph("receipt", "verify", join(box.cwd, path));
  expect(code).toBe(2);
  expect(stderr).toMatch(/there is no receipt|EACCES/);
});
