import type { Entry, LoopEvent, TurnEnded, Verdict } from "../../src/core/loop/events.ts";
import type { Fingerprints, LoopSpec } from "../../src/core/loop/spec.ts";
import { buildReceipt } from "../../src/core/receipt/build.ts";
import { gather } from "../../src/core/receipt/gather.ts";
import type { Draft } from "../../src/core/schema/receipt.ts";
import { NO_USAGE } from "../../src/core/usage.ts";
import { someSpec } from "./spec.ts";
import { turnBegan, turnEnded } from "./turns.ts";

interface Verified {
  spec?: LoopSpec;
  fingerprints?: Fingerprints;
  ended?: Partial<TurnEnded>;
  verdict?: Partial<Verdict>;
  /** Before the first turn. */
  more?: readonly LoopEvent[];
}

/** The journal of a loop that was completed in its first iteration: verified, unless its verdict says otherwise. */
export function someVerified({ spec = someSpec(), fingerprints = {}, ended, verdict, more = [] }: Verified = {}) {
  const events: LoopEvent[] = [
    { type: "loop.started", spec, fingerprints },
    { type: "loop.adopted", driver: "engine" },
    ...more,
    turnBegan(1),
    turnEnded(1, { source: "text", tools: null, ...ended }),
    {
      type: "claim.judged",
      n: 1,
      try: 1,
      verdict: { is: "pass", reason: "it holds", checks: [], proof: "verified", ...verdict },
      usage: NO_USAGE,
    },
    { type: "loop.stopped", reason: verdict?.proof ?? "verified", detail: "it holds" },
  ];
  return events.map((event, i): Entry => ({ loop: "3f2a91bc", seq: i + 1, epoch: 1, atMs: 1_000 * (i + 1), event }));
}

async function* each<Item>(items: readonly Item[]) {
  yield* items;
}

/** Its receipt, without a digest. A clean tree's state is `clean` and the commit. */
export async function someReceipt(verified: Verified = {}): Promise<Draft> {
  const draft = buildReceipt(await gather(each(someVerified(verified))), {
    loop: "3f2a91bc",
    tool: { name: "ralph-engine", version: "1.2.3" },
    folder: ".",
    cleanState: (commit) => `clean ${commit}`,
  });
  if (!draft) throw new Error("it was verified");
  return draft;
}
