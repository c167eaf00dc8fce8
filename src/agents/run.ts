import { StringDecoder } from "node:string_decoder";
import type { AgentAdapter, AgentRun, TurnFault } from "../core/agent.ts";
import type { ClaimPolicy } from "../core/claim/policy.ts";
import { watchClaims } from "../core/claim/watch.ts";
import { formatDuration } from "../core/duration.ts";
import { RalphError } from "../core/errors.ts";
import { excerpt } from "../core/excerpt.ts";
import type { Patience } from "../core/loop/spec.ts";
import type { Ended, Stops } from "../io/ending.ts";
import type { LogFile } from "../io/log-file.ts";
import { runProcess } from "../io/process.ts";
import type { Watchdog } from "../io/watchdog.ts";
import { type Heard, openReader } from "./reader.ts";

export interface AgentTurn {
  adapter: AgentAdapter;
  run: AgentRun;
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
}

export interface AgentTurnResult extends Omit<Heard, "result"> {
  source: "stream" | "text";
  fault: TurnFault | null;
}

/** The last words on standard error, for the message when an agent fails. */
const STDERR_CHARS = 600;

/** Runs an agent once: its output goes to the console, whole to the log, and to the claim detector, at the slowest one's pace. */
export async function runAgent(turn: AgentTurn): Promise<AgentTurnResult> {
  const { adapter, run, patience, log } = turn;
  const reader = openReader(adapter, watchClaims(turn.claim, { prompt: run.prompt }));
  const complaints = complaintsOf(STDERR_CHARS);
  const ended = await runProcess({
    ...turn,
    ...patience,
    ...adapter.command(run),
    onStdout(chunk) {
      log.write(chunk);
      return turn.show(reader.add(chunk));
    },
    onStderr(chunk) {
      // A structured log stays parseable; plain output is kept the way a terminal would show it.
      if (!adapter.parse) log.write(chunk);
      complaints.add(chunk);
      return turn.show(chunk);
    },
  });
  const { result, ...heard } = reader.finish();
  const fault = faultOf(ended, result, { ...turn, complaint: complaints.text() });
  return { ...heard, source: adapter.parse ? "stream" : "text", fault };
}

function complaintsOf(maxChars: number) {
  const kept = excerpt(maxChars);
  const decoder = new StringDecoder("utf8");
  return { add: (chunk: Buffer) => kept.add(decoder.write(chunk)), text: () => kept.text().trim() };
}

interface FaultContext extends Pick<AgentTurn, "adapter" | "patience" | "timeoutMs"> {
  complaint: string;
}

/** Success needs a result that says so; only an agent without a structured stream is judged by its exit code. */
function faultOf(
  ended: Ended,
  result: Heard["result"],
  { adapter, patience, timeoutMs, complaint }: FaultContext,
): TurnFault | null {
  switch (ended.by) {
    case "stop":
      return { kind: "interrupted", detail: "" };
    case "timeout":
      return { kind: "timed-out", detail: `it had not ended after ${formatDuration(timeoutMs)}` };
    case "idle":
      return { kind: "timed-out", detail: `it printed nothing for ${formatDuration(patience.idleTimeoutMs)}` };
    case "start-error":
      return startFault(ended, adapter);
    default:
      return resultFault(ended, result, adapter, complaint);
  }
}

/** Trying again cannot help a prompt that the system refuses to pass on: that is for a person to mend. */
function startFault({ code, message }: Ended & { by: "start-error" }, { id }: AgentAdapter): TurnFault {
  if (code === "ENOENT")
    return { kind: "agent-missing", detail: `${id}: it, or the interpreter it names, was not found` };
  if (code !== "E2BIG") return { kind: "crashed", detail: `${id} did not start: ${message}` };
  throw new RalphError("prompt-too-long", `the prompt is too long to be given to ${id} on its command line`, {
    hint: "shorten it: put the long part into a file in the repository and let the prompt name that file",
    cause: message,
  });
}

function resultFault(
  ended: Ended & { by: "exit" | "signal" },
  result: Heard["result"],
  adapter: AgentAdapter,
  complaint: string,
): TurnFault | null {
  if (result === "succeeded") return null;
  if (result) return result;
  if (!adapter.parse && ended.by === "exit" && ended.code === 0) return null;
  const how = ended.by === "exit" ? `exit code ${ended.code}` : `signal ${ended.signal}`;
  const said = complaint ? `: ${complaint}` : "";
  return { kind: "crashed", detail: `${adapter.id} ended with ${how}${said}` };
}
