import { plainCommand } from "../proof/methods/external.ts";
import { methodNamed } from "../proof/methods.ts";
import type { External } from "../proof/proof.ts";
import type { Receipt, ReceiptCommand, ReceiptGroup, ReceiptStage } from "../schema/receipt.ts";

/** A command of a receipt, and its result when the work was proven. */
export interface RecordedCommand extends Omit<External, "env"> {
  kind: "check" | "guardrail";
  name: string;
  required: boolean;
  masked: boolean;
  /** Null: the value was hidden. */
  env: Readonly<Record<string, string | null>>;
  was: { is: "pass" | "fail" | "unknown"; code: number | null } | null;
}

const isGroup = (stage: ReceiptStage): stage is ReceiptGroup => stage.method === "multi_stage";
const isRecorded = (stage: ReceiptStage): stage is ReceiptCommand => stage.method === "external";

/** All stages that are not groups, each required only if all groups around it are. */
const leavesOf = (stages: readonly ReceiptStage[], required = true): Exclude<ReceiptStage, ReceiptGroup>[] =>
  stages.flatMap((stage) =>
    isGroup(stage)
      ? leavesOf(stage.stages, required && stage.required)
      : [{ ...stage, required: required && stage.required }],
  );

export const recordedCommands = (receipt: Receipt): RecordedCommand[] => [
  ...receipt.guardrails.map(guardrailCommand),
  ...leavesOf(receipt.criteria.stages)
    .filter(isRecorded)
    .map((stage) => stageCommand(stage, receipt)),
];

const guardrailCommand = ({ name, command, masked, timeoutMs, is, code }: Receipt["guardrails"][number]) => ({
  ...plainCommand(command),
  timeoutMs,
  kind: "guardrail" as const,
  name,
  required: true,
  masked: masked ?? false,
  was: { is, code },
});

function stageCommand(stage: ReceiptCommand, { checks }: Receipt): RecordedCommand {
  const was = checks.find(({ name }) => name === stage.name);
  return {
    kind: "check",
    name: stage.name,
    command: stage.command,
    required: stage.required,
    masked: stage.masked ?? false,
    successExitCode: stage.successExitCode,
    outputContains: stage.outputContains,
    outputNotContains: stage.outputNotContains,
    timeoutMs: stage.timeoutMs,
    workingDir: stage.workingDir,
    env: stage.env,
    was: was ? { is: was.is, code: was.code } : null,
  };
}

export const unrepeatable = ({ criteria }: Receipt): string[] =>
  leavesOf(criteria.stages)
    .filter((stage) => !isRecorded(stage) && methodNamed(stage.method)?.backs !== false && stage.required)
    .map(({ name }) => name);
