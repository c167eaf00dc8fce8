import { StringDecoder } from "node:string_decoder";
import { setTimeout as pause } from "node:timers/promises";
import { type AttemptOutput, outputTail, pieceOf, watchOutputs } from "../../adapters/agents/output.ts";
import type { TextFilter } from "../../core/ansi.ts";
import type { Blobs } from "../../core/blobs.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import { secretFilter } from "../../core/secrets/filter.ts";
import type { Workspace } from "../../core/workspace.ts";
import { withHolder } from "../../engine/named.ts";
import { Refusal } from "./refusal.ts";

const LOOK_MS = 200;

/** Every attempt of a loop with its output; the end of the last one is known from the second call on. */
async function outputsOf(workspace: Workspace, loop: string): Promise<readonly AttemptOutput[]> {
  const look = watchOutputs(workspace, loop);
  await look();
  return look();
}

const sizeOf = ({ from, to }: AttemptOutput): number => to - from;

export async function loopAttempts(workspace: Workspace, loop: string) {
  const outputs = await outputsOf(workspace, loop);
  return outputs.map((output) => ({ iteration: output.n, attempt: output.attempt, bytes: sizeOf(output) }));
}

interface Which {
  iteration: number;
  attempt: number;
}

/** A page of an attempt's output. A character that would be cut in two is left for the next page. */
export async function attemptPage(
  workspace: Workspace,
  loop: string,
  which: Which,
  page: { after: number; limit: number },
) {
  const outputs = await outputsOf(workspace, loop);
  const output = outputs.find(({ n, attempt }) => n === which.iteration && attempt === which.attempt);
  if (!output) throw noSuchAttempt(loop, which);
  const bytes = sizeOf(output);
  const wanted = Math.max(0, Math.min(page.limit, bytes - page.after));
  const read = await bytesOf(workspace.blobs, output, { from: page.after, length: wanted });
  const isLast = page.after + read.length >= bytes;
  const decoder = new StringDecoder("utf8");
  const whole = decoder.write(read);
  // Bytes that are not text must not stop the reader forever.
  const text = isLast || whole === "" ? whole + decoder.end() : whole;
  const taken = isLast || whole === "" ? read.length : Buffer.byteLength(whole) || read.length;
  return {
    iteration: output.n,
    attempt: output.attempt,
    bytes,
    text,
    next: isLast ? null : page.after + Math.min(taken, read.length),
  };
}

async function bytesOf(blobs: Blobs, output: AttemptOutput, page: { from: number; length: number }): Promise<Buffer> {
  // A log that was created is opened even to read nothing of it, so that one with something in its place is refused.
  if (page.length === 0 && output.file === undefined) return Buffer.alloc(0);
  const from = output.from + page.from;
  const chunks: Buffer[] = [];
  const piece = pieceOf(output, from, from + page.length);
  for await (const chunk of blobs.read(piece)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

const noSuchAttempt = (loop: string, { iteration, attempt }: Which): Refusal =>
  new Refusal(
    404,
    "attempt-unknown",
    `loop ${loop} has no attempt ${attempt} at iteration ${iteration}`,
    `GET /api/loops/${loop}/attempts lists them`,
  );

interface LinesWanted {
  iteration?: number | undefined;
  raw?: boolean | undefined;
  follow?: boolean | undefined;
  /** Without secrets, which are looked for before the text is cut into pieces. */
  masked?: boolean | undefined;
}

/** The new output of an attempt since the last call, as JSON Lines; at its end, also what was held back. */
function tailOf(
  { blobs }: Workspace,
  spec: LoopSpec,
  { raw = false, masked = false, quit }: LinesWanted & { quit: AbortSignal },
) {
  const read = outputTail(blobs, spec, { raw, quit });
  const decoder = new StringDecoder("utf8");
  const { pass, flush } = masked ? secretFilter() : UNCHANGED;
  return async function* (output: AttemptOutput, isEnd: boolean): AsyncGenerator<string> {
    for await (const piece of read(output)) {
      yield* outputLine(output, pass(typeof piece === "string" ? piece : decoder.write(piece)));
    }
    if (isEnd) yield* outputLine(output, flush());
  };
}

const UNCHANGED: TextFilter = { pass: (text) => text, flush: () => "" };

const outputLine = ({ n, attempt }: AttemptOutput, text: string): string[] =>
  text === "" ? [] : [`${JSON.stringify({ iteration: n, attempt, text })}\n`];

/** The output of a loop's agents as JSON Lines; with `follow`, until no process drives the loop. */
export async function* outputLines(
  workspace: Workspace,
  loop: string,
  wanted: LinesWanted,
  quit: AbortSignal,
): AsyncGenerator<string> {
  const { iteration, follow = false } = wanted;
  const { spec } = (await workspace.store.glance(loop)).state;
  if (!spec) return;
  const look = watchOutputs(workspace, loop);
  const tails = new Map<AttemptOutput, ReturnType<typeof tailOf>>();
  const linesOf = async function* (outputs: readonly AttemptOutput[], isEnd: boolean) {
    for (const output of outputs.filter(({ n }) => iteration === undefined || n === iteration)) {
      if (quit.aborted) return;
      const tail = tails.get(output) ?? tailOf(workspace, spec, { ...wanted, quit });
      tails.set(output, tail);
      yield* tail(output, isEnd || output !== outputs.at(-1));
    }
  };
  await look();
  yield* linesOf(await look(), !follow);
  for (let isHeld = follow; isHeld && !quit.aborted; ) {
    await pause(LOOK_MS, undefined, { signal: quit }).catch(() => undefined);
    isHeld = (await withHolder(workspace, await workspace.store.find(loop))).held;
    // The end of the last output is known from the second call on.
    if (!isHeld) await look();
    yield* linesOf(await look(), !isHeld);
  }
}
