import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import type { Blobs } from "../../../core/blobs.ts";
import { RECORD } from "../../../core/fingerprints.ts";
import { runBlobs } from "../../../core/workspace.ts";
import { commandFiles } from "../../../verify/tamper/command-files.ts";
import { openLook } from "../../../verify/tamper/file-state.ts";
import { gitNow, isEmpty, lookAt } from "../../../verify/tamper/protection.ts";
import type { RecordRef } from "../../../verify/tamper/protection-record.ts";
import { loadRecord } from "../../../verify/tamper/protection-since.ts";
import { type KeptRecord, type ProtectedRecord, writeRecord } from "../../../verify/tamper/record.ts";
import { readValue } from "../../../verify/tamper/values.ts";
import type { RunContext } from "../context.ts";
import { partSpec } from "../part/part-spec.ts";

export const recordBlobs = ({ workspace, id }: RunContext): Blobs => runBlobs(workspace, id).in("trust");

/**
 * Before the first agent works, records the deciding files of later loops and the files that commands before them run:
 * a change by an agent counts as a change during that later loop. Commands before the first agent are trusted, so the
 * record includes their changes.
 */
export async function recordRunProtection(context: RunContext, at: number): Promise<void> {
  const { ledger, started } = context;
  const later = decidedAfter(context, at);
  if (ledger.state.records || started.workflow.parts[at]?.kind === "bash" || later.length === 0) return;
  const records: Record<number, string> = {};
  for (const part of later) {
    const digest = await keep(context, await lookAtPart(context, part), null);
    if (digest !== null) records[part] = digest;
  }
  await ledger.write({ type: "run.protected", records });
}

/** The loops after a part, and the commands before the last of them. */
export function decidedAfter({ started }: RunContext, at: number): number[] {
  const { parts } = started.workflow;
  const last = parts.findLastIndex(({ kind }) => kind === "loop");
  return parts.flatMap(({ kind }, i) => (i > at && i <= last && (kind === "loop" || kind === "bash") ? [i] : []));
}

/** Writes a record and returns its digest; null if it is empty. */
export async function keep(
  context: RunContext,
  record: ProtectedRecord,
  earlier: Blobs | null,
): Promise<string | null> {
  if (isEmpty(record)) return null;
  const { cwd: root } = context.started;
  return (await writeRecord(recordBlobs(context), { root, record, earlier }))[RECORD] ?? null;
}

/** The record of a part from before the first agent worked; null if no agent works before it, or if it was empty. */
export function runRecordRef(
  context: RunContext,
  part: number,
  records = context.ledger.state.records,
): RecordRef | null {
  const digest = records?.[part];
  return digest === undefined ? null : { blobs: recordBlobs(context), fingerprints: { [RECORD]: digest } };
}

const NOTHING: ProtectedRecord = { protect: [], files: {}, values: {}, git: null, tests: null };

export const readRunRecord = async (context: RunContext, ref: RecordRef | null): Promise<KeptRecord> =>
  ref ? loadRecord(ref) : { record: NOTHING, kept: recordBlobs(context) };

/** The current state of the files that decide a loop or that a command runs. Includes everything in `known`. */
export async function lookAtPart(
  { id, ledger, started }: RunContext,
  at: number,
  known?: ProtectedRecord,
): Promise<ProtectedRecord> {
  const part = started.workflow.parts[at];
  if (part?.kind === "bash") return withKnown(started.cwd, await lookAtCommand(started.cwd, part.command), known);
  if (part?.kind !== "loop") throw new Error(`part ${at} of the workflow is neither a loop nor a command`);
  const spec = await partSpec({ id, started, state: ledger.state, together: false }, part);
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
