import type { LoopState, Turn } from "./state.ts";

/** What came of a turn, in words that are equal when the same thing failed in the same way. */
function resultOf(turn: Turn): string {
  const failing = (turn.guards ?? []).filter((g) => g.is !== "pass").map((g) => `${g.name}=${g.code}`);
  return JSON.stringify([failing, turn.verdict?.reason ?? null, turn.failed?.kind ?? null]);
}

/** How often in a row, up to the turn at hand, nothing new was done and the same came of it. */
export function sameness(s: LoopState): LoopState["same"] {
  if (!s.turn || s.turn.worked) return { signature: s.turn ? resultOf(s.turn) : "", times: 0 };
  const signature = resultOf(s.turn);
  return { signature, times: signature === s.same.signature ? s.same.times + 1 : 1 };
}
