import { fileURLToPath } from "node:url";
import { type Launcher, openLauncher } from "../../adapters/io/launcher.ts";
import { fieldOf } from "../../core/field.ts";
import type { NewExecution, Resumption } from "../../core/schema/api-executions.ts";
import type { RunStarted } from "../../core/workflow/events.ts";
import type { Workspace } from "../../core/workspace.ts";
import { startRalph } from "../../runtime/start-ralph.ts";

/** Starts executions and loops as processes of their own, which continue when the server stops. */
export interface Starter {
  execution(asked: NewExecution): Promise<{ execution: string | null; ended: boolean; log: string }>;
  loop(id: string, asked: Resumption): Promise<{ log: string }>;
  close(): void;
}

interface ServerFlags {
  agent: RunStarted["agent"];
  settingsPath: string | undefined;
}

/** This program, beside this bundle. */
const PROGRAM = fileURLToPath(new URL("./ralph.js", import.meta.url));

/** Opened before the server drives a run. */
export function openStarter(workspace: Workspace, flags: ServerFlags): Starter {
  const launcher: Launcher = openLauncher();
  const common = { launcher, program: PROGRAM, workspace };
  return {
    async execution(asked) {
      const args = ["execute", ...executeFlags(asked), ...serverFlags(flags)];
      const { begun, log } = await startRalph({ ...common, args, begun: executionIn });
      return { execution: begun?.execution ?? null, ended: begun?.ended ?? false, log };
    },
    async loop(id, asked) {
      const args = ["resume", id, ...resumeFlags(asked)];
      const { log } = await startRalph({ ...common, args, begun: (line) => (isOfLoop(line) ? true : null) });
      return { log };
    },
    close: launcher.close,
  };
}

/** The first task that it takes names it; without tasks, its result does. */
function executionIn(line: unknown): { execution: string; ended: boolean } | null {
  const type = fieldOf(line, "type");
  // Its error follows.
  if (type === "result" && fieldOf(line, "failure")) return null;
  const execution = type === "result" ? fieldOf(line, "execution") : fieldOf(fieldOf(line, "event"), "execution");
  return typeof execution === "string" && (type === "result" || type === "task")
    ? { execution, ended: type === "result" }
    : null;
}

/** An entry of its journal, or its result. */
const isOfLoop = (line: unknown): boolean => typeof fieldOf(line, "loop") === "string";

type Value = string | number | boolean | undefined;

/** Each value is part of its flag, so that none can be another flag. */
const flagsOf = (values: Readonly<Record<string, Value>>): string[] =>
  Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return [value === true ? `--${name}` : `--${name}=${value}`];
  });

const executeFlags = (asked: NewExecution): string[] =>
  flagsOf({
    task: asked.tasks?.length ? asked.tasks.join(",") : undefined,
    spec: asked.spec,
    stages: asked.stages?.join(","),
    target: asked.target,
    "max-parallel": asked.maxParallel,
    "max-cost": asked.maxCostUsd,
    "max-duration": seconds(asked.maxDurationS),
    strict: asked.strict,
    restart: asked.restart,
    "accept-changes": asked.acceptChanges,
  });

const resumeFlags = (asked: Resumption): string[] =>
  flagsOf({
    "max-iterations": asked.maxIterations,
    "max-cost": asked.maxCostUsd,
    "max-tokens": asked.maxTokens,
    timeout: seconds(asked.timeoutS),
    "accept-changes": asked.acceptChanges,
    force: asked.force,
  });

const seconds = (count: number | undefined): string | undefined => (count === undefined ? undefined : `${count}s`);

const serverFlags = ({ agent, settingsPath }: ServerFlags): string[] =>
  flagsOf({ agent: agent?.command, scenario: agent?.scenario ?? undefined, settings: settingsPath });
