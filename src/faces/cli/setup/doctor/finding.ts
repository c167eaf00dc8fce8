import type { SettingValue } from "../../../../adapters/settings/origins.ts";

/** What `ralph doctor` found out about one thing. */
export interface DoctorFinding {
  name: string;
  is: "ok" | "warning" | "problem";
  says: string;
  hint?: string;
  agent?: AgentFacts;
  /** Of the settings: every value and where it came from. */
  values?: readonly SettingValue[];
}

interface AgentFacts {
  command: string;
  file: string;
  version: string | null;
  login: "found" | "not-found";
}
