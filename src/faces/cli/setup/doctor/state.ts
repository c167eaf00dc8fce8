import { existsSync, mkdtempSync, rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { environment } from "../../../../adapters/io/environment.ts";
import { fileError } from "../../../../adapters/io/folder.ts";
import { repositoryIdentity, stateFolder, stateHome } from "../../../../adapters/io/state-folder.ts";
import { examineDatabase } from "../../../../adapters/store/examine.ts";
import { printable } from "../../../../core/ansi.ts";
import { RalphError } from "../../../../core/errors.ts";
import { counted } from "../../../../core/excerpt.ts";
import type { DoctorFinding } from "./finding.ts";

/** Whether the state folder can be written and the journal is intact. */
export const stateFindings = (cwd: string): DoctorFinding[] => [folder(cwd), ...repository(cwd), ...journal(cwd)];

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

/** Where the id of the repository comes from, which names its state folder. */
function repository(cwd: string): DoctorFinding[] {
  if (environment().RALPH_STATE_DIR) return [];
  const identity = repositoryIdentity(cwd, stateHome());
  if (identity === null) return [];
  const { id, is, from } = identity;
  const was = from?.root ?? "";
  const words = { known: "", new: " (not written yet)", moved: ` (moved from ${was})`, copied: ` (a copy of ${was})` };
  return [{ name: "repository", is: "ok", says: printable(`id ${id}${words[is]}`) }];
}

function journal(cwd: string): DoctorFinding[] {
  const { database } = stateFolder(cwd);
  if (!existsSync(database)) return [{ name: "journal", is: "ok", says: "none yet: the first loop creates it" }];
  try {
    return findings(database);
  } catch (error) {
    if (!(error instanceof RalphError)) throw error;
    return [problem(error.message, error.code === "database-corrupt" ? START_OVER : error.hint)];
  }
}

const START_OVER = "move the file away, with its -wal and -shm, to start over; the logs in loops/ stay readable";

const problem = (says: string, hint = ""): DoctorFinding => ({ name: "journal", is: "problem", says, hint });

function findings(path: string): DoctorFinding[] {
  const found = examineDatabase(path);
  switch (found.is) {
    case "newer":
      return [problem(`${path} is of a newer version (${found.version})`, "update ralph-engine")];
    case "corrupt":
      return [problem(`${path} is damaged: ${printable(found.faults)}`, START_OVER)];
    case "readable": {
      const { version, loops, unchained, damaged } = found;
      const facts = [`schema ${version}`, counted(loops, "loop"), ...(unchained > 0 ? [`${unchained} unchained`] : [])];
      const says = `${path}: ${damaged.length > 0 ? "whole" : "intact"}, ${facts.join(", ")}`;
      return [{ name: "journal", is: "ok", says }, ...damaged.map((one) => problem(printable(one.message), one.hint))];
    }
  }
}
