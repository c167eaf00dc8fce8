import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { openDatabase } from "../../src/adapters/store/driver.ts";
import type { Sandbox } from "./sandbox.ts";

const SQLITE = createRequire(import.meta.url).resolve("@photostructure/sqlite");

/** Helpers of a script that edits the journal with SQL and links entries. */
export const TOOLS = `
const { createHash } = require("node:crypto");
const loop = db.prepare("SELECT * FROM loops ORDER BY created_at_ms DESC LIMIT 1").get();
const entry = (seq) => db.prepare("SELECT * FROM entries WHERE subject = ? AND seq = ?").get(loop.id, seq);
const last = () => db.prepare("SELECT * FROM entries WHERE subject = ? ORDER BY seq DESC LIMIT 1").get(loop.id);
const link = (prev, e) => createHash("sha256").update(JSON.stringify([prev, e.subject, e.seq, e.epoch, e.at_ms]) + "\\n").update(e.event).digest("hex");
const insert = (e) => db.prepare("INSERT INTO entries (subject, seq, epoch, at_ms, event, hash) VALUES (?, ?, ?, ?, ?, ?)").run(e.subject, e.seq, e.epoch, e.at_ms, e.event, e.hash ?? null);
const after = (e, event, more = {}) => { const next = { subject: loop.id, seq: e.seq + 1, epoch: e.epoch, at_ms: e.at_ms, event: JSON.stringify(event), ...more }; return { ...next, hash: link(e.hash, next) }; };
const relink = (from) => { let prev = from > 1 ? entry(from - 1).hash : ""; for (let seq = from, e; (e = entry(seq)); seq++) { prev = link(prev, e); db.prepare("UPDATE entries SET hash = ? WHERE subject = ? AND seq = ?").run(prev, loop.id, seq); } db.prepare("UPDATE loops SET head = ? WHERE id = ?").run(prev, loop.id); };
const sql = (text, ...values) => db.prepare(text).run(...values);
const VERIFIED = { type: "loop.stopped", reason: "verified", detail: "forged" };
`;

/** A program that changes the journal of a sandbox, then runs its agent's script. */
export function handProgram(box: Sandbox, name: string, script: string, then: string): void {
  const file = join(box.bin, `${name}.cjs`);
  const opening = `const { DatabaseSync } = require(${JSON.stringify(SQLITE)});
const db = new DatabaseSync(${JSON.stringify(join(box.state, "ralph.db"))}, { timeout: 10_000 });`;
  writeFileSync(file, `${opening}\n${TOOLS}\n${script}\ndb.close();\n`);
  box.program(name, `"${process.execPath}" "${file}" || exit 9\n${then}`);
}

/** The same without an agent, while no driver has the loop. */
export function byHand(box: Sandbox, script: string): void {
  const db = openDatabase(join(box.state, "ralph.db"));
  try {
    new Function("db", "require", TOOLS + script)(db, () => ({ createHash }));
  } finally {
    db.close();
  }
}
