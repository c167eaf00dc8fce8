import type { CheckResult } from "../loop/events.ts";
import type { External, Leaf, Proof, Stage } from "../proof/proof.ts";
import { criteriaOf, provedOf } from "../proof/proved.ts";
import { judgeWords } from "../proof/words.ts";
import type { Receipt, ReceiptStage } from "../schema/receipt.ts";
import { openValue } from "../secrets.ts";
import { open, openDeep } from "./open.ts";

/** What had to hold, without the secrets in it. */
export const shownCriteria = (proof: Proof, promise: string, checks: readonly CheckResult[]): Receipt["criteria"] => ({
  promise: open(promise),
  outcome: open(proof.outcome),
  acceptance: criteriaOf(proof, provedOf(proof, checks)).map(({ text, proved }) => ({ text: open(text), proved })),
  stages: proof.stages.map(shownStage),
  rules: [...proof.rules],
  baseline: proof.baseline,
  requireRedFirst: proof.requireRedFirst,
  ...(proof.missingOk ? { missingOk: true } : {}),
  zeroWorkGuard: proof.zeroWorkGuard,
  nonce: proof.nonce,
  cleanRoom: proof.cleanRoom && { ...proof.cleanRoom, setup: proof.cleanRoom.setup && open(proof.cleanRoom.setup) },
  protect: proof.protect.map(open),
  testsMayChange: proof.testsMayChange,
});

function shownStage(stage: Stage): ReceiptStage {
  const common = {
    name: open(stage.name),
    required: stage.required,
    requireRedFirst: stage.requireRedFirst,
    criterion: stage.criterion === null ? null : open(stage.criterion),
  };
  if (stage.method !== "multi_stage") return shownLeaf(common, stage);
  return { ...common, method: stage.method, requireAll: stage.requireAll, stages: stage.stages.map(shownStage) };
}

type Common = Pick<ReceiptStage, "name" | "required" | "criterion">;

function shownLeaf(common: Common, leaf: Leaf): ReceiptStage {
  switch (leaf.method) {
    case "external":
      return { ...common, method: leaf.method, ...shownCommand(leaf) };
    case "semantic":
      return {
        ...common,
        method: leaf.method,
        checkFor: leaf.checkFor.map(open),
        negativePatterns: leaf.negativePatterns.map(open),
        judge: open(judgeWords(leaf.judge)),
        onError: leaf.onError,
        timeoutMs: leaf.timeoutMs,
      };
    case "plugin":
      return {
        ...common,
        method: `plugin:${leaf.plugin}`,
        config: openDeep(leaf.config),
        timeoutMs: leaf.timeoutMs,
      };
    case "string_match":
      return { ...common, method: leaf.method };
  }
}

/** A command with whether anything in it had to be hidden: then nobody can run it again. */
export function maskedCommand(command: string): { command: string; masked?: true } {
  const shown = open(command);
  return shown === command ? { command } : { command: shown, masked: true };
}

function shownCommand(leaf: External) {
  const wanted = [...leaf.outputContains, ...leaf.outputNotContains];
  return {
    ...maskedCommand(leaf.command),
    ...(wanted.every((text) => open(text) === text) ? {} : { masked: true }),
    successExitCode: leaf.successExitCode,
    outputContains: leaf.outputContains.map(open),
    outputNotContains: leaf.outputNotContains.map(open),
    timeoutMs: leaf.timeoutMs,
    workingDir: leaf.workingDir,
    env: Object.fromEntries(Object.entries(leaf.env).map(([name, value]) => [name, openValue(name, value)])),
  };
}
