import { type Complaint, tellComplaints } from "../../core/complaints.ts";
import { RalphError } from "../../core/errors.ts";

/** Nothing of a file is imported while something in it is wrong. */
export const refused = (path: string, complaints: readonly Complaint[], hint = MEND): RalphError =>
  new RalphError("import-invalid", tellComplaints(path, complaints), { hint });

const MEND = "mend the file and import it again; nothing was imported";
