import { StringDecoder } from "node:string_decoder";
import { type AgentAdapter, type AgentEvent, type AgentRun, TROUBLES, type TurnFault } from "../core/agent.ts";
import { stripAnsi } from "../core/ansi.ts";
import type { ClaimPolicy } from "../core/claim/policy.ts";
import { watchClaims } from "../core/claim/watch.ts";
import { formatDuration } from "../core/duration.ts";
import { RalphError } from "../core/errors.ts";
import { cut, excerpt } from "../core/excerpt.ts";
import type { Patience } from "../core/loop/spec.ts";
import { type Alarm, readableText } from "../core/render.ts";
import { type Price, priced, type Usage } from "../core/usage.ts";
import type { Ended, Stops } from "../io/ending.ts";
import type { LogFile } from "../io/log-file.ts";
import { runProcess } from "../io/process.ts";
import type { Watchdog } from "../io/watchdog.ts";
import { type Heard, isProgress, openReader } from "./reader.ts";

export interface AgentTurn {
  adapter: AgentAdapter;
  run: AgentRun;
  /** What the session had cost before. */
  sessionUsage: Usage;
  price: Price | null;
  claim: ClaimPolicy;
  cwd: string;
  token: string;
  timeoutMs: number;
  patience: Patience;
  stops: Stops;
  watchdog: Watchdog | null;
  log: LogFile;
  /** Where a person watches; a promise holds the agent back. */
  show(output: Buffer | string): Promise<void> | undefined;
  /** Shows the output as the agent prints it, not made readable. */
  raw: boolean;
  /** Takes what the agent prints on standard error where `show` is to stay its structured stream, byte for byte. */
  showAside?(output: Buffer): Promise<void> | undefined;
  onEvent?(event: AgentEvent): void;
  alarm?: Alarm;
}

export interface AgentTurnResult extends Omit<Heard, "result" | "stalled" | "denied"> {
  source: "stream" | "text";
  fault: TurnFault | null;
}

/** The last words of an agent, for the message when it fails. */
const LAST_WORDS_CHARS = 2_000;
const COMPLAINT_CHARS = 600;

/** Runs an agent once: its output goes to the console, whole to the log, and to the claim detector, at the slowest one's pace. */
export async function runAgent(turn: AgentTurn): Promise<AgentTurnResult> {
  const { adapter, run, patience, log, raw } = turn;
  const claims = watchClaims(turn.claim, { prompt: run.prompt });
  const [stdout, stderr] = [lastWords(), lastWords()];
  const aside = readableBytes();
  let complaints = lastWords();
  const reader = openReader(adapter, {
    ...turn,
    claims,
    onEvent(event) {
      if (isProgress(event)) complaints = lastWords();
      turn.onEvent?.(event);
    },
  });
  const ended = await runProcess({
    ...turn,
    ...patience,
    ...adapter.command(run),
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
      return raw ? turn.showAside?.(chunk) : turn.show(aside(chunk));
    },
  });
  const { result, stalled, denied, ...heard } = reader.finish();
  const claimed = heard.reading.claim !== null;
  const words = { stdout: stdout.text(), stderr: stderr.text(), complaints: complaints.text() };
  const fault = faultOf(ended, { ...turn, result, stalled, denied, claimed, ...words });
  return { ...heard, usage: priced(heard.usage, turn.price), source: adapter.open ? "stream" : "text", fault };
}

function lastWords() {
  const kept = excerpt(LAST_WORDS_CHARS);
  const decoder = new StringDecoder("utf8");
  return { add: (chunk: Buffer) => kept.add(decoder.write(chunk)), text: () => stripAnsi(kept.text()).trim() };
}

function readableBytes(): (chunk: Buffer) => string {
  const [decoder, text] = [new StringDecoder("utf8"), readableText()];
  return (chunk) => text.pass(decoder.write(chunk));
}

type HeardOfFaults = Pick<Heard, "result" | "stalled" | "denied">;

interface FaultContext extends Pick<AgentTurn, "adapter" | "patience" | "timeoutMs">, HeardOfFaults {
  claimed: boolean;
  stdout: string;
  stderr: string;
  /** What came on standard error since the agent was last seen at work. */
  complaints: string;
}

/** Success needs a result that says so; only an agent without a structured stream is judged by its exit code. */
function faultOf(ended: Ended, context: FaultContext): TurnFault | null {
  const { patience, timeoutMs } = context;
  switch (ended.by) {
    case "stop":
      return { kind: "interrupted", detail: "" };
    case "timeout":
      return overdue(`it had not ended after ${formatDuration(timeoutMs)}`, context);
    case "idle":
      return overdue(`it printed nothing for ${formatDuration(patience.idleTimeoutMs)}`, context);
    case "start-error":
      return startFault(ended, context.adapter);
    default:
      return resultFault(ended, context);
  }
}

/** Some agents try again for longer than anybody waits: then what they wait for is to blame, not the time-out. */
function overdue(how: string, { adapter, stalled, complaints }: FaultContext): TurnFault {
  const found = stalled ?? adapter.diagnose?.({ exitCode: null, stdout: "", stderr: complaints }, Date.now());
  const isTrouble = found && TROUBLES.some((trouble) => trouble === found.kind);
  return isTrouble ? { ...found, detail: `${found.detail}; ${how}` } : { kind: "timed-out", detail: how };
}

/** Trying again cannot help a prompt that the system refuses to pass on: that is for a person to mend. */
function startFault({ code, message }: Ended & { by: "start-error" }, { id }: AgentAdapter): TurnFault {
  if (code === "ENOENT")
    return { kind: "agent-missing", detail: `${id}: it, or the interpreter it names, was not found` };
  if (code !== "E2BIG") return { kind: "crashed", detail: `${id} did not start: ${message}` };
  throw new RalphError("prompt-too-long", `the prompt is too long to be given to ${id} on its command line`, {
    hint: 'give it on standard input: {"agent": {"prompt": "stdin"}}, if the agent reads that; or let the prompt name a file',
    cause: message,
  });
}

function resultFault(ended: Ended & { by: "exit" | "signal" }, context: FaultContext): TurnFault | null {
  const { adapter, result, stalled, stdout, stderr } = context;
  if (result === "succeeded") return deniedFault(context);
  if (result) return result;
  const exitCode = ended.by === "exit" ? ended.code : null;
  const found = adapter.diagnose?.({ exitCode, stdout, stderr }, Date.now()) ?? stalled;
  if (found) return found;
  if (!adapter.open && exitCode === 0) return null;
  const how = ended.by === "exit" ? `exit code ${ended.code}` : `signal ${ended.signal}`;
  const said = stderr ? `: ${cut(stderr, COMPLAINT_CHARS)}` : "";
  return { kind: "crashed", detail: `${adapter.id} ended with ${how}${said}` };
}

/** An agent that may not use its tools gets nowhere, and says so to nobody; one that claims is judged by its work. */
function deniedFault({ adapter, denied, claimed }: FaultContext): TurnFault | null {
  const [first] = denied;
  if (!first || claimed) return null;
  const hint = adapter.permissionHint ? `; allow it: ${adapter.permissionHint}` : "";
  return { kind: "permission-denied", detail: `${first.name} was refused (${first.detail})${hint}` };
}
