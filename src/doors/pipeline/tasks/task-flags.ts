import { readText } from "../../../adapters/io/text-file.ts";
import type { NamedText } from "../../../adapters/io/yaml-document.ts";
import { faultyYaml, readYaml } from "../../../adapters/io/yaml-text.ts";
import { RalphError } from "../../../core/errors.ts";
import type { AgentFlags, CriteriaFlags } from "../../../core/schema/criteria-flags.ts";
import type { Fault } from "../../../core/schema/faults.ts";
import type { AgentRole } from "../../../core/task/role.ts";
import type { NewTask } from "../../../core/task/task.ts";

export interface FlaggedTask {
  cwd: string;
  /** Everything except its completion, with snake_case keys. */
  value: Readonly<Record<string, unknown>> & { title: string };
  outcome?: string | undefined;
  acceptance?: readonly unknown[] | undefined;
  /** What the whole task may change. */
  scope?: readonly string[] | undefined;
  agents: Partial<Record<AgentRole, Omit<AgentFlags, "below"> & { file?: string }>>;
  /** The task's current criteria by agent. */
  before?: Partial<Record<AgentRole, unknown>>;
  withoutCriteria: boolean;
}

const HINT = "`ralph task create --help` shows every flag with examples";

/** Reads a task from flags and criteria files. Errors have the name of their flag or their position in a file. */
export async function readFlags(given: FlaggedTask): Promise<NewTask> {
  const { completionOf, blamedFile, flagFault } = await import("../../../core/schema/criteria-flags.ts");
  const { readTask } = await import("../../../core/schema/task.ts");
  const { agents, files } = await withFiles(given);
  const completion = completionOf({ ...given, agents }, given.value.title);
  const { task, faults = [] } = readTask({ ...given.value, completion }, given);
  if (task) return task;
  for (const [agent, text] of files) {
    const own = faults.filter((fault) => blamedFile(fault, agents) === agent);
    if (own.length > 0) throw await faultyYaml(text, own.map(insideFile));
  }
  throw new RalphError("task-invalid", faults.map(flagFault).join("\n"), { hint: HINT });
}

async function withFiles({ agents, before = {}, cwd }: FlaggedTask) {
  const flags: CriteriaFlags["agents"] = {};
  const files = new Map<AgentRole, NamedText>();
  for (const [agent, { file, ...said }] of Object.entries(agents) as [AgentRole, AgentFlags & { file?: string }][]) {
    flags[agent] = agent in before ? { ...said, below: before[agent] } : said;
    if (file === undefined) continue;
    const hint = `--${agent}-criteria-file expects a YAML or JSON file with promise, verification_method and so on`;
    const source = await readText({ file, cwd, what: "criteria file", hint });
    const text = { file, source, hint };
    files.set(agent, text);
    flags[agent] = { ...said, below: await readYaml(text) };
  }
  return { agents: flags, files };
}

/** Converts a fault of `completion.<agent>` to its path in that agent's file. */
const insideFile = ({ path, at, text }: Fault): Fault => ({
  path: path.slice(2),
  at,
  text: text.replace(/^completion\.\w+(\.|: )/, ""),
});
