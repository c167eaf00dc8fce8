import { type Complaint, tellComplaints } from "../../../core/complaints.ts";
import { RalphError } from "../../../core/errors.ts";

/** An error that lists the mistakes of a file, of which nothing is imported. */
export const importRefused = (
  path: string,
  complaints: readonly Complaint[],
  { hint = FIX, all }: Refusal = {},
): RalphError => new RalphError("import-invalid", tellComplaints(path, complaints, all), { hint });

interface Refusal {
  hint?: string | undefined;
  /** The total number, if not all of them are given. */
  all?: number;
}

// Finding the positions of thousands of mistakes would take too long.
export const MOST_PLACED = 20;

const FIX = "fix the file and import it again; nothing was imported";
