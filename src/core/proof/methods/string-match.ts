import type { ProofMethod } from "./method.ts";

/** The promise alone, which is known before anything runs. */
export const stringMatch: ProofMethod<"string_match"> = {
  backs: false,
  inBaseline: false,
  needsStart: false,
  inCleanRoom: false,
  costsMoney: false,
  configAlone: {},
  resolve: ({ method }, { common }) => ({ ...common, name: common.name || method, method }),
  subject: () => "string_match: the promise alone",
  facts: () => [],
  progress: () => null,
  uses: () => ({}),
  receipt: ({ method }, common) => ({ ...common, method }),
};
