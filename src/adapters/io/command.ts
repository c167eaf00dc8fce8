import { createHash } from "node:crypto";
import { StringDecoder } from "node:string_decoder";
import { stripAnsi } from "../../core/ansi.ts";
import type { BlobWriter } from "../../core/blobs.ts";
import { excerpt } from "../../core/excerpt.ts";
import type { Leftovers } from "../../core/leftovers.ts";
import { textLines } from "../../core/text-lines.ts";
import { textSearch } from "../../core/text-search.ts";
import type { Ended, Stops } from "./ending.ts";
import type { Services } from "./leftovers.ts";
import { runProcess } from "./process.ts";
import type { Watchdog } from "./watchdog.ts";

export interface CommandRequest {
  /** The user's command line, for `sh -c`. */
  command: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
  token: string;
  timeoutMs: number;
  graceMs: number;
  stops: Stops;
  watchdog: Watchdog | null;
  /** Keeps what it leaves running; null: that is ended. By default only its process group is ended. */
  services?: Services | null;
  /** Gets the whole output, and is closed at the end. */
  log: BlobWriter;
  excerptChars: number;
  lookFor?: readonly string[];
  /** Called once for each of the two streams; the returned function receives the text as it arrives. */
  listen?(): (text: string) => void;
  /** The first and last lines that match are returned to the caller. */
  linesLike?: RegExp;
}

export interface CommandRun {
  ended: Ended;
  excerpt: string;
  found: ReadonlySet<string>;
  /** The lines that match `linesLike`, without colours, up to a limit. */
  lines: readonly string[];
  /** The hash of the complete output of both streams, in the order it arrived. */
  sha256: string;
  ms: number;
  /** What it left running. */
  left?: Leftovers;
}

/** Runs the user's shell command. The log gets the complete output, the caller an excerpt. */
export async function runShellCommand(request: CommandRequest): Promise<CommandRun> {
  const startedMs = performance.now();
  const { log } = request;
  log.create();
  const kept = excerpt(request.excerptChars);
  const hash = createHash("sha256");
  const search = textSearch(request.lookFor ?? []);
  const lines = lineFilter(request.linesLike);
  const take = () => {
    const decoder = new StringDecoder("utf8");
    const look = search.source();
    const hear = request.listen?.();
    const note = lines.source();
    return (chunk: Buffer) => {
      log.write(chunk);
      hash.update(chunk);
      const text = decoder.write(chunk);
      kept.add(text);
      look(text);
      hear?.(text);
      note(text);
      return undefined;
    };
  };
  const { services } = request;
  let left: Leftovers | undefined;
  const found = (processes: Leftovers) => {
    left = processes;
  };
  try {
    const ended = await runProcess({
      ...request,
      ...(services === undefined ? {} : { leftovers: { services, found } }),
      file: "sh",
      args: ["-c", request.command],
      stdin: null,
      idleTimeoutMs: null,
      onStdout: take(),
      onStderr: take(),
    });
    return {
      ended,
      excerpt: stripAnsi(kept.text()),
      found: search.found(),
      lines: lines.found(),
      sha256: hash.digest("hex"),
      ms: Math.round(performance.now() - startedMs),
      ...(left ? { left } : {}),
    };
  } finally {
    log.close();
  }
}

/** The number of lines kept from the beginning, and again from the end. */
const MOST_LINES = 60;
const MOST_CHARS = 2_000;

/** Collects the lines that match `form` from several streams, in bounded memory. */
function lineFilter(form: RegExp | undefined) {
  const first: string[] = [];
  const last: string[] = [];
  const keep = (line: string) => {
    const text = stripAnsi(line).trimEnd();
    if (!form?.test(text)) return;
    if (first.length < MOST_LINES) first.push(text);
    else if (last.push(text) > MOST_LINES) last.shift();
  };
  const ends: (() => void)[] = [];
  return {
    source() {
      // The beginning of an endless line is enough to match it.
      const { add, end } = textLines(MOST_CHARS, keep);
      ends.push(end);
      return form ? add : () => undefined;
    },
    found(): readonly string[] {
      for (const end of ends.splice(0)) end();
      return [...first, ...last];
    },
  };
}
