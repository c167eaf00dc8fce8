import type { CheckResult } from "../core/loop/events.ts";
import type { Leaf } from "../core/proof/proof.ts";
import type { Case } from "./case.ts";

/** Lets a plugin decide. */
export async function runPlugin(
  leaf: Leaf & { method: "plugin" },
  log: string,
  _about: Case,
): Promise<CheckResult | null> {
  const reason = `there is no plugin ${leaf.plugin}`;
  return { name: leaf.name, command: leaf.plugin, is: "unknown", code: null, reason, excerpt: "", log, ms: 0 };
}
