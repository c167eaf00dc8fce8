import type { AgentRole } from "../../../core/task/role.ts";
import type { AgentOptions } from "../program/agent-options.ts";

/** The options of `ralph execute`. */
export interface ExecuteOptions extends AgentOptions {
  dryRun?: boolean;
  restart?: boolean;
  spec?: string;
  task?: string[];
  maxParallel?: number;
  stages?: AgentRole[];
  target?: string;
  maxCost?: number;
  maxDuration?: number;
  settings?: string;
  agent?: string[];
  scenario?: string;
  acceptChanges?: boolean;
  board?: boolean;
  quiet?: boolean;
  json?: boolean;
  strict?: boolean;
}
