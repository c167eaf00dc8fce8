import type { Proof } from "./proof.ts";

/** Non-default ways of running checks and reading claims, one line each. */
export function conditionWords({ stages, cleanRoom, ...proof }: Proof): string[] {
  const setUp = cleanRoom?.setup ? `, after ${cleanRoom.setup}` : "";
  return [
    ...(cleanRoom ? [`clean room: commands and plugins see only the commit${setUp}`] : []),
    ...(proof.baseline || stages.length === 0 ? [] : ["no baseline: no check runs before any work"]),
    ...(proof.requireRedFirst ? ["refused if all checks pass before any work"] : []),
    ...(proof.missingOk ? ["programs and files that a check's command names may be missing before the work"] : []),
    ...(proof.nonce ? ["nonce: a fresh token in the promise of every iteration"] : []),
    ...(proof.zeroWorkGuard ? [] : ["a claim without a tool call or a change is accepted"]),
    ...(proof.testsMayChange ? ["tests may change"] : []),
  ];
}
