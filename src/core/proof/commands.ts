import { shorten } from "../excerpt.ts";
import type { External, Stage } from "./proof.ts";

export const DEFAULT_CHECK_TIMEOUT_S = 300;
const NAME_CHARS = 80;

/** What a stage is unless somebody says otherwise. */
export const PLAIN_STAGE = {
  required: true,
  parallel: false,
  cache: true,
  requireRedFirst: false,
  criterion: null,
} as const;

/** A command that has to exit 0, and nothing else. */
export const externalCheck = (command: string, timeoutS = DEFAULT_CHECK_TIMEOUT_S): External => ({
  command,
  successExitCode: 0,
  outputContains: [],
  outputNotContains: [],
  timeoutMs: timeoutS * 1_000,
  workingDir: ".",
  env: {},
});

/** A command by its first words. */
export const commandName = (command: string): string => shorten(command, NAME_CHARS);

/** The stage of a command that has to exit 0. */
export const commandStage = (command: string, timeoutS?: number): Stage => ({
  ...PLAIN_STAGE,
  name: commandName(command),
  method: "external",
  ...externalCheck(command, timeoutS),
});

/** The stages with a name each that no other has: results are told apart by it. */
export function uniquelyNamed(stages: readonly Stage[]): Stage[] {
  const taken = new Map<string, number>();
  const name = (stage: Stage): Stage => {
    if (stage.method === "multi_stage") return { ...stage, stages: stage.stages.map(name) };
    const times = (taken.get(stage.name) ?? 0) + 1;
    taken.set(stage.name, times);
    return times === 1 ? stage : name({ ...stage, name: `${stage.name} (${times})` });
  };
  return stages.map(name);
}
