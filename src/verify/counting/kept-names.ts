import type { Blobs } from "../../core/blobs.ts";
import { hasTests } from "../../core/counting/difference.ts";
import { NO_NAMES, type TestNames } from "../../core/counting/tally.ts";
import { sha256 } from "../tamper/file-state.ts";

const blobName = (digest: string): string => `tests/${digest.slice(0, 16)}.json`;

/** Keeps names beside the journal, which contains only their digest. Undefined if there are none. */
export async function keepNames(blobs: Blobs, names: TestNames): Promise<string | undefined> {
  if (!hasTests(names) && Object.keys(names.files).length === 0 && !names.failed) return undefined;
  const text = JSON.stringify(names);
  const digest = sha256(text);
  await blobs.put(blobName(digest), text);
  return digest;
}

/** The names with this digest. None if the blob is gone or changed: then only totals are compared. */
export async function namesOf(blobs: Blobs, digest: string | undefined): Promise<TestNames> {
  const text = digest === undefined ? undefined : (await blobs.get(blobName(digest)))?.toString("utf8");
  // The journal has its digest, so only Ralph can have written it.
  return text !== undefined && sha256(text) === digest ? (JSON.parse(text) as TestNames) : NO_NAMES;
}
