import { randomBytes } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../adapters/io/folder.ts";
import { isBelow } from "../../adapters/io/inside.ts";
import { namesIn } from "../../adapters/io/look.ts";
import { tellComplaints } from "../../core/complaints.ts";
import { messageOf, RalphError } from "../../core/errors.ts";
import { fieldOf } from "../../core/field.ts";
import { parseJson } from "../../core/json-text.ts";
import { RECEIPTS_FOLDER } from "../../core/ralph-files.ts";
import { EARLIER_VERSION, RECEIPT_TYPE, RECEIPT_VERSION } from "../../core/receipt/format.ts";
import type { Receipt } from "../../core/schema/receipt.ts";

export const receiptPath = (cwd: string, loop: string): string => join(cwd, RECEIPTS_FOLDER, `${loop}.json`);

/** Writes a complete receipt, or throws and leaves an existing one unchanged. Returns its path. */
export function writeReceipt(cwd: string, receipt: Receipt): string {
  const path = receiptPath(cwd, receipt.loop);
  const folder = join(cwd, RECEIPTS_FOLDER);
  makeFolder(folder);
  // An agent could replace the folder with a symlink; nothing may be written elsewhere.
  if (!isBelow(realpathSync(folder), realpathSync(cwd))) {
    throw new RalphError("receipt-outside", `${RECEIPTS_FOLDER} leads out of the loop's folder`);
  }
  const draft = `${path}.${randomBytes(4).toString("hex")}`;
  try {
    const file = openSync(draft, "wx", 0o644);
    try {
      writeFileSync(file, `${JSON.stringify(receipt, null, 2)}\n`);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } finally {
    rmSync(draft, { force: true });
  }
  return path;
}

export function receiptsIn(cwd: string): string[] {
  const folder = join(cwd, RECEIPTS_FOLDER);
  const names = namesIn(folder).filter((name) => name.endsWith(".json"));
  return names.map((name) => join(folder, name));
}

/** A receipt read from a file: its parsed content, and all its keys, known or not. */
export interface FoundReceipt {
  file: string;
  receipt: Receipt;
  /** The object that the digest covers. */
  raw: object;
}

/** Much larger than any receipt. */
const MOST_BYTES = 16 << 20;

const MALFORMED = {
  code: "receipt-malformed",
  hint: "a receipt is a JSON file: restore it from git, or run `ralph receipt show <loop>` where its journal is",
};

/** Reads a receipt from any source. Throws a RalphError that says what is wrong with it, and where. */
export async function readReceipt(path: string, file: string): Promise<FoundReceipt> {
  const source = textOf(path, file);
  const raw = await parseJson(source, { file, ...MALFORMED });
  const { earlierReceipt, receiptSchema } = await import("../../core/schema/receipt.ts");
  const isEarlier = versionOf(raw) === EARLIER_VERSION;
  const read = (isEarlier ? earlierReceipt : receiptSchema).safeParse(raw);
  if (read.success && typeof raw === "object" && raw !== null) return { file, receipt: read.data, raw };
  if (!isReceipt(raw)) throw notAReceipt(file, `it has no "type": "${RECEIPT_TYPE}"`);
  if (!isEarlier && versionOf(raw) !== RECEIPT_VERSION) throw otherVersion(file, versionOf(raw));
  const [{ faultsOf }, { locate }] = await Promise.all([
    import("../../core/schema/faults.ts"),
    import("../../core/schema/json-places.ts"),
  ]);
  throw new RalphError(
    "receipt-invalid",
    tellComplaints(file, locate(source, read.error ? faultsOf(read.error) : [])),
    {
      hint: "receipts must not be edited: restore it from git, or run `ralph receipt show <loop>` where its journal is",
    },
  );
}

const isReceipt = (raw: unknown): boolean => fieldOf(raw, "type") === RECEIPT_TYPE;

const versionOf = (raw: unknown): unknown => fieldOf(raw, "schemaVersion");

const otherVersion = (file: string, version: unknown): RalphError =>
  new RalphError(
    "receipt-version",
    `${file} is a receipt of version ${JSON.stringify(version) ?? "none"}, but this Ralph reads versions ${EARLIER_VERSION} and ${RECEIPT_VERSION}`,
    { hint: "use the version of ralph-engine that its `tool` names" },
  );

const notAReceipt = (file: string, why: string): RalphError =>
  new RalphError("receipt-not", `${file} is not a receipt: ${why}`, {
    hint: `receipts are written to ${RECEIPTS_FOLDER}/<loop>.json when a loop is completed`,
  });

function textOf(path: string, file: string): string {
  try {
    const kind = statSync(path);
    if (!kind.isFile()) throw notAReceipt(file, "it is not a file");
    if (kind.size > MOST_BYTES) throw notAReceipt(file, "it is too large");
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (cause instanceof RalphError) throw cause;
    const why = messageOf(cause);
    throw new RalphError("receipt-unreadable", `${file}: ${why}`, {
      hint: "it must be a file that you can read",
      cause,
    });
  }
}
