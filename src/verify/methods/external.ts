import type { CommandLeaf } from "../../core/proof/methods/external.ts";
import { type CheckSetting, runCheck } from "../command/check.ts";
import type { MethodRunner, StagePlace } from "./method.ts";

export const runExternal = {
  // Each has its own token, so that ending one does not end the others.
  run: (leaf: CommandLeaf, { place, log }: StagePlace, { setting }: { setting: CheckSetting }) =>
    runCheck(leaf, log, { ...setting, token: `${setting.token}/${place}/` }),
} satisfies MethodRunner<CommandLeaf>;
