import { existsSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type GitPins, gitPins, hooksAreStill, trackedOf } from "../../adapters/git/pins.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { pluginPaths } from "../../adapters/plugin/find.ts";
import { SETTINGS_PATHS } from "../../adapters/settings/settings-files.ts";
import type { AgentSpec } from "../../core/agent-spec.ts";
import type { Blobs } from "../../core/blobs.ts";
import { isOfThisMachine, SEALED } from "../../core/fingerprints.ts";
import type { Fingerprints, LoopSpec } from "../../core/loop/spec.ts";
import { backingLeaves, methodOf } from "../../core/proof/methods.ts";
import type { Leaf, Proof } from "../../core/proof/proof.ts";
import { withoutCreatable } from "../missing/creatable.ts";
import { installerOf } from "../rooms/room-setup.ts";
import { scopeOf } from "../scope.ts";
import { takeInventory } from "../test-files/inventory.ts";
import { absencesOf, recordedOf } from "./absences.ts";
import type { GitNow } from "./changes.ts";
import { isByEffect } from "./file-changes.ts";
import { openLook } from "./file-state.ts";
import { isInOutput, type Ownership } from "./frozen-paths.ts";
import { protectedFiles, takenOut } from "./globs.ts";
import { makeGoals, type PinnedFiles, pinsOf } from "./pins.ts";
import { placeKey } from "./programs.ts";
import { digests, type ProtectedRecord, readRecord, writeRecord } from "./record.ts";
import { type Line, usedBy } from "./referenced-files.ts";
import { sourceFiles } from "./source-folders.ts";
import { kept as keptValue, readValue, type Value } from "./values.ts";

export async function protect(blobs: Blobs, spec: LoopSpec, patterns: readonly string[]): Promise<Fingerprints> {
  const record = await lookAt(spec, patterns);
  return isEmpty(record) ? {} : writeRecord(blobs, { root: spec.cwd, record });
}

export const isEmpty = ({ git, tests, files, values }: ProtectedRecord): boolean =>
  !git && !tests && Object.keys({ ...files, ...values }).length === 0;

/** Records everything again: all changes since are accepted. */
export async function protectAnew(blobs: Blobs, spec: LoopSpec, before: Fingerprints): Promise<Fingerprints> {
  const known = await readRecord(blobs, before);
  // Without a record the journal still has the file names; keys of single values are found again anyway.
  return protect(blobs, spec, known?.record.protect ?? Object.keys(before).filter((key) => !/[# ]/.test(key)));
}

/** The names of what would be protected. Nothing is written. */
export async function protectedNames(spec: LoopSpec, patterns: readonly string[]): Promise<string[]> {
  const names = Object.keys(digests(await lookAt(spec, patterns)));
  return names.filter((name) => !isOfThisMachine(name)).sort();
}

/** The current state of everything that decides completion. `hooks`: whether git's hooks count, if already decided. */
export async function lookAt(spec: LoopSpec, patterns: readonly string[], hooks?: boolean): Promise<ProtectedRecord> {
  const { cwd, proof, guardrails } = spec;
  const proofs = proofsOf(spec);
  const leaves = proofs.flatMap(({ stages }) => backingLeaves(stages));
  const parts = leaves.map((leaf) => methodOf(leaf).uses(leaf));
  const isDecided = leaves.length + guardrails.length > 0;
  const commands = [...linesOf(leaves, spec), ...proofs.flatMap(({ cleanRoom }) => setUpLines(cwd, cleanRoom))];
  const owned = ownershipOf(spec);
  const whole = usedBy(commands, cwd, owned);
  // The work must be able to create these.
  const used = proof.missingOk ? withoutCreatable(whole, cwd) : whole;
  const pins = pinsOf(used, cwd);
  const tests = isDecided ? takeInventory(cwd) : {};
  const judges = judgesOf(
    parts.flatMap(({ judges: asked = [] }) => asked.flatMap((judge) => judge ?? spec.agents)),
    spec,
  );
  const sealed = parts.flatMap((part) => (part.sealed ?? []).map((from) => `${SEALED}${from}`));
  const plugins = parts.flatMap((part) => part.plugins ?? []);
  const wanted = [...patterns, ...proof.protect];
  const frozen = protectedFiles(cwd, wanted);
  // A file that a check runs, or that configures it, may be the work itself: the settings can exclude it.
  const isOut = takenOut(wanted);
  // A settings file that comes with a task would decide everything after it.
  const settings = isDecided && spec.part ? SETTINGS_PATHS : [];
  const lastingFiles = await lasting([...used.files, ...judges.files], spec);
  const isFree = (path: string) => isOut(path) || (owned.exact && owned.isWork(resolve(cwd, path)));
  const absent = absencesOf(used, { root: cwd, tests, isFree });
  const recorded = recordedOf(absent);
  const run = [...lastingFiles, ...pins.files, ...recorded.files, ...settings].filter((path) => !isFree(path));
  const isKept = (key: string) => !key.includes("#") || !owned.exact || !isFree(key.split("#")[0] ?? "");
  const deciding = [...pins.values, ...judges.values, ...recorded.values].filter(isKept);
  const look = openLook(cwd);
  const files = [...frozen, ...run, ...pluginPaths(plugins, cwd)];
  const seesHooks = hooks ?? hooksAreStill(checkoutRoot(cwd) ?? cwd);
  const git = isDecided && spec.tracked ? await gitNow(cwd, seesHooks) : null;
  const keys = [...deciding, ...sealed, ...(git ? ["program git"] : [])];
  return {
    protect: patterns,
    files: Object.fromEntries([...new Set(files)].sort().map((path) => [path, look.state(path)])),
    values: { ...Object.fromEntries(keys.sort().map((key) => [key, readValue(cwd, key)])), ...git?.values },
    byEffect: run.filter((path) => isByEffect(path) && !frozen.includes(path)),
    goals: makeGoals(used.commands),
    absent,
    git: git && { hooks: seesHooks, overlooked: git.overlooked },
    tests: isDecided && !proof.testsMayChange ? tests : null,
  };
}

/** The command lines of checks and guardrails. */
export const linesOf = (checks: readonly Leaf[], { cwd, guardrails }: Pick<LoopSpec, "cwd" | "guardrails">): Line[] => [
  ...checks
    .flatMap((leaf) => methodOf(leaf).uses(leaf).commands ?? [])
    .map(({ command, workingDir }) => ({ command, dir: resolve(cwd, workingDir) })),
  ...guardrails.map(({ command }) => ({ command, dir: cwd })),
];

/** With a scope, the line is exact: everything inside it is the agent's work. */
export function ownershipOf({ cwd, proof }: Pick<LoopSpec, "cwd" | "proof">): Ownership {
  const root = checkoutRoot(cwd) ?? cwd;
  if (proof.scope.length === 0) return { isWork: sourceFiles(root, cwd), exact: false };
  const scope = scopeOf(proof.scope, { folder: cwd, root });
  return {
    exact: true,
    isWork(path) {
      const allowed = scope.allows(relative(root, path));
      return allowed === "all" || (allowed === "add" && !existsSync(path));
    },
  };
}

/** The proofs of the loop and of its task's other stages: an agent must not prepare what a later stage will run. */
const proofsOf = ({ proof, part }: LoopSpec): Pick<Proof, "stages" | "cleanRoom">[] => [
  proof,
  ...(part?.watched ?? []),
];

/** The files of a judge in the checkout; for any other judge, the location of its program. */
function judgesOf(judges: readonly AgentSpec[], { cwd, ...spec }: LoopSpec): PinnedFiles {
  const lines = judges.map(({ command, flags }) => ({ command: [command, ...flags].join(" "), dir: cwd }));
  const named = judges.filter(({ command }) => !command.includes("/"));
  return {
    files: [...usedBy(lines, cwd, ownershipOf({ ...spec, cwd })).files],
    values: named.map(({ command }) => placeKey(command)),
  };
}

/** The setup of a clean room decides as much as the commands that run in it. */
function setUpLines(cwd: string, cleanRoom: Proof["cleanRoom"]): Line[] {
  if (!cleanRoom) return [];
  if (cleanRoom.setup !== null) return [{ command: cleanRoom.setup, dir: cwd }];
  const installer = installerOf(cwd, checkoutRoot(cwd) ?? cwd);
  return installer ? [{ command: installer.command, dir: installer.folder }] : [];
}

async function lasting(files: readonly string[], { cwd, tracked }: LoopSpec): Promise<string[]> {
  const made = files.filter(isInOutput);
  const kept = tracked ? await trackedOf(cwd, made) : [];
  return files.filter((path) => !made.includes(path) || kept.includes(path));
}

export async function gitNow(cwd: string, hooks: boolean): Promise<GitNow> {
  const { values, overlooked }: GitPins = await gitPins(cwd, hooks);
  const entries = Object.entries(values).map(([key, text]): [string, Value] => [key, keptValue(text || null)]);
  return { values: Object.fromEntries(entries), overlooked };
}
