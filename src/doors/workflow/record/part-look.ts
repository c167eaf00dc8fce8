import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import { commandFiles } from "../../../verify/tamper/command-files.ts";
import { openLook } from "../../../verify/tamper/file-state.ts";
import { gitNow, lookAt } from "../../../verify/tamper/protection.ts";
import type { ProtectedRecord } from "../../../verify/tamper/record.ts";
import { readValue } from "../../../verify/tamper/values.ts";
import type { RunContext } from "../context.ts";
import { partSpec } from "../part/part-spec.ts";

/**
 * What decides a loop of a run, or what a command of it runs, as it is now. What is `known` of it is checked too,
 * whether or not anything asks for it by now.
 */
export async function lookAtPart(
  { id, ledger }: RunContext,
  at: number,
  known?: ProtectedRecord,
): Promise<ProtectedRecord> {
  const { started, state } = ledger;
  const part = started.workflow.parts[at];
  if (part?.kind === "bash") return withKnown(started.cwd, await lookAtCommand(started.cwd, part.command), known);
  if (part?.kind !== "loop") throw new Error(`part ${at} of the workflow is no loop and no command`);
  const spec = await partSpec({ id, started, state, together: false }, part);
  return withKnown(started.cwd, await lookAt(spec, started.protect ?? [], known?.git?.hooks), known);
}

async function lookAtCommand(cwd: string, command: string): Promise<ProtectedRecord> {
  const { files, values, git } = commandFiles(command, cwd);
  const look = openLook(cwd);
  // Git runs hooks and filters, which agents may have planted.
  const now = git && checkoutRoot(cwd) !== null ? await gitNow(cwd, true) : null;
  return {
    protect: [],
    files: Object.fromEntries(files.map((path) => [path, look.state(path)])),
    values: { ...Object.fromEntries(values.map((key) => [key, readValue(cwd, key)])), ...now?.values },
    git: now && { hooks: true, overlooked: now.overlooked },
    tests: null,
  };
}

async function withKnown(cwd: string, now: ProtectedRecord, known?: ProtectedRecord): Promise<ProtectedRecord> {
  if (!known) return now;
  const look = openLook(cwd);
  const git = known.git && (await gitNow(cwd, known.git.hooks));
  const valueAt = (key: string) => (git && Object.hasOwn(git.values, key) ? git.values[key] : readValue(cwd, key));
  return {
    ...now,
    files: { ...now.files, ...Object.fromEntries(Object.keys(known.files).map((path) => [path, look.state(path)])) },
    values: {
      ...now.values,
      ...Object.fromEntries(Object.keys(known.values).map((key) => [key, valueAt(key) ?? null])),
    },
    git: known.git && git ? { hooks: known.git.hooks, overlooked: git.overlooked } : now.git,
  };
}
