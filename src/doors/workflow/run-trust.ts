import { join } from "node:path";
import { RECORD } from "../../core/fingerprints.ts";
import { isEmpty } from "../../verify/tamper/protection.ts";
import { trustedRecord } from "../../verify/tamper/protection-since.ts";
import { type ProtectedRecord, writeRecord } from "../../verify/tamper/record.ts";
import type { Trust } from "../../verify/tamper/trust.ts";
import type { RunContext } from "./context.ts";
import { lookAtPart } from "./part-look.ts";

/** Where the records of a run are kept, in the state folder. */
export const trustFolder = ({ workspace, id }: RunContext): string => join(workspace.folder.run(id), "trust");

/**
 * Records what decides the loops that come later, and what the commands before them run, before the first agent works:
 * what an agent plants for a later loop counts as that loop's own work. Commands of the workflow that come before all
 * agents are the user's own, and what they leave is what is recorded.
 */
export async function takeRunTrust(context: RunContext, at: number): Promise<void> {
  const { ledger } = context;
  const { started, state } = ledger;
  const later = decidedAfter(context, at);
  if (state.records || started.workflow.parts[at]?.kind === "bash" || later.length === 0) return;
  const records: Record<number, string> = {};
  for (const part of later) {
    const digest = keep(context, await lookAtPart(context, part), null);
    if (digest !== null) records[part] = digest;
  }
  await ledger.write({ type: "run.protected", records });
}

/** The loops after a part, and the commands before the last of them. */
export function decidedAfter({ ledger }: RunContext, at: number): number[] {
  const { parts } = ledger.started.workflow;
  const last = parts.findLastIndex(({ kind }) => kind === "loop");
  return parts.flatMap(({ kind }, i) => (i > at && i <= last && (kind === "loop" || kind === "bash") ? [i] : []));
}

/** Writes a record down and returns its digest; null where there is nothing that decides. */
export function keep(context: RunContext, record: ProtectedRecord, earlier: string | null): string | null {
  if (isEmpty(record)) return null;
  return writeRecord(trustFolder(context), context.ledger.started.cwd, record, earlier)[RECORD] ?? null;
}

/** What was recorded for a part before any agent had worked; null: no agent works before it, or nothing decides it. */
export function trustOf(context: RunContext, part: number, records = context.ledger.state.records): Trust | null {
  const digest = records?.[part];
  return digest === undefined ? null : { folder: trustFolder(context), fingerprints: { [RECORD]: digest } };
}

const NOTHING: ProtectedRecord = { protect: [], files: {}, values: {}, git: null, tests: null };

/** The same, read. */
export const readTrust = (trust: Trust | null): ProtectedRecord => (trust ? trustedRecord(trust) : NOTHING);
