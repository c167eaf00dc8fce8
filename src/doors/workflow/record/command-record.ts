import { accepted } from "../../../verify/tamper/accept.ts";
import { tamperSince } from "../../../verify/tamper/changes.ts";
import { commandFiles } from "../../../verify/tamper/command-files.ts";
import { sha256 } from "../../../verify/tamper/file-state.ts";
import { gitNow } from "../../../verify/tamper/protection.ts";
import { lostRunRecord } from "../../../verify/tamper/protection-since.ts";
import type { ProtectedRecord } from "../../../verify/tamper/record.ts";
import type { RunContext } from "../context.ts";
import { decidedAfter, keep, lookAtPart, readRunRecord, recordBlobs, runRecordRef } from "./run-record.ts";

/**
 * Records the deciding files of later parts before a command of the workflow runs, once for all its attempts: changes
 * until its end are the user's, unless the command runs files that agents of the run may have written.
 */
export async function watchCommand(context: RunContext, at: number): Promise<void> {
  const { ledger, started } = context;
  const { state } = ledger;
  const part = started.workflow.parts[at];
  const later = decidedAfter(context, at);
  if (part?.kind !== "bash" || !state.records || state.watched?.part === at || later.length === 0) return;
  const looks: Record<number, ProtectedRecord> = {};
  for (const one of later)
    looks[one] = await lookAtPart(context, one, (await readRunRecord(context, runRecordRef(context, one))).record);
  const text = JSON.stringify(looks);
  const before = sha256(text);
  await recordBlobs(context).put(lookName(before), text);
  await ledger.write({
    type: "command.watched",
    part: at,
    before,
    foreign: await foreignIn(context, at, part.command),
  });
}

const lookName = (digest: string): string => `before-${digest.slice(0, 16)}.json`;

const MOST_NAMED = 5;

/** The files a command runs that have changed since before the first agent worked. */
async function foreignIn(context: RunContext, at: number, command: string): Promise<string[]> {
  const { cwd } = context.started;
  const trusted = await readRunRecord(context, runRecordRef(context, at));
  const known = trusted.record;
  const changed = await tamperSince(trusted, cwd, { git: known.git && (await gitNow(cwd, known.git.hooks)) });
  const now = presentIn(await lookAtPart(context, at));
  const added = now.filter((key) => !Object.hasOwn(known.files, key) && !Object.hasOwn(known.values, key));
  const names = [...changed.map(({ path }) => path), ...added, ...commandFiles(command, cwd).runners];
  return [...new Set(names)].slice(0, MOST_NAMED);
}

const presentIn = ({ files, values }: ProtectedRecord): string[] => [
  ...Object.keys(files).filter((path) => files[path]?.is !== "absent"),
  ...Object.keys(values).filter((key) => values[key] !== null),
];

/**
 * Trusts the changes of a command, unless it ran files that agents may have written. All attempts are compared with the
 * state before the first one.
 */
export async function acceptCommand(context: RunContext, at: number): Promise<void> {
  const { ledger, started, view } = context;
  const { watched, records } = ledger.state;
  if (!records || watched?.part !== at) return;
  const looks = await readLooks(context, watched.before);
  const changed: Record<number, string> = {};
  for (const part of decidedAfter(context, at)) {
    const { record: known, kept } = await readRunRecord(context, runRecordRef(context, part, watched.records));
    const before = looks[part];
    if (!before) throw lostRunRecord();
    const next = accepted(known, { before, after: await lookAtPart(context, part, known) });
    const digest = await keep(context, next, kept);
    if (digest !== null && digest !== records[part]) changed[part] = digest;
  }
  if (Object.keys(changed).length === 0) return;
  if (watched.foreign.length === 0) await ledger.write({ type: "command.accepted", part: at, records: changed });
  else view.say?.(notAccepted(started.workflow.parts[at]?.name ?? "", watched.foreign));
}

const notAccepted = (name: string, foreign: readonly string[]): string =>
  `"${name}" changed files that decide a later loop, and runs files that an agent may have written (${foreign.join(", ")}): its changes count as the agent's`;

/** Written by Ralph: its digest is in the run's journal. */
async function readLooks(context: RunContext, digest: string): Promise<Record<number, ProtectedRecord>> {
  const text = (await recordBlobs(context).get(lookName(digest)))?.toString("utf8");
  if (text === undefined || sha256(text) !== digest) throw lostRunRecord();
  return JSON.parse(text) as Record<number, ProtectedRecord>;
}
