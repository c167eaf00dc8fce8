import type { CheckResult } from "../loop/events.ts";
import { methodOf } from "../proof/methods.ts";
import type { Proof, Stage } from "../proof/proof.ts";
import { criteriaOf, provedOf } from "../proof/proved.ts";
import type { Receipt, ReceiptStage } from "../schema/receipt.ts";
import { open } from "./open.ts";

/** The criteria without their secrets. */
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
  ...(proof.scope.length > 0 ? { scope: proof.scope.map(open) } : {}),
  ...(proof.differential ? { differential: true } : {}),
  ...(proof.services ? { services: true } : {}),
});

function shownStage(stage: Stage): ReceiptStage {
  const common = {
    name: open(stage.name),
    required: stage.required,
    requireRedFirst: stage.requireRedFirst,
    criterion: stage.criterion === null ? null : open(stage.criterion),
  };
  if (stage.method !== "multi_stage") return methodOf(stage).receipt(stage, common);
  return { ...common, method: stage.method, requireAll: stage.requireAll, stages: stage.stages.map(shownStage) };
}
