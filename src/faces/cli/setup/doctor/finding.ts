import type { SettingValue } from "../../../../adapters/settings/origins.ts";

/** One result of `ralph doctor`. */
export interface DoctorFinding {
  name: string;
  is: "ok" | "warning" | "problem";
  says: string;
  hint?: string;
  agent?: AgentFacts;
  /** For the settings: every value and its source. */
  values?: readonly SettingValue[];
}

interface AgentFacts {
  command: string;
  file: string;
  version: string | null;
  login: "found" | "not-found";
}
