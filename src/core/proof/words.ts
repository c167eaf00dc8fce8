import type { CleanRoom, Proof } from "./proof.ts";

/** Non-default ways of running checks and reading claims, one line each. */
export function conditionWords({ stages, ...proof }: Proof): string[] {
  return [
    ...protectionWords(proof),
    ...(proof.baseline || stages.length === 0 ? [] : ["no baseline: no check runs before any work"]),
    ...(proof.requireRedFirst ? ["refused if all checks pass before any work"] : []),
    ...(proof.missingOk ? ["programs and files that a check's command names may be missing before the work"] : []),
    ...(proof.nonce ? ["nonce: a fresh token in the promise of every iteration"] : []),
    ...(proof.zeroWorkGuard ? [] : ["a claim without a tool call or a change is accepted"]),
    ...(proof.testsMayChange ? ["tests may change"] : []),
  ];
}

type Room = Pick<CleanRoom, "mode" | "setup">;

/** What keeps the oracle out of the agent's reach, one line each. */
export function protectionWords({
  cleanRoom,
  scope,
  differential,
  services,
}: Pick<Proof, "scope" | "differential" | "services"> & { cleanRoom: Room | null }): string[] {
  return [
    ...(scope.length > 0 ? [`scope: only ${scope.join(", ")} may change`] : []),
    ...(cleanRoom ? [roomWords(cleanRoom)] : []),
    ...(differential ? ["the checks also run on the new work with the old tests"] : []),
    ...(services ? ["processes that a turn leaves running are kept"] : []),
  ];
}

function roomWords({ mode, setup }: Room): string {
  const after = setup ? `, after ${setup}` : "";
  return mode === "oracle"
    ? `oracle room: commands and plugins see the tree at the start and the changes within the scope${after}`
    : `clean room: commands and plugins see only the commit${after}`;
}
