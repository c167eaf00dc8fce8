import { existsSync } from "node:fs";
import type { Blobs } from "../../core/blobs.ts";
import { isOfThisMachine, RECORD } from "../../core/fingerprints.ts";
import type { Tamper } from "../../core/loop/events.ts";
import type { Fingerprints, LoopSpec } from "../../core/loop/spec.ts";
import type { Obsolete } from "../test-files/obsolete.ts";
import { stampsOf, tamperSince } from "./changes.ts";
import { gitNow } from "./protection.ts";
import { readRecord } from "./record.ts";

interface Guarded {
  spec: LoopSpec;
  fingerprints: Fingerprints;
  blobs: Blobs;
  /** Tests that may be gone; without them, names decide. */
  obsolete?: Obsolete | undefined;
}

/** The maximum number of changes in a verdict, because the journal keeps them. */
const MOST_TOLD = 25;
const GONE: Tamper = { path: ".", change: "the whole folder was deleted" };
const LOST: Tamper = { path: RECORD, change: "deleted or changed, so what else changed is unknown" };

/** What has changed since the loop started, up to a limit. */
export const tamperedWith = async (guarded: Guarded): Promise<Tamper[]> => bounded(await allChanges(guarded));

async function allChanges({ spec, fingerprints, blobs, obsolete }: Guarded): Promise<Tamper[]> {
  if (Object.keys(fingerprints).length === 0) return [];
  if (!existsSync(spec.cwd)) return [GONE];
  const known = await readRecord(blobs, fingerprints);
  if (!known) return [LOST];
  const { git } = known.record;
  return tamperSince(known, spec.cwd, { git: git ? await gitNow(spec.cwd, git.hooks) : null, obsolete });
}

/** What differs in another checkout of the same folder, without values that belong to this machine. */
export async function tamperedIn(
  root: string,
  { fingerprints, blobs, obsolete }: Omit<Guarded, "spec">,
): Promise<Tamper[]> {
  const known = await readRecord(blobs, fingerprints);
  const changed = known ? await tamperSince(known, root, { git: null, obsolete }) : [];
  return changed.filter(({ path }) => !isOfThisMachine(path));
}

/** Looks before and after the checks, so that a script that was replaced during the checks is noticed. */
export async function watchTampering(
  guarded: Guarded,
): Promise<{ before: readonly Tamper[]; end(): Promise<Tamper[]> }> {
  const stamps = await stampsNow(guarded);
  const before = await allChanges(guarded);
  return {
    before,
    async end() {
      const after = await allChanges(guarded);
      const known = new Set(after.map(({ path }) => path));
      const undone = before.filter(({ path }) => !known.has(path));
      for (const { path } of undone) known.add(path);
      const touched = exchanged(stamps, await stampsNow(guarded)).filter((path) => !known.has(path));
      const between = touched.map((path) => ({ path, change: "replaced while the checks ran" }));
      return bounded([...after, ...undone, ...between]);
    },
  };
}

/** The same for another checkout whose files are correct at first: the checked work can change them. */
export async function watchRoom(root: string, guarded: Omit<Guarded, "spec">): Promise<{ end(): Promise<Tamper[]> }> {
  const place = { ...guarded, spec: { cwd: root } };
  const stamps = await stampsNow(place);
  const before = new Set((await tamperedIn(root, guarded)).map(({ path }) => path));
  return {
    async end() {
      const after = (await tamperedIn(root, guarded)).filter(({ path }) => !before.has(path));
      const paths = new Set([...after.map(({ path }) => path), ...exchanged(stamps, await stampsNow(place))]);
      return bounded([...paths].map((path) => ({ path, change: "replaced while the checks ran, in the clean room" })));
    },
  };
}

type Placed = Omit<Guarded, "spec"> & { spec: Pick<LoopSpec, "cwd"> };

async function stampsNow({ spec, fingerprints, blobs }: Placed): Promise<Map<string, string>> {
  const known = await readRecord(blobs, fingerprints);
  return known ? stampsOf(known.record, spec.cwd) : new Map();
}

const exchanged = (before: Map<string, string>, after: Map<string, string>): string[] =>
  [...before].filter(([path, stamp]) => after.get(path) !== stamp).map(([path]) => path);

/** The first changes, and how many more there are. */
export function bounded(tampered: readonly Tamper[]): Tamper[] {
  if (tampered.length <= MOST_TOLD) return [...tampered];
  const more = tampered.length - MOST_TOLD;
  return [...tampered.slice(0, MOST_TOLD), { path: `${more} more`, change: "changed too" }];
}
