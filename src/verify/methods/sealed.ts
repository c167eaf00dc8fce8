import { cpSync, existsSync, mkdirSync, realpathSync, renameSync, rmSync } from "node:fs";
import { dirname, isAbsolute, join, normalize, resolve } from "node:path";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { isBelow, isInside } from "../../adapters/io/inside.ts";
import { entryAt } from "../../adapters/io/look.ts";
import { RalphError } from "../../core/errors.ts";
import type { CheckResult } from "../../core/loop/events.ts";
import { plainResult } from "../../core/loop/results.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import { plainCommand } from "../../core/proof/methods/external.ts";
import type { LeafOf } from "../../core/proof/proof.ts";
import { runCheck } from "../command/check.ts";
import type { StageContext } from "../verification-context.ts";
import type { MethodRunner, StagePlace } from "./method.ts";

type SealedLeaf = LeafOf<"sealed">;

export const runSealed = {
  async run(leaf: SealedLeaf, { place, log }: StagePlace, { setting, spec }: StageContext) {
    const to = join(setting.cwd, leaf.to);
    const aside = join(checkoutRoot(setting.cwd) ?? setting.cwd, ".git", "under-sealed");
    const problem = layIn(resolve(spec.cwd, leaf.from), { to, aside, room: setting.cwd });
    if (problem !== null) return shownResult(leaf, plainResult(leaf, { is: "unknown", reason: problem }));
    try {
      const check = { ...plainCommand(leaf.command), name: leaf.name, timeoutMs: leaf.timeoutMs, cache: false };
      const result = await runCheck(check, log, { ...setting, token: `${setting.token}/${place}/` });
      return result && shownResult(leaf, result);
    } finally {
      rmSync(to, { recursive: true, force: true });
      if (entryAt(aside)) renameSync(aside, to);
    }
  },
  async check(leaf: SealedLeaf, spec: LoopSpec) {
    const fault = faultOf(leaf, spec);
    if (fault) throw fault;
  },
} satisfies MethodRunner<SealedLeaf>;

interface Place {
  to: string;
  /** Where what the room has there is kept meanwhile. */
  aside: string;
  room: string;
}

/** Replaces what the room has there. The agent's files may contain links that lead elsewhere. */
function layIn(from: string, { to, aside, room }: Place): string | null {
  try {
    const above = dirname(to);
    mkdirSync(above, { recursive: true });
    if (!isInside(realpathSync(above), realpathSync(room))) return `${to} leads out of the room`;
    if (entryAt(to)) renameSync(to, aside);
    // Relative links in it lead to the same files from there.
    cpSync(realpathSync(from), to, { recursive: true });
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : "its files cannot be copied";
  }
}

/** Feedback is made from results, so it gets neither output nor, unless the user allows it, the command. */
const shownResult = (leaf: SealedLeaf, result: CheckResult): CheckResult => ({
  ...result,
  command: leaf.showNames ? leaf.command : leaf.name,
  reason: result.is === "pass" ? result.reason : `${leaf.name} ${result.is === "fail" ? "failed" : "could not be run"}`,
  excerpt: "",
  sealed: true,
});

function faultOf({ from, to }: SealedLeaf, { cwd, proof }: LoopSpec): RalphError | null {
  if (proof.cleanRoom?.mode !== "oracle") {
    return new RalphError("sealed-room", 'sealed checks run in the oracle room, and clean_room is not "oracle"', {
      hint: 'add {"completion": {"clean_room": "oracle", "scope": ["src/**"]}} to the settings',
    });
  }
  const source = resolve(cwd, from);
  if (!existsSync(source)) {
    return new RalphError("sealed-missing", `sealed: ${from} does not exist`, {
      hint: "name a file or folder, relative to the loop's folder",
    });
  }
  if (isInside(realpathSync(source), realpathSync(checkoutRoot(cwd) ?? cwd))) {
    return new RalphError("sealed-inside", `sealed: ${from} is in the checkout, where the agent reads it`, {
      hint: "move it out of the repository, such as to ../hidden-tests",
    });
  }
  if (!isAbsolute(to) && isBelow(normalize(join(cwd, to)), cwd)) return null;
  return new RalphError("sealed-outside", `sealed: ${to} leads out of the loop's folder`, {
    hint: "name a path inside it, such as test/sealed",
  });
}
