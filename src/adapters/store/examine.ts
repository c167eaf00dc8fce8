import { RalphError } from "../../core/errors.ts";
import { type Database, openDatabase, translating } from "./driver.ts";
import { damagedError } from "./entry-rows.ts";
import { journalOn } from "./journal.ts";
import { LOOPS } from "./loops.ts";
import { SCHEMA_VERSION } from "./migrations.ts";
import { connectionOn } from "./sqlite-store.ts";

/** What a diagnosis finds in a database. */
export type Examination =
  | { is: "newer"; version: number }
  | { is: "corrupt"; faults: string }
  | {
      is: "readable";
      version: number;
      loops: number;
      /** Loops without any hash. */
      unchained: number;
      /** One error for each damaged journal. */
      damaged: readonly RalphError[];
    };

/**
 * Examines a database as it is: changes and migrates nothing. Of one from a newer version, only the version number is
 * read. Throws a RalphError if it cannot be read at all.
 */
export function examineDatabase(path: string): Examination {
  const db = openDatabase(path);
  try {
    return translating(path, () => examine(db));
  } finally {
    db.close();
  }
}

function examine(db: Database): Examination {
  db.exec("PRAGMA query_only = ON");
  const version = Number(db.prepare("PRAGMA user_version").get()?.user_version);
  if (version > SCHEMA_VERSION) return { is: "newer", version };
  const rows = db.prepare("PRAGMA integrity_check(5)").all();
  const faults = rows.map((row) => String(row.integrity_check)).join("; ");
  if (faults !== "ok") return { is: "corrupt", faults };
  const loops = version === 0 ? 0 : Number(db.prepare("SELECT count(*) AS n FROM loops").get()?.n);
  const found = version === SCHEMA_VERSION ? examineLoops(db) : { unchained: 0, damaged: [] };
  return { is: "readable", version, loops, ...found };
}

/** Checks one loop at a time, so that only a page of one is in memory. */
function examineLoops(db: Database): { unchained: number; damaged: RalphError[] } {
  const journal = journalOn(connectionOn(db), LOOPS);
  const damaged: RalphError[] = [];
  let unchained = 0;
  for (const { id } of db.prepare(ALL_LOOPS).all()) {
    const loop = String(id);
    try {
      const { damage, chainedFrom } = journal.check(loop);
      if (damage) damaged.push(damagedError(LOOPS, loop, damage));
      else if (chainedFrom === null) unchained++;
    } catch (error) {
      if (!(error instanceof RalphError && error.code === "loop-unknown")) throw error;
      damaged.push(damagedError(LOOPS, loop, { entry: null, what: "it has entries, and the loop's row is missing" }));
    }
  }
  return { unchained, damaged };
}

const ALL_LOOPS = "SELECT id FROM loops UNION SELECT DISTINCT subject FROM entries WHERE instr(subject, '/') = 0";
