import { createReadStream } from "node:fs";
import { resolve } from "node:path";
import type { Readable } from "node:stream";
import { codeOf, RalphError } from "../../core/errors.ts";
import { standardInput } from "./environment.ts";

/** Far more than anyone writes by hand, far less than fits in memory. */
const MOST_BYTES = 64 * 1024 * 1024;

export const STDIN = "-";

interface WantedText {
  /** Relative to `cwd`; `-` is standard input. */
  file: string;
  cwd: string;
  /** A noun for the file, used in messages. */
  what: string;
  hint: string;
}

/** Reads a UTF-8 text file that the user specified. Throws a RalphError otherwise. */
export async function readText({ file, cwd, what, hint }: WantedText): Promise<string> {
  const refuse = (code: string, message: string, cause?: unknown) => new RalphError(code, message, { hint, cause });
  try {
    const bytes = await bounded(file === STDIN ? standardInput() : createReadStream(resolve(cwd, file)));
    if (!bytes) throw refuse("file-large", `${file}: larger than ${MOST_BYTES / 1024 / 1024} MB`);
    if (bytes.includes(0)) throw refuse("file-binary", `${file} contains NUL bytes, so it is not a text file`);
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    if (cause instanceof RalphError) throw cause;
    const code = codeOf(cause);
    if (code === "ENOENT") throw refuse("file-missing", `there is no ${what} ${file}`, cause);
    if (code === "EISDIR") throw refuse("file-unreadable", `the ${what} ${file} is a folder`, cause);
    if (code === "ERR_ENCODING_INVALID_ENCODED_DATA") throw refuse("file-encoding", `${file} is not UTF-8`, cause);
    throw refuse("file-unreadable", `cannot read the ${what} ${file}: ${String(cause)}`, cause);
  }
}

/** Everything in a stream, or null if it is too large. */
async function bounded(stream: Readable): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    if (size > MOST_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
