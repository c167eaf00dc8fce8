import { createHash } from "node:crypto";
import { StringDecoder } from "node:string_decoder";
import { stripAnsi } from "../../core/ansi.ts";
import { excerpt } from "../../core/excerpt.ts";
import { textSearch } from "../../core/text-search.ts";
import type { Ended, Stops } from "./ending.ts";
import { lineFilter } from "./line-filter.ts";
import { openLog } from "./log-file.ts";
import { runProcess } from "./process.ts";
import type { Watchdog } from "./watchdog.ts";

export interface CommandRequest {
  /** The user's own command line, for `sh -c`. */
  command: string;
  cwd: string;
  env: Readonly<Record<string, string>>;
  token: string;
  timeoutMs: number;
  graceMs: number;
  stops: Stops;
  watchdog: Watchdog | null;
  /** Where the output goes whole. */
  logPath: string;
  excerptChars: number;
  /** Texts to look for in the output. */
  lookFor?: readonly string[];
  /** Called once for each output; what it returns is given the text as it comes. */
  listen?(): (text: string) => void;
  /** Lines of this form are handed to the caller, the first and the last of them. */
  linesLike?: RegExp;
}

export interface CommandRun {
  ended: Ended;
  excerpt: string;
  /** Which of the texts occur in the output. */
  found: ReadonlySet<string>;
  /** The lines of the form that was asked for, without colours, as far as they are kept. */
  lines: readonly string[];
  /** Of the whole output, standard error included, in the order it arrived. */
  sha256: string;
  ms: number;
}

/** Runs a shell command of the user's; its output goes whole to the log and bounded to the caller. */
export async function runShellCommand(request: CommandRequest): Promise<CommandRun> {
  const startedMs = performance.now();
  const log = openLog(request.logPath);
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
  try {
    const ended = await runProcess({
      ...request,
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
    };
  } finally {
    log.close();
  }
}
