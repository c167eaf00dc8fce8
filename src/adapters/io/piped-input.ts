import { fstatSync } from "node:fs";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { standardInput } from "./environment.ts";
import { pause } from "./timer.ts";

/** How long a socket may be silent before it counts as inherited and unused. */
const SILENCE_MS = 3_000;
/** After which a notice says what is waited for. */
const NOTICE_MS = 1_000;

/**
 * Whether text is passed on standard input. A file or pipe counts; a terminal or `/dev/null` does not. Programs that
 * start others often leave them a socket without a writer, so a socket counts only once something arrives.
 */
export async function hasPipedInput(): Promise<boolean> {
  const stdin = standardInput() as Readable & { fd?: number; isTTY?: boolean };
  if (stdin.isTTY) return false;
  const kind = stdin.fd === undefined ? null : kindOf(stdin.fd);
  if (kind === "none") return false;
  if (kind === "pipe") return true;
  const isReady = await arrives(stdin, SILENCE_MS);
  if (!isReady && stdin instanceof Socket) stdin.unref();
  return isReady;
}

function kindOf(fd: number): "pipe" | "socket" | "none" {
  try {
    const file = fstatSync(fd);
    if (file.isFIFO() || file.isFile()) return "pipe";
    return file.isSocket() ? "socket" : "none";
  } catch {
    // Standard input is closed.
    return "none";
  }
}

/** Waits until standard input can be read, and calls `notice` if that takes long. */
export async function awaitInput(notice: () => void): Promise<void> {
  if (!(await arrives(standardInput(), NOTICE_MS))) notice();
}

/** Whether data, or the end of it, arrives in time. */
async function arrives(stdin: Readable, ms: number): Promise<boolean> {
  let isReady = stdin.readableLength > 0 || stdin.readableEnded;
  if (isReady) return true;
  const waiting = new AbortController();
  const onReady = () => {
    isReady = true;
    waiting.abort();
  };
  const events = ["readable", "end", "error"];
  for (const event of events) stdin.once(event, onReady);
  await pause(ms, waiting.signal);
  for (const event of events) stdin.off(event, onReady);
  return isReady;
}
