import { existsSync, mkdtempSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileError } from "../../../../adapters/io/folder.ts";
import { stateFolder } from "../../../../adapters/io/state-folder.ts";
import { openDatabase, translating } from "../../../../adapters/store/driver.ts";
import { journalOn } from "../../../../adapters/store/journal.ts";
import { LOOPS } from "../../../../adapters/store/loops.ts";
import { SCHEMA_VERSION } from "../../../../adapters/store/migrations.ts";
import { damagedJournal } from "../../../../adapters/store/readable-journal.ts";
import { connectionOn } from "../../../../adapters/store/sqlite-store.ts";
import { printable } from "../../../../core/ansi.ts";
import { RalphError } from "../../../../core/errors.ts";
import type { DoctorFinding } from "./finding.ts";

/** Whether the state folder can be written and the journal is intact. */
export const stateFindings = async (cwd: string): Promise<DoctorFinding[]> => [folder(cwd), ...(await journal(cwd))];

function folder(cwd: string): DoctorFinding {
  const { root } = stateFolder(cwd);
  let existing = root;
  while (!existsSync(existing)) existing = dirname(existing);
  try {
    // Permissions are not enough: for root, even a read-only file system looks writable.
    rmdirSync(mkdtempSync(join(existing, ".ralph-doctor-")));
    return { name: "state folder", is: "ok", says: root };
  } catch (error) {
    const { message, hint = "" } = fileError(error, root);
    return { name: "state folder", is: "problem", says: message, hint };
  }
}

/** Of a journal from a newer version, only the version number is read. */
async function journal(cwd: string): Promise<DoctorFinding[]> {
  const name = "journal";
  const { database } = stateFolder(cwd);
  if (!existsSync(database)) return [{ name, is: "ok", says: "none yet: the first loop creates it" }];
  try {
    const db = openDatabase(database);
    try {
      return translating(database, () => integrity(db, database));
    } finally {
      db.close();
    }
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    const hint = error.code === "database-corrupt" ? START_OVER : (error.hint ?? "");
    return [{ name, is: "problem", says: error.message, hint }];
  }
}

const START_OVER = "move the file away, with its -wal and -shm, to start over; the logs in loops/ stay readable";

function integrity(db: ReturnType<typeof openDatabase>, path: string): DoctorFinding[] {
  const version = Number(db.prepare("PRAGMA user_version").get()?.user_version);
  if (version > SCHEMA_VERSION) {
    const says = `${path} is of a newer version (${version})`;
    return [{ name: "journal", is: "problem", says, hint: "update ralph-engine" }];
  }
  const rows = db
    .prepare("PRAGMA integrity_check(5)")
    .all()
    .map((row) => String(row.integrity_check));
  if (rows.join() !== "ok") {
    const says = `${path} is damaged: ${printable(rows.join("; "))}`;
    return [{ name: "journal", is: "problem", says, hint: START_OVER }];
  }
  const loops = version === 0 ? 0 : Number(db.prepare("SELECT count(*) AS n FROM loops").get()?.n);
  const { unchained, damaged } = version === SCHEMA_VERSION ? examineLoops(db) : { unchained: 0, damaged: [] };
  const facts = [`schema ${version}`, count(loops, "loop"), ...(unchained > 0 ? [`${unchained} unchained`] : [])];
  const says = `${path}: ${damaged.length > 0 ? "whole" : "intact"}, ${facts.join(", ")}`;
  return [{ name: "journal", is: "ok", says }, ...damaged.map(damagedFinding)];
}

const count = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`;

/** Checks one loop at a time, so that only a page of one is in memory. */
function examineLoops(db: ReturnType<typeof openDatabase>): { unchained: number; damaged: RalphError[] } {
  const journal = journalOn(connectionOn(db), LOOPS);
  const damaged: RalphError[] = [];
  let unchained = 0;
  for (const { id } of db.prepare(ALL_LOOPS).all()) {
    const loop = String(id);
    try {
      const { damage, chainedFrom } = journal.check(loop);
      if (damage) damaged.push(damagedJournal(loop, damage));
      else if (chainedFrom === null) unchained++;
    } catch (error) {
      if (!(error instanceof RalphError && error.code === "loop-unknown")) throw error;
      damaged.push(damagedJournal(loop, { entry: null, what: "it has entries, and the loop's row is missing" }));
    }
  }
  return { unchained, damaged };
}

const ALL_LOOPS = "SELECT id FROM loops UNION SELECT DISTINCT subject FROM entries WHERE instr(subject, '/') = 0";

const damagedFinding = ({ message, hint = "" }: RalphError): DoctorFinding => ({
  name: "journal",
  is: "problem",
  says: printable(message),
  hint,
});
