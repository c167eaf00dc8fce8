import { StringDecoder } from "node:string_decoder";
import type { AgentAdapter, AgentEvent, AgentRun, TurnFault } from "../../core/agent.ts";
import { stripAnsi } from "../../core/ansi.ts";
import type { BlobWriter } from "../../core/blobs.ts";
import type { ClaimPolicy } from "../../core/claim/policy.ts";
import { watchClaims } from "../../core/claim/watch.ts";
import { excerpt } from "../../core/excerpt.ts";
import type { Leftovers } from "../../core/leftovers.ts";
import type { TurnTimeouts } from "../../core/loop/spec.ts";
import type { Refusals } from "../../core/refusals.ts";
import { type Alarm, readableText } from "../../core/render.ts";
import { type Price, priced, type Usage } from "../../core/usage.ts";
import type { Stops } from "../io/ending.ts";
import type { Services } from "../io/leftovers.ts";
import { lineSplitter } from "../io/lines.ts";
import { runProcess } from "../io/process.ts";
import { timer } from "../io/timer.ts";
import type { Watchdog } from "../io/watchdog.ts";
import { isProgress, type TurnReport } from "./listener.ts";
import { faultOf, refusalWords } from "./outcome.ts";
import { openReader, type Reader } from "./reader.ts";

export interface AgentTurn {
  adapter: AgentAdapter;
  run: AgentRun;
  /** The part of the prompt whose repetition is an echo; all of it if omitted. */
  echoed?: string;
  sessionUsage: Usage;
  price: Price | null;
  claim: ClaimPolicy;
  cwd: string;
  token: string;
  timeoutMs: number;
  patience: TurnTimeouts;
  stops: Stops;
  watchdog: Watchdog | null;
  /** Keeps what it leaves running; without it, that is ended. */
  services?: Services;
  log: BlobWriter;
  /** Shows output to the user. A returned promise pauses the agent. */
  show(output: Buffer | string): Promise<void> | undefined;
  /** Whether to show the output as the agent prints it. */
  raw: boolean;
  /** Receives standard error if `show` must get only the structured stream. */
  showAside?(output: Buffer): Promise<void> | undefined;
  onEvent?(event: AgentEvent): void;
  alarm?: Alarm;
  /** Whether to show the colours in its messages. */
  colours?: boolean;
  /** The commands that check its work, which it should be allowed to run. */
  checks?: readonly string[];
  /** How long the process may keep running after its result. */
  lingerMs?: number;
}

export interface AgentTurnResult extends Omit<TurnReport, "result" | "understood" | "stalled" | "refused" | "denied"> {
  source: "stream" | "text";
  fault: TurnFault | null;
  /** What to do if all tools that the agent called were denied. */
  refused: string | null;
  /** The tools that were denied, and the flags that would allow them. */
  refusals?: Refusals;
  left?: Leftovers;
}

const LAST_WORDS_CHARS = 2_000;
const LINGER_MS = 30_000;

/** Runs an agent once. Its output goes to the console, the log and the claim detector, with backpressure. */
export async function runAgent(turn: AgentTurn): Promise<AgentTurnResult> {
  const { adapter, run, patience, log, raw } = turn;
  const claims = watchClaims(turn.claim, { prompt: turn.echoed ?? run.prompt });
  const [stdout, stderr] = [lastWords(), lastWords()];
  const aside = readableBytes(turn.colours);
  let complaints = lastWords();
  const result = resultWatch(turn.lingerMs ?? LINGER_MS);
  const reader = openReader(adapter, {
    ...turn,
    claims,
    onEvent(event) {
      if (isProgress(event)) complaints = lastWords();
      result.hear(event);
      turn.onEvent?.(event);
    },
  });
  const refusals = adapter.open && adapter.refusalIn ? refusalReader(adapter, reader, (text) => turn.show(text)) : null;
  let left: Leftovers | undefined;
  const found = (processes: Leftovers) => {
    left = processes;
  };
  const ended = await runProcess({
    ...turn,
    ...patience,
    ...adapter.command(run),
    leftovers: { services: turn.services ?? null, found },
    leave: result.lingers,
    onStdout(chunk) {
      log.write(chunk);
      if (!adapter.open) {
        stdout.add(chunk);
        complaints = lastWords();
      }
      const readable = reader.add(chunk);
      return turn.show(raw ? chunk : readable);
    },
    onStderr(chunk) {
      // A structured log stays parseable; plain output is kept the way a terminal would show it.
      if (!adapter.open) log.write(chunk);
      stderr.add(chunk);
      complaints.add(chunk);
      if (!adapter.open) return turn.show(chunk);
      refusals?.add(chunk);
      return raw ? turn.showAside?.(chunk) : turn.show(aside(chunk));
    },
  });
  const { result: outcome, understood, stalled, refused, denied, ...heard } = reader.finish();
  const allowed = (denied.length > 0 && adapter.allowing?.(denied, turn.checks ?? [])) || { allow: [] };
  // After `finish`, because the end of a stream may contain the result. A running timer would keep the program alive.
  result.close();
  const { claim, blocked } = heard.reading;
  const answered = claim !== null || blocked !== null;
  const words = { stdout: stdout.text(), stderr: stderr.text(), complaints: complaints.text() };
  const fault = faultOf(ended, {
    ...turn,
    result: outcome,
    understood,
    stalled,
    refused,
    allowed,
    answered,
    ...words,
  });
  return {
    ...heard,
    usage: priced(heard.usage, turn.price),
    source: adapter.open ? "stream" : "text",
    fault,
    refused: refused && refusalWords(refused, { adapter, run, allowed }),
    ...(denied.length > 0 ? { refusals: { tools: denied, ...allowed } } : {}),
    ...(left ? { left } : {}),
  };
}

const MAX_LINE_BYTES = 1 << 16;

/** Reads refusals that an agent reports on standard error only. Each counts as a call too. */
function refusalReader({ refusalIn }: AgentAdapter, reader: Reader, show: (text: string) => unknown) {
  return lineSplitter(MAX_LINE_BYTES, (line) => {
    const found = refusalIn?.(stripAnsi(line.toString()));
    if (!found) return;
    show(reader.note({ type: "tool.called", name: found.name, summary: "" }));
    show(reader.note({ type: "tool.denied", ...found }));
  });
}

/** Fires when an agent has reported its result but does not exit, perhaps because of a child process. */
function resultWatch(lingerMs: number) {
  const lingers = new AbortController();
  let waiting: { stop(): void } | null = null;
  const close = () => waiting?.stop();
  return {
    lingers: lingers.signal,
    hear(event: AgentEvent) {
      if (!isProgress(event) && !isResult(event)) return;
      close();
      waiting = isResult(event) ? timer(lingerMs, () => lingers.abort()) : null;
    },
    close,
  };
}

const isResult = ({ type }: AgentEvent): boolean => type === "turn.succeeded" || type === "turn.failed";

function lastWords() {
  const kept = excerpt(LAST_WORDS_CHARS);
  const decoder = new StringDecoder("utf8");
  return { add: (chunk: Buffer) => kept.add(decoder.write(chunk)), text: () => stripAnsi(kept.text()).trim() };
}

function readableBytes(colours = false): (chunk: Buffer) => string {
  const [decoder, text] = [new StringDecoder("utf8"), readableText(colours)];
  return (chunk) => text.pass(decoder.write(chunk));
}
