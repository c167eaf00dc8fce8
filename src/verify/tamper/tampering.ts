import { existsSync } from "node:fs";
import { join } from "node:path";
import { entryAt } from "../../adapters/io/look.ts";
import type { Blobs } from "../../core/blobs.ts";
import { isOfThisMachine, RECORD } from "../../core/fingerprints.ts";
import type { Tamper } from "../../core/loop/events.ts";
import type { Fingerprints, LoopSpec } from "../../core/loop/spec.ts";
import type { Obsolete } from "../test-files/obsolete.ts";
import { tamperSince } from "./changes.ts";
import { gitNow } from "./protection.ts";
import { readRecord } from "./record.ts";

interface Guarded {
  spec: Pick<LoopSpec, "cwd">;
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
export async function watchTampering(guarded: Guarded) {
  const { before, end } = await watch(guarded, () => allChanges(guarded));
  return {
    before,
    async end(): Promise<Tamper[]> {
      const { after, undone, touched } = await end();
      const known = new Set([...after, ...undone].map(({ path }) => path));
      const between = touched.filter((path) => !known.has(path));
      return bounded([
        ...after,
        ...undone,
        ...between.map((path) => ({ path, change: "replaced while the checks ran" })),
      ]);
    },
  };
}

/** The same for another checkout whose files are correct at first: the checked work can change them. */
export async function watchRoom(cwd: string, guarded: Omit<Guarded, "spec">): Promise<{ end(): Promise<Tamper[]> }> {
  const { before, end } = await watch({ ...guarded, spec: { cwd } }, () => tamperedIn(cwd, guarded));
  const known = new Set(before.map(({ path }) => path));
  return {
    async end() {
      const { after, touched } = await end();
      const paths = new Set([...after.map(({ path }) => path).filter((path) => !known.has(path)), ...touched]);
      return bounded([...paths].map((path) => ({ path, change: "replaced while the checks ran, in the clean room" })));
    },
  };
}

/** `touched`: frozen files that are not the same files as before, whatever they contain. */
async function watch({ spec, fingerprints, blobs }: Guarded, look: () => Promise<Tamper[]>) {
  const record = (await readRecord(blobs, fingerprints))?.record;
  const stamps = () => Object.keys(record?.files ?? {}).map((path) => [path, stampOf(join(spec.cwd, path))] as const);
  const first = new Map(stamps());
  const before = await look();
  return {
    before,
    async end() {
      const after = await look();
      const touched = stamps().flatMap(([path, stamp]) => (first.get(path) === stamp ? [] : [path]));
      const undone = before.filter(({ path }) => !after.some((one) => one.path === path));
      return { after, undone, touched };
    },
  };
}

function stampOf(path: string): string {
  const stats = entryAt(path);
  return stats ? `${stats.ino} ${stats.mtimeMs}` : "";
}

/** The first changes, and how many more there are. */
export function bounded(tampered: readonly Tamper[]): Tamper[] {
  if (tampered.length <= MOST_TOLD) return [...tampered];
  const more = tampered.length - MOST_TOLD;
  return [...tampered.slice(0, MOST_TOLD), { path: `${more} more`, change: "changed too" }];
}
