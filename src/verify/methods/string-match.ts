import type { LeafOf } from "../../core/proof/proof.ts";
import type { MethodRunner } from "./method.ts";

export const runStringMatch: MethodRunner<LeafOf<"string_match">> = {
  async run({ name }, _at, { state }) {
    const claim = state?.turn?.claim ?? null;
    const answer = claim
      ? ({ is: "pass", reason: `the promise was given: ${claim.quote}` } as const)
      : ({ is: "fail", reason: "the promise was not given" } as const);
    return { name, command: "", code: null, excerpt: "", log: null, ms: 0, ...answer };
  },
  check: async () => undefined,
  tryOut: async () => undefined,
  missing: () => [],
};
