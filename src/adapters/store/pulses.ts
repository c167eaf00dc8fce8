import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  opendirSync,
  openSync,
  readSync,
  rmSync,
} from "node:fs";
import { join } from "node:path";
import type { Pulse, Pulses } from "../../core/pulse.ts";
import { pulseIn } from "../../core/pulse-row.ts";
import type { Addressee } from "../../core/subject.ts";
import { isId } from "../../core/task/task.ts";
import { entryAt } from "../io/look.ts";
import { replaceFile } from "../io/replace-file.ts";

/** More than an execution with hundreds of slots needs. */
const MOST_BYTES = 1 << 16;
/** What one look reads: any program of the user can write here, and must not delay those who look. */
const MOST_FILES = 2_000;
const MOST_BYTES_IN_ALL = 4 << 20;
/** Files of drivers that were killed. */
const FORGET_MS = 7 * 86_400_000;
/** No clock of a file system is coarser. */
const SURE_MS = 3_000;

const NAME = /^(loop|execution)-(.{1,64})\.json$/;
const DRAFT = /\.json\.\d+\.tmp$/;

type Key = Pick<Addressee, "kind" | "id">;

/**
 * Pulses as one small file per driver: no process waits for another one's write or runs what another one wrote, and
 * losing them loses nothing. The folder is made by the first write.
 */
export function pulsesIn(folder: string): Pulses {
  let isSwept = false;
  let looks = 0;
  const pathOf = ({ kind, id }: Key): string => join(folder, `${kind}-${id}.json`);

  return {
    beat({ kind, id, pulse }, atMs) {
      const content = JSON.stringify({ atMs, pulse });
      if (!isId(id) || Buffer.byteLength(content) > MOST_BYTES) return;
      quietly(() => {
        makePlainFolder(folder);
        replaceFile(pathOf({ kind, id }), content);
        if (!isSwept) sweep(folder);
        isSwept = true;
      });
    },
    end(key) {
      if (isId(key.id) && isPlainFolder(folder)) quietly(() => rmSync(pathOf(key), { force: true }));
    },
    all: async () => (isPlainFolder(folder) ? pulsesOf(folder) : []),
    async revision() {
      const found = quietly(() => lstatSync(folder, { bigint: true }));
      if (!found?.isDirectory()) return "";
      const isSure = Math.abs(Date.now() - Number(found.ctimeMs)) > SURE_MS;
      // Every write renames a file, which changes the folder. Two in one tick of its clock look like one.
      return `${found.ino} ${found.ctimeNs}${isSure ? "" : ` ${++looks}`}`;
    },
  };
}

/** A driver works on without its file, and who looks without one that cannot be read. */
function quietly<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

/** Nothing is written or read through a symlink. */
const isPlainFolder = (path: string): boolean => entryAt(path)?.isDirectory() ?? false;

function makePlainFolder(path: string): void {
  if (isPlainFolder(path)) return;
  rmSync(path, { force: true });
  mkdirSync(path, { mode: 0o700 });
}

/** The names in the folder. Reads no further than to the limit, however many there are. */
function namesIn(folder: string): string[] {
  const names: string[] = [];
  const listing = opendirSync(folder);
  try {
    for (let next = listing.readSync(); next && names.length < MOST_FILES; next = listing.readSync()) {
      names.push(next.name);
    }
  } finally {
    listing.closeSync();
  }
  return names.sort();
}

function sweep(folder: string): void {
  const before = Date.now() - FORGET_MS;
  for (const name of namesIn(folder)) {
    if (!NAME.test(name) && !DRAFT.test(name)) continue;
    const path = join(folder, name);
    quietly(() => lstatSync(path).mtimeMs < before && rmSync(path, { force: true }));
  }
}

function pulsesOf(folder: string): Pulse[] {
  const buffer = Buffer.allocUnsafe(MOST_BYTES + 1);
  const pulses: Pulse[] = [];
  let left = MOST_BYTES_IN_ALL;
  for (const name of quietly(() => namesIn(folder)) ?? []) {
    const [, kind, id] = NAME.exec(name) ?? [];
    if (kind === undefined || id === undefined || left < 0) continue;
    const size = quietly(() => readPlain(join(folder, name), buffer)) ?? 0;
    left -= size;
    const pulse = size > MOST_BYTES ? null : pulseIn({ kind, id, text: buffer.toString("utf8", 0, size) });
    if (pulse) pulses.push(pulse);
  }
  return pulses;
}

/** A pipe must not block. Windows has neither flag. */
const READ = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Reads what fits into the buffer; nothing, unless it is a plain file. */
function readPlain(path: string, buffer: Buffer): number {
  const file = openSync(path, READ);
  try {
    return fstatSync(file).isFile() ? readSync(file, buffer, 0, buffer.length, 0) : 0;
  } finally {
    closeSync(file);
  }
}
