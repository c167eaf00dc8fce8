import type { LoopState, Turn } from "./state.ts";

/** The result of a turn as text: equal when the same thing failed in the same way. */
function resultOf(turn: Turn): string {
  const failing = (turn.guards ?? []).filter((g) => g.is !== "pass").map((g) => `${g.name}=${g.code}`);
  return JSON.stringify([failing, turn.verdict?.reason ?? null, turn.failed?.kind ?? null]);
}

/** How many turns in a row, including the current one, did nothing new and had the same result. */
export function sameness(s: LoopState): LoopState["same"] {
  if (!s.turn || s.turn.worked) return { signature: s.turn ? resultOf(s.turn) : "", times: 0 };
  const signature = resultOf(s.turn);
  return { signature, times: signature === s.same.signature ? s.same.times + 1 : 1 };
}
