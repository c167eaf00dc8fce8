import { once } from "node:events";
import type { AgentEvent } from "../../../core/agent.ts";

const CHUNK_BYTES = 65_536;

/** Writes to standard output with backpressure. */
export async function writeOutput(output: string | Uint8Array): Promise<void> {
  if (!process.stdout.write(output)) await once(process.stdout, "drain");
}

export const emit = (event: AgentEvent): Promise<void> => writeOutput(`${JSON.stringify(event)}\n`);

/** Prints `text` repeatedly until `bytes` bytes are written, in bounded memory. */
export async function flood(text: string, bytes: number): Promise<void> {
  const unit = Buffer.from(text);
  if (unit.length === 0) return;
  const chunk = Buffer.alloc(unit.length * Math.ceil(CHUNK_BYTES / unit.length), unit);
  for (let left = bytes; left > 0; left -= chunk.length) {
    await writeOutput(left < chunk.length ? chunk.subarray(0, left) : chunk);
  }
}

export function note(text: string): void {
  process.stderr.write(text.endsWith("\n") ? text : `${text}\n`);
}
