import { join } from "node:path";
import { RECORD } from "../../core/fingerprints.ts";
import { protect } from "../protection.ts";
import type { Trust } from "../trust.ts";
import type { RunContext } from "./context.ts";
import { partSpec } from "./part-spec.ts";

const folderOf = ({ workspace, id }: RunContext): string => join(workspace.folder.run(id), "trust");

/**
 * Takes down what decides the loops that come later, before the first agent works: nobody who works before a loop may
 * prepare what it is measured by. Commands of the workflow that come before all agents are the user's own, and may.
 */
export async function takeRunTrust(context: RunContext, at: number): Promise<void> {
  const { id, ledger } = context;
  const { started, state } = ledger;
  const { parts } = started.workflow;
  const later = parts.flatMap((part, i) => (part.kind === "loop" && i > at ? [{ part, i }] : []));
  if (state.records || parts[at]?.kind === "bash" || later.length === 0) return;
  const records: Record<number, string> = {};
  for (const { part, i } of later) {
    const spec = await partSpec({ id, started, state, together: false }, part);
    const { [RECORD]: digest } = await protect(folderOf(context), spec, started.protect ?? []);
    if (digest !== undefined) records[i] = digest;
  }
  await ledger.note({ type: "run.protected", records });
}

/** What was taken down for the loop of a part before any agent had worked; null: nobody works before it. */
export function trustOf(context: RunContext, part: number): Trust | null {
  const digest = context.ledger.state.records?.[part];
  return digest === undefined ? null : { folder: folderOf(context), fingerprints: { [RECORD]: digest } };
}
