import type { CheckResult } from "../core/loop/events.ts";
import type { Leaf } from "../core/proof/proof.ts";
import type { Case } from "./case.ts";

/** Lets a judge decide from evidence. */
export async function judgeSemantic(
  leaf: Leaf & { method: "semantic" },
  log: string,
  _about: Case,
): Promise<CheckResult | null> {
  return {
    name: leaf.name,
    command: "semantic",
    is: "unknown",
    code: null,
    reason: "no judge",
    excerpt: "",
    log,
    ms: 0,
  };
}
