import { createReadStream, existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { openReader, type Reader } from "../agents/reader.ts";
import { presets } from "../core/claim/policy.ts";
import { watchClaims } from "../core/claim/watch.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import { adapterFor } from "./agent.ts";
import type { Workspace } from "./workspace.ts";

export interface AttemptLog {
  n: number;
  attempt: number;
  path: string;
}

const NAME = /^iteration-(\d+)-(\d+)\.log$/;

/** The logs of a loop's attempts, in order. */
export function attemptLogs({ folder }: Workspace, loop: string): AttemptLog[] {
  const logs = folder.logs(loop);
  if (!existsSync(logs)) return [];
  return readdirSync(logs)
    .map((name) => NAME.exec(name))
    .flatMap((match) => (match ? [{ n: Number(match[1]), attempt: Number(match[2]), path: join(logs, match[0]) }] : []))
    .sort((a, b) => a.n - b.n || a.attempt - b.attempt);
}

/** Reads a growing log from where it was left; what comes out is for people unless `raw`. */
export function logTail(spec: LoopSpec, path: string, raw: boolean): () => AsyncGenerator<Buffer | string> {
  let reader: Reader | null = null;
  let offset = 0;
  return async function* () {
    const { size } = statSync(path);
    if (size <= offset) return;
    if (!raw) reader ??= openReader(await adapterFor(spec.agent), watchClaims(presets.hook("")));
    for await (const chunk of createReadStream(path, { start: offset, end: size - 1 })) {
      yield reader ? reader.add(chunk as Buffer) : (chunk as Buffer);
    }
    offset = size;
  };
}
