import { type Complaint, tellComplaints } from "../../../core/complaints.ts";
import { RalphError } from "../../../core/errors.ts";

/** Nothing of a file is imported while something in it is wrong. */
export const importRefused = (
  path: string,
  complaints: readonly Complaint[],
  { hint = MEND, all }: Refusal = {},
): RalphError => new RalphError("import-invalid", tellComplaints(path, complaints, all), { hint });

interface Refusal {
  hint?: string | undefined;
  /** How many there are, where not all of them are given. */
  all?: number;
}

// Telling where each of thousands of mistakes is would take longer than mending them.
export const MOST_PLACED = 20;

const MEND = "mend the file and import it again; nothing was imported";
