import { plainResult } from "../../core/loop/results.ts";
import type { LeafOf } from "../../core/proof/proof.ts";
import type { MethodRunner } from "./method.ts";

export const runStringMatch: MethodRunner<LeafOf<"string_match">> = {
  async run({ name }, _at, { state }) {
    const claim = state?.turn?.claim ?? null;
    const reason = claim ? `the promise was given: ${claim.quote}` : "the promise was not given";
    return plainResult({ name, command: "" }, { is: claim ? "pass" : "fail", reason });
  },
};
