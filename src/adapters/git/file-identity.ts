import { createHash } from "node:crypto";
import { closeSync, openSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { entryAt } from "../io/look.ts";
import { runProgram } from "../io/program.ts";
import { git, NO_PROMPTS } from "./repository.ts";

/** Larger files are identified by their size and time. */
const MOST_READ_BYTES = 16 << 20;

/** The identity of a path without a file. */
export const GONE = "gone";

/** The path of a file of a checkout, whose name need not be valid UTF-8. */
const fileAt = (root: string, bytes: string): Buffer =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(bytes, "latin1")]);

/** Identifies the kind and content of a path, in a text without spaces. Of a nested repository: its commit. */
export async function identityOf(root: string, bytes: string): Promise<string> {
  const path = fileAt(root, bytes);
  const stats = entryAt(path);
  if (!stats) return GONE;
  if (stats.isDirectory()) return `folder:${(await git(path.toString(), "rev-parse", "HEAD")).stdout.trim()}`;
  if (!stats.isFile() && !stats.isSymbolicLink()) return "special";
  try {
    if (stats.isSymbolicLink()) return `link:${digestOf(readlinkSync(path, "buffer"))}`;
    const kind = (stats.mode & 0o100) === 0 ? "file" : "executable";
    if (stats.size <= MOST_READ_BYTES) return `${kind}:${digestOf(readFileSync(path))}`;
  } catch {
    // Unreadable: its size and time are enough.
  }
  return `stamp:${stats.size}:${stats.mtimeMs}`;
}

/** The part of an identity that is the content: a file may become executable. */
export const contentOf = (identity: string): string => identity.replace(/^(?:file|executable):/, "");

export const digestOf = (content: Buffer): string => createHash("sha256").update(content).digest("hex");

/** Whether the last commit has the identified content at that path, as git would check it out. */
export async function isCommitted(root: string, path: string, identity: string): Promise<boolean> {
  const [kind = "", expected] = identity.split(":");
  if (kind !== "file" && kind !== "executable") return false;
  const hash = createHash("sha256");
  const take = (chunk: Buffer) => void hash.update(chunk);
  const args = ["cat-file", "--filters", `HEAD:${path}`];
  const { code } = await runProgram({ file: "git", args, cwd: root, env: NO_PROMPTS, take });
  return code === 0 && hash.digest("hex") === expected;
}

/** The beginning of a file as text; empty if it cannot be read. */
export function textStart(root: string, bytes: string, length: number): string {
  const path = fileAt(root, bytes);
  if (!entryAt(path)?.isFile()) return "";
  try {
    const file = openSync(path, "r");
    const start = Buffer.alloc(length);
    const size = readSync(file, start);
    closeSync(file);
    return start.subarray(0, size).toString("utf8");
  } catch {
    return "";
  }
}

/** What is at a path now. */
export function kindAt(root: string, bytes: string): "gone" | "folder" | "other" {
  const stats = entryAt(fileAt(root, bytes));
  return stats ? (stats.isDirectory() ? "folder" : "other") : GONE;
}
