import { timeWords } from "../../duration.ts";
import { open } from "../../receipt/open.ts";
import type { Completion } from "../../schema/criteria.ts";
import { PLAIN_STAGE, type Stage } from "../proof.ts";
import { DEFAULT_CHECK_TIMEOUT_S } from "./external.ts";
import type { ProofMethod } from "./method.ts";

/** A command over files that the agent does not see: they are placed into the oracle room before it runs. */
export const sealed: ProofMethod<"sealed"> = {
  backs: true,
  inBaseline: true,
  needsStart: true,
  inCleanRoom: true,
  costsMoney: false,
  configAlone: null,
  resolve() {
    throw new Error("sealed checks have a key of their own");
  },
  // Part of a task's prompt, so it names neither files nor commands.
  subject: ({ place, of }) => `sealed check ${place} of ${of}`,
  facts: ({ timeoutMs }) => [`at most ${timeWords(timeoutMs)}`],
  progress: ({ name }) => name,
  uses: ({ from }) => ({ sealed: [from] }),
  receipt: (leaf, common) => ({ ...common, method: leaf.method, to: open(leaf.to), timeoutMs: leaf.timeoutMs }),
};

type GivenSealed = NonNullable<Completion["sealed"]>;

/** The stages of sealed checks; they run last, so that nothing else finds their files. */
export const sealedStages = (given: GivenSealed = [], timeoutS = DEFAULT_CHECK_TIMEOUT_S): Stage[] =>
  given.map(({ from, to, run, timeout = timeoutS, show_names: showNames = false }, i) => ({
    ...PLAIN_STAGE,
    cache: false,
    name: `sealed check ${i + 1} of ${given.length}`,
    method: "sealed",
    ...{ from, to, command: run, timeoutMs: timeout * 1_000, showNames, place: i + 1, of: given.length },
  }));
