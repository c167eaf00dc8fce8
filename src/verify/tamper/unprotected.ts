import { resolve } from "node:path";
import { statAt } from "../../adapters/io/look.ts";
import { isOfThisMachine } from "../../core/fingerprints.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import { backingLeaves, methodOf } from "../../core/proof/methods.ts";
import { subsetOf } from "../counting/subset-of.ts";
import { takeInventory } from "../test-files/inventory.ts";
import { runnersOf } from "./command-files.ts";
import { protectedFiles } from "./globs.ts";
import { pinsOf } from "./pins.ts";
import { ownershipOf } from "./protection.ts";
import { usedBy } from "./referenced-files.ts";
import { readValue } from "./values.ts";

/** What of a check's own files and values is protected; nothing of it may be. */
interface CheckProtection {
  command: string;
  names: readonly string[];
  /** Whether it runs a known test runner, without choosing a subset of the tests. */
  isCounted: boolean;
}

type Checked = Pick<LoopSpec, "cwd" | "proof" | "guardrails">;

/** What is protected of each command that decides: the existing files and values, and the watched tests. */
export function protectionOf(spec: Checked): CheckProtection[] {
  const { cwd, proof, guardrails } = spec;
  const commands = backingLeaves(proof.stages).flatMap((leaf) => methodOf(leaf).uses(leaf).commands ?? []);
  const all = [...commands, ...guardrails.map(({ command }) => ({ command, workingDir: "." }))];
  return all.map(({ command, workingDir }) => {
    const used = usedBy([{ command, dir: resolve(cwd, workingDir) }], cwd, ownershipOf(spec));
    const pins = pinsOf(used, cwd);
    const files = [...used.files, ...pins.files].filter((path) => statAt(resolve(cwd, path)) !== undefined);
    const values = pins.values.filter((key) => !isOfThisMachine(key) && readValue(cwd, key) !== null);
    const runsTests = used.commands.some((one) => runnersOf(one).length > 0);
    const tests = runsTests ? Object.keys(takeInventory(cwd)) : [];
    const isCounted = runsTests && subsetOf(command, resolve(cwd, workingDir)) === null;
    return { command, names: [...new Set([...files, ...values, ...tests])].sort(), isCounted };
  });
}

/**
 * The commands for which nothing could be protected. None with a scope, which protects everything else, or if the user
 * names files to protect: `patterns`, besides those of the proof.
 */
export function unprotectedChecks(spec: Checked, patterns: readonly string[] = []): string[] {
  const { cwd, proof } = spec;
  if (proof.scope.length > 0 || protectedFiles(cwd, [...proof.protect, ...patterns]).length > 0) return [];
  const bare = protectionOf(spec).filter(({ names }) => names.length === 0);
  return [...new Set(bare.map(({ command }) => command))];
}
