import type { Proof } from "./proof.ts";

/** How checks are run and claims looked at, where that is not as usual, a line each. */
export function conditionWords({ stages, cleanRoom, ...proof }: Proof): string[] {
  const setUp = cleanRoom?.setup ? `, after ${cleanRoom.setup}` : "";
  return [
    ...(cleanRoom ? [`clean room: commands and plugins see only the commit${setUp}`] : []),
    ...(proof.baseline || stages.length === 0 ? [] : ["no baseline: nothing is run before any work"]),
    ...(proof.requireRedFirst ? ["refused where all checks pass before any work"] : []),
    ...(proof.missingOk ? ["what a check's command names may be absent before the work"] : []),
    ...(proof.nonce ? ["nonce: a fresh token in the promise of every iteration"] : []),
    ...(proof.zeroWorkGuard ? [] : ["a claim without a tool call or a change is accepted"]),
    ...(proof.testsMayChange ? ["tests may change"] : []),
  ];
}
