import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync, type Stats, statSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Fingerprints } from "../core/loop/spec.ts";

/*
 * What is fingerprinted is a file, a folder with everything in it, or one value of a JSON file, written
 * `package.json#scripts.test`. A path is kept as it was given.
 */

/** Digests of what decides completion, as it is now. */
export const takeFingerprints = (cwd: string, paths: Iterable<string>): Fingerprints =>
  Object.fromEntries([...new Set(paths)].sort().map((path) => [path, digestOf(cwd, path)]));

/** Which of them are no longer what they were. */
export const changedSince = (cwd: string, before: Fingerprints): string[] =>
  Object.keys(before).filter((path) => digestOf(cwd, path) !== before[path]);

function digestOf(cwd: string, path: string): string {
  const [file = "", ...keys] = path.split(/#|(?<=#.*)\./);
  try {
    return keys.length > 0 ? valueDigest(resolve(cwd, file), keys) : fileDigest(resolve(cwd, path));
  } catch (error) {
    // Gone and unreadable are two things: the agent can bring about either.
    return error instanceof Error && "code" in error ? String(error.code) : "unreadable";
  }
}

/** The kind of file counts too: a link to an equal file is a change, and a pipe is never read. */
function fileDigest(path: string): string {
  const kind = lstatSync(path);
  if (kind.isSymbolicLink()) return `link ${readlinkSync(path)} ${contentDigest(path, statSync(path))}`;
  return contentDigest(path, kind);
}

function contentDigest(path: string, kind: Stats): string {
  if (kind.isFile()) return sha256(readFileSync(path));
  if (!kind.isDirectory()) return "special file";
  const names = readdirSync(path).sort();
  return `folder ${sha256(JSON.stringify(names.map((name) => [name, fileDigest(join(path, name))])))}`;
}

function valueDigest(file: string, keys: readonly string[]): string {
  if (!statSync(file).isFile()) return "special file";
  let value: unknown = JSON.parse(readFileSync(file, "utf8"));
  for (const key of keys) value = typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
  return sha256(JSON.stringify(value) ?? "undefined");
}

const sha256 = (content: string | Buffer): string => createHash("sha256").update(content).digest("hex");
