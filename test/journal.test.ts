import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { atEnd } from "./support/at-end.ts";
import { full, sample } from "./support/effort.ts";
import { byHand, handProgram } from "./support/hand.ts";
import { type Sandbox, sandbox } from "./support/sandbox.ts";
import { webhook } from "./support/webhook.ts";

const DONE = "echo '<promise>DONE</promise>'";
const RUN = ["run", "--prompt", "Make it", "--agent", "agent", "--verify", "test -f made.txt"];
const WORK = `touch made.txt\n${DONE}`;

interface Story {
  id: string;
  status: string;
  reason: string;
  detail: string;
  journal: {
    entries: number;
    head: string | null;
    chainedFrom: number | null;
    damage: { entry: number | null; what: string } | null;
    foreign: { seq: number; text: string }[];
  };
}

const explainLoop = async (box: Sandbox, loop = "last") => (await box.json("why", loop)) as Story;
const receiptsOf = (box: Sandbox) => (box.exists(".ralph/receipts") ? readdirSync(box.path(".ralph/receipts")) : []);

/** Reported like every expected error. */
function expectTold({ code, stderr }: { code: number | null; stderr: string }, ...words: (string | RegExp)[]): void {
  expect(stderr).toContain("error: ");
  expect(stderr).toContain("help: ");
  expect(stderr).not.toMatch(/\bbug\b|\n {4}at /);
  for (const word of words) expect(stderr).toMatch(word);
  expect(code).toBe(2);
}

/** Entries of a loop while its first turn runs: 1 started, 2 adopted, 3 baseline, 4 turn began. */
const HANDS: [string, string, RegExp][] = [
  ["adds an entry", `insert({ ...after(last(), VERIFIED), hash: null });`, /entry was added after entry 4/],
  [
    "adds an entry as a driver would, with its row",
    `const e = after(last(), VERIFIED); insert(e);
     sql("UPDATE loops SET seq = ?, head = ?, status = 'stopped', reason = 'verified', detail = 'forged' WHERE id = ?", e.seq, e.hash, loop.id);`,
    /row was changed \(.*reason.*entry was added/,
  ],
  [
    "adopts the loop",
    `const a = after(last(), { type: "loop.adopted", driver: "engine" }, { epoch: loop.epoch + 1 }); insert(a);
     sql("UPDATE loops SET seq = ?, head = ?, epoch = ? WHERE id = ?", a.seq, a.hash, a.epoch, loop.id);`,
    /row was changed \(.*epoch.*entry was added/,
  ],
  ["adds an entry far ahead", `insert({ ...after(last(), VERIFIED), seq: 4000, hash: "abc" });`, /entry was added/],
  ["moves the row's number", `sql("UPDATE loops SET seq = seq + 1 WHERE id = ?", loop.id);`, /row was changed \(seq\)/],
  [
    "changes the last entry",
    `sql("UPDATE entries SET event = replace(event, '\\"n\\":1', '\\"n\\":9') WHERE subject = ? AND seq = 4", loop.id);`,
    /entry 4 was changed/,
  ],
  [
    "deletes the last entry",
    `sql("DELETE FROM entries WHERE subject = ? AND seq = 4", loop.id);`,
    /entry 4 was deleted/,
  ],
  [
    "changes the spec and recomputes every hash",
    `sql("UPDATE entries SET event = replace(event, 'test -f made.txt', 'true') WHERE subject = ? AND seq = 1", loop.id); relink(1);`,
    /entry 1, which defines the loop, was changed/,
  ],
  [
    "changes the columns of lists",
    `sql("UPDATE loops SET status = 'stopped', reason = 'verified' WHERE id = ?", loop.id);`,
    /row was changed \(status, reason\)/,
  ],
  ["deletes the row", `sql("DELETE FROM loops WHERE id = ?", loop.id);`, /row was deleted/],
  [
    "plants a snapshot",
    `sql("INSERT INTO snapshots (subject, seq, state) VALUES (?, 4, '{}')", loop.id);`,
    /snapshot was changed/,
  ],
  [
    "changes the baseline in the middle",
    `sql("UPDATE entries SET event = replace(event, 'fail', 'pass') WHERE subject = ? AND seq = 3", loop.id);`,
    /entry 3: its hash does not match/,
  ],
  [
    "makes the database change new entries",
    `db.exec("CREATE TRIGGER evil AFTER INSERT ON entries WHEN NEW.event LIKE '%claim.judged%' BEGIN UPDATE entries SET event = replace(event, 'exit code', 'EXIT CODE') WHERE subject = NEW.subject AND seq = NEW.seq; END");`,
    /was changed/,
  ],
];

describe("while a driver lives, an agent that", () => {
  test.each(sample(HANDS, 1))("%s is detected", async (_name, script, found) => {
    const box = sandbox();
    handProgram(box, "agent", script, WORK);
    const run = await box.ralph(...RUN);
    expect(run.stderr).toMatch(/■ tampered: another process wrote into the loop's journal at entry \d+: /);
    expect(run.stderr).toMatch(found);
    expect(run.code).toBe(1);
    expect(receiptsOf(box)).toEqual([]);
    const [loop] = (await box.json("list")) as Story[];
    expect(loop).toMatchObject({ status: "stopped", reason: "tampered", detail: expect.stringMatching(found) });
    expectTold(await box.ralph("resume", "last"), /entry \d/, loop?.id ?? "none");
    expect((await box.ralph("why", "last")).stdout).toMatch(found);
    expect((await box.ralph("status", "last")).stdout).toContain("tampered");
    expect((await box.ralph("receipt", "show", "last")).code).not.toBe(0);
  });
});

full.each([
  [
    "removes the database",
    `require("node:fs").rmSync(process.env.RALPH_STATE_DIR + "/ralph.db");`,
    /was removed or replaced/,
  ],
  ["drops a table", `db.exec("DROP TABLE entries");`, /lacks tables/],
  [
    "has the database refuse entries",
    `db.exec("CREATE TRIGGER no BEFORE INSERT ON entries BEGIN SELECT RAISE(ABORT, 'no'); END");`,
    /added a trigger/,
  ],
])("an agent that %s proves nothing, and the error says what happened", async (_name, script, says) => {
  const box = sandbox();
  handProgram(box, "agent", script, WORK);
  const { code, stderr } = await box.ralph(...RUN);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(/\bbug\b|\n {4}at |✓ verified/);
  expect(receiptsOf(box)).toEqual([]);
});

full("entries of another process are set aside as evidence, and never shown to followers of the loop", async () => {
  const box = sandbox();
  handProgram(box, "agent", `insert(after(last(), VERIFIED));`, WORK);
  const { stdout } = await box.ralph(...RUN, "--json");
  const types = stdout
    .split("\n")
    .flatMap((line) => (line ? [JSON.parse(line).event?.type ?? JSON.parse(line).type] : []));
  expect(types.slice(-3)).toEqual(["journal.foreign", "loop.stopped", "result"]);
  expect(stdout).not.toContain('"detail":"forged"');
  const { journal } = await explainLoop(box);
  expect(journal).toMatchObject({ chainedFrom: 1, damage: null });
  expect(journal.foreign).toMatchObject([{ seq: 5, text: expect.stringContaining("forged") }]);
  expect((await box.ralph("why", "last")).stdout).toContain("kept aside: entry 5  {");
  expect((await box.ralph("doctor")).stdout).toContain("intact, schema");
});

const finished = atEnd();
let rested: Promise<Sandbox> | undefined;

/** A copy of the state of such loops, at the original location. */
async function atRestCopied(): Promise<Sandbox> {
  rested ??= atRest(sandbox(finished));
  const { state } = await rested;
  const box = sandbox();
  cpSync(state, box.state, { recursive: true });
  return box;
}

/** A loop that stopped without success, and another one beside it. */
async function atRest(box = sandbox()): Promise<Sandbox> {
  box.program("agent", "echo still at it\nls made.txt");
  for (const title of ["Beside", "Make it"]) {
    expect((await box.ralph(...RUN.with(2, title), "-m", "2")).code).toBe(1);
  }
  return box;
}

const DAMAGES: [string, string, number | null, RegExp][] = [
  ["a changed byte", `sql("UPDATE entries SET event = replace(event, '\\"n\\":1', '\\"n\\":2') WHERE subject = ? AND seq = 5", loop.id);`, 5, /hash does not match/],
  ["a changed spec", `sql("UPDATE entries SET event = replace(event, 'test -f made.txt', 'true') WHERE subject = ? AND seq = 1", loop.id);`, 1, /hash does not match/],
  ["a deleted entry", `sql("DELETE FROM entries WHERE subject = ? AND seq = 3", loop.id);`, 3, /it is missing/],
  ["a deleted last entry", `sql("DELETE FROM entries WHERE subject = ? AND seq = ?", loop.id, loop.seq);`, -1, /it is missing/],
  ["two swapped entries", `const [a, b] = [entry(4), entry(5)]; sql("UPDATE entries SET event = ? WHERE subject = ? AND seq = 4", b.event, loop.id); sql("UPDATE entries SET event = ? WHERE subject = ? AND seq = 5", a.event, loop.id);`, 4, /hash does not match/],
  ["an added entry", `insert(after(last(), VERIFIED));`, 0, /it was added/],
  ["an entry between two others", `insert({ ...after(entry(2), VERIFIED), seq: 2.5 });`, 3, /number 2.5 is in its place/],
  ["no JSON", `sql("UPDATE entries SET event = '{broken' WHERE subject = ? AND seq = 4", loop.id); relink(4);`, 4, /not JSON/],
  ["an unknown event", `sql("UPDATE entries SET event = '{\\"type\\":\\"loop.blessed\\"}' WHERE subject = ? AND seq = 4", loop.id); relink(4);`, 4, /"loop.blessed"/],
  ["an event without a required field", `sql("UPDATE entries SET event = '{\\"type\\":\\"turn.ended\\",\\"n\\":1,\\"attempt\\":1}' WHERE subject = ? AND seq = 5", loop.id); relink(5);`, 5, /cannot be read as turn.ended/],
  ["an invalid adoption", `sql("UPDATE entries SET epoch = 7 WHERE subject = ? AND seq = 5", loop.id); relink(5);`, 5, /epoch is 7/],
  ["bytes instead of text", `sql("UPDATE entries SET event = x'00ff' WHERE subject = ? AND seq = 4", loop.id);`, 4, /hash does not match|not a text/],
  ["an integer that is too large", `sql("UPDATE entries SET at_ms = 9223372036854775807 WHERE subject = ? AND seq = 4", loop.id);`, 4, /hash does not match/],
  ["removed hashes", `sql("UPDATE entries SET hash = NULL WHERE subject = ?", loop.id); sql("UPDATE loops SET head = NULL WHERE id = ?", loop.id);`, 2, /hash was removed/],
  ["a row with other values", `sql("UPDATE loops SET reason = 'verified', detail = '' WHERE id = ?", loop.id);`, null, /reason is "verified" instead of "iteration-limit"/],
  ["a row with bytes and large numbers", `sql("UPDATE loops SET title = x'00', tokens = 9223372036854775807, reason = 'hacked' WHERE id = ?", loop.id);`, null, /row does not match its entries/],
  ["another snapshot", `sql("UPDATE snapshots SET state = replace(state, '\\"n\\":2', '\\"n\\":1') WHERE subject = ?", loop.id);`, null, /the snapshot of entry \d+ does not match/],
  ["a snapshot that is not JSON", `sql("UPDATE snapshots SET state = 'x' WHERE subject = ?", loop.id);`, null, /the snapshot of entry \d+ does not match/],
  ["a head of another loop", `sql("UPDATE loops SET head = (SELECT head FROM loops WHERE id <> ?) WHERE id = ?", loop.id, loop.id);`, null, /head is/],
]; // biome-ignore format: one damage a line

describe("at rest", () => {
  test.each(
    sample(DAMAGES, 1),
  )("%s is found by resume, why and doctor, and does not affect other loops", async (_name, script, entry, found) => {
    const box = await atRestCopied();
    const { id, journal } = await explainLoop(box);
    expect(journal).toMatchObject({ chainedFrom: 1, damage: null });
    byHand(box, script);
    const at = entry === -1 ? journal.entries : entry === 0 ? journal.entries + 1 : entry;
    const place =
      at === null ? `journal of loop ${id} is damaged: ` : `journal of loop ${id} is damaged at entry ${at}: `;
    for (const command of ["resume", "why"]) expectTold(await box.ralph(command, id), place, found, "ralph why");
    const damaged = await explainLoop(box, id);
    expect(damaged.journal.damage).toMatchObject({ entry: at, what: expect.stringMatching(found) });
    const doctor = await box.ralph("doctor");
    expect([doctor.code, doctor.stdout]).toEqual([1, expect.stringContaining(`✗ journal       the ${place}`)]);
    expect((await box.ralph("list")).code).toBe(0);
    expect((await box.ralph("status")).code).toBe(0);
    expect((await box.ralph("status", id)).code).toBe(0);
    expect((await box.ralph("stats")).code).toBe(0);
    const other = ((await box.json("list")) as Story[]).find((loop) => loop.id !== id);
    box.program("agent", WORK);
    expect((await box.ralph("resume", other?.id ?? "", "-m", "5")).code).toBe(0);
  });
});

describe("honest neighbours", () => {
  full("an agent that reads its own loop, a cancel from another process, and a loop beside it", async () => {
    const box = sandbox();
    const ralph = `"${process.execPath}" "${box.ralphPath}"`;
    box.program(
      "agent",
      `${ralph} status; ${ralph} why last >/dev/null; ${ralph} doctor >/dev/null; ${ralph} list; ${WORK}`,
    );
    const [one, two] = await Promise.all([RUN, RUN.with(2, "Another")].map((args) => box.ralph(...args, "--force")));
    expect([one?.code, two?.code]).toEqual([0, 0]);
    for (const { id } of (await box.json("list")) as Story[]) {
      expect((await explainLoop(box, id)).journal).toMatchObject({ chainedFrom: 1, damage: null, foreign: [] });
    }
    box.program("agent", "echo waiting; exec sleep 60");
    const running = box.start(RUN);
    await running.saw("waiting");
    expect((await box.ralph("cancel", "last")).code).toBe(0);
    expect((await running.ended).code).toBe(130);
    expect(await explainLoop(box)).toMatchObject({ reason: "cancelled", journal: { damage: null } });
  });

  test("a killed driver and the one that resumes", async () => {
    const box = sandbox();
    box.program("agent", "echo waiting; exec sleep 60");
    const running = box.start(RUN);
    await running.saw("waiting");
    running.child.kill("SIGKILL");
    await running.ended;
    box.program("agent", WORK);
    expect((await box.ralph("resume", "last")).code).toBe(0);
    expect(await explainLoop(box)).toMatchObject({ reason: "verified", journal: { chainedFrom: 1, damage: null } });
  });

  full("a takeover, after the first driver's lease was lost, fences off the first driver", async () => {
    const box = sandbox();
    box.program("agent", "echo waiting; exec sleep 60");
    const running = box.start(RUN);
    await running.saw("waiting");
    rmSync(join(box.state, "leases"), { recursive: true });
    box.program("agent", WORK);
    expect((await box.ralph("resume", "last")).code).toBe(0);
    const first = await running.ended;
    // It notices the loss of its lease, or that it can no longer write.
    expect([first.code, first.stderr]).toEqual([
      1,
      expect.stringMatching(/continued by another|another driver may have/),
    ]);
    expect(await explainLoop(box)).toMatchObject({ reason: "verified", journal: { damage: null, foreign: [] } });
  });

  full("a loop of an earlier version is unchained until it is resumed", async () => {
    const box = await atRest();
    byHand(
      box,
      `sql("UPDATE entries SET hash = NULL"); sql("UPDATE loops SET head = NULL");
       sql("UPDATE entries SET event = json_remove(event, '$.version') WHERE seq = 2");`,
    );
    const { journal } = await explainLoop(box);
    expect(journal).toMatchObject({ head: null, chainedFrom: null, damage: null });
    expect((await box.ralph("why", "last")).stdout).toContain("unchained");
    const doctor = await box.ralph("doctor");
    expect(doctor.stdout).toContain("intact, schema 10, 2 loops, 2 unchained");
    box.program("agent", WORK);
    expect((await box.ralph("resume", "last", "-m", "5")).code).toBe(0);
    const after = await explainLoop(box);
    expect(after).toMatchObject({ reason: "verified", journal: { chainedFrom: journal.entries + 1, damage: null } });
    // From then on the older entries are covered, too.
    byHand(
      box,
      `sql("UPDATE entries SET event = replace(event, 'fail', 'pass') WHERE subject = ? AND seq = 3", loop.id);`,
    );
    expect((await explainLoop(box)).journal.damage).toMatchObject({ entry: journal.entries + 1 });
  });
});

describe("a receipt", () => {
  const FILE = (id: string) => `.ralph/receipts/${id}.json`;

  async function proven(): Promise<{ box: Sandbox; id: string }> {
    const box = sandbox();
    box.program("agent", WORK);
    expect((await box.ralph(...RUN)).code).toBe(0);
    return { box, id: (await explainLoop(box)).id };
  }

  full("is rewritten from its entry, byte for byte", async () => {
    const { box, id } = await proven();
    const before = box.read(FILE(id));
    rmSync(box.path(".ralph"), { recursive: true });
    const shown = await box.ralph("receipt", "show", id);
    expect(shown.stdout).toMatch(/journal +entry 7, 8 entries, head [0-9a-f]{64}/);
    expect(box.read(FILE(id))).toBe(before);
    rmSync(box.path(".ralph"), { recursive: true });
    expect((await box.ralph("receipt", "verify", id)).stdout).toContain("✓ valid");
  });

  full("that was rewritten with a new digest does not match the journal", async () => {
    const { box, id } = await proven();
    const { receiptDigest: digestOf } = await import("../src/verify/receipts/make.ts");
    const forged = { ...JSON.parse(box.read(FILE(id))), title: "Something else" };
    box.write(FILE(id), JSON.stringify({ ...forged, digest: digestOf(forged) }));
    const verified = await box.ralph("receipt", "verify");
    expect([verified.code, verified.stdout]).toEqual([
      1,
      expect.stringContaining(`it differs from the receipt in entry 7 of the journal of loop ${id}`),
    ]);
    expect((await box.ralph("receipt", "show", id)).stderr).toContain("it differs from the receipt in entry 7");
  });

  full("is made only from its entry", async () => {
    const { box, id } = await proven();
    byHand(
      box,
      `sql("UPDATE entries SET event = replace(event, 'Make it', 'Another') WHERE subject = ? AND seq = 7", loop.id);`,
    );
    const verified = await box.ralph("receipt", "verify");
    expect([verified.code, verified.stdout]).toEqual([1, expect.stringContaining("is damaged at entry 7")]);
    rmSync(box.path(".ralph"), { recursive: true });
    expectTold(await box.ralph("receipt", "show", id), "damaged at entry 7");
    expect(existsSync(box.path(FILE(id)))).toBe(false);
  });
});

describe("an anchor", () => {
  const settings = (anchor: object) => JSON.stringify({ anchor });

  full("gets the head at every stop: a command", async () => {
    const box = sandbox();
    const command =
      'echo "$RALPH_ANCHOR_LOOP $RALPH_ANCHOR_SEQ $RALPH_ANCHOR_HEAD $RALPH_ANCHOR_REASON $RALPH_ANCHOR_AT" >> heads.txt';
    box.write(".ralph/settings.json", settings({ command }));
    box.program("agent", "echo not yet");
    expect((await box.ralph(...RUN, "-m", "1")).code).toBe(1);
    const first = await explainLoop(box);
    box.program("agent", WORK);
    expect((await box.ralph("resume", "last", "-m", "5")).code).toBe(0);
    const { id, journal } = await explainLoop(box);
    const lines = box.read("heads.txt").trim().split("\n");
    expect(lines).toEqual([
      expect.stringContaining(`${id} ${first.journal.entries} ${first.journal.head} iteration-limit 2`),
      expect.stringContaining(`${id} ${journal.entries} ${journal.head} verified 2`),
    ]);
  });

  full("gets the head at every stop: a webhook", async () => {
    const box = sandbox();
    const { url, received } = await webhook();
    box.write(".ralph/settings.json", settings({ webhook: url }));
    box.program("agent", WORK);
    expect((await box.ralph(...RUN)).code).toBe(0);
    const { id, journal } = await explainLoop(box);
    expect(received).toMatchObject([{ loop: id, seq: journal.entries, head: journal.head, reason: "verified" }]);
  });

  full("that fails is reported, and changes nothing", async () => {
    const box = sandbox();
    box.write(".ralph/settings.json", settings({ command: "echo full >&2; exit 3" }));
    box.program("agent", WORK);
    const { code, stderr } = await box.ralph(...RUN);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining("the anchor (command) did not get the head of the journal: exit code 3: full"),
    ]);
  });

  full("detects a chain that was rewritten completely", async () => {
    const box = sandbox();
    box.write(".ralph/settings.json", settings({ command: 'echo "$RALPH_ANCHOR_HEAD" >> heads.txt' }));
    box.program("agent", "echo not yet");
    await box.ralph(...RUN, "-m", "1");
    byHand(
      box,
      `sql("UPDATE entries SET event = replace(event, 'Make it', 'Another') WHERE subject = ? AND seq = 1", loop.id); sql("UPDATE loops SET title = 'Another'"); sql("DELETE FROM snapshots"); relink(1);`,
    );
    const { journal } = await explainLoop(box);
    expect(journal.damage).toBeNull();
    expect(journal.head).not.toBe(box.read("heads.txt").trim());
  });

  full.each([
    [{ command: "x", webhook: "https://example.com" }, "expected either command or webhook"],
    [{}, "expected either command or webhook"],
    [{ url: "https://example.com" }, 'unknown key "url"'],
    [{ webhook: "ftp://example.com" }, "http:// or https://"],
    ["true", "expected { command } or { webhook }"],
  ])("%j is refused", async (anchor, says) => {
    const box = sandbox();
    mkdirSync(box.path(".ralph"));
    box.write(".ralph/settings.json", JSON.stringify({ anchor }));
    expectTold({ ...(await box.ralph(...RUN)) }, "anchor");
    expect((await box.ralph(...RUN)).stderr).toContain(says);
  });
});
