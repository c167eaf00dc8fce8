import type { CommandLeaf } from "../../core/proof/methods/external.ts";
import { runCheck } from "../command/check.ts";
import type { MethodRunner } from "./method.ts";

export const runExternal: MethodRunner<CommandLeaf> = {
  // A token each: one that has to be ended must not take the others with it.
  run: (leaf, { place, log }, { setting }) => runCheck(leaf, log, { ...setting, token: `${setting.token}/${place}/` }),
  check: async () => undefined,
  tryOut: async () => undefined,
  missing: () => [],
};
