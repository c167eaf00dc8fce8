import { type AgentAdapter, type AgentRun, TROUBLES, type TurnFault } from "../../core/agent.ts";
import { joinedFlags } from "../../core/agent-spec.ts";
import { formatDuration } from "../../core/duration.ts";
import { RalphError } from "../../core/errors.ts";
import { cut } from "../../core/excerpt.ts";
import type { TurnTimeouts } from "../../core/loop/spec.ts";
import { type Refusals, unproposedWords } from "../../core/refusals.ts";
import type { Ended } from "../io/ending.ts";
import type { TurnReport } from "./listener.ts";

const COMPLAINT_CHARS = 600;

interface FaultContext extends Pick<TurnReport, "result" | "understood" | "stalled" | "refused"> {
  adapter: AgentAdapter;
  run: Pick<AgentRun, "flags">;
  /** What would allow what was refused. */
  allowed: Omit<Refusals, "tools">;
  patience: TurnTimeouts;
  timeoutMs: number;
  /** Whether the agent claims completion or reports that it is blocked. */
  answered: boolean;
  stdout: string;
  stderr: string;
  /** Standard error since the agent last showed progress. */
  complaints: string;
}

/** Why a run failed, or null. Success needs a result event; only an agent without a stream is judged by exit code. */
export function faultOf(ended: Ended, context: FaultContext): TurnFault | null {
  const { patience, timeoutMs } = context;
  switch (ended.by) {
    case "stop":
      return { kind: "interrupted", detail: "" };
    case "timeout":
      return overdue(`it did not finish within ${formatDuration(timeoutMs)}`, context);
    case "idle":
      return overdue(`it printed nothing for ${formatDuration(patience.idleTimeoutMs)}`, context);
    case "start-error":
      return startFault(ended, context.adapter);
    default:
      return resultFault(ended, context);
  }
}

/** A reported result counts even if the agent does not exit. The trouble it retries is the cause, not the timeout. */
function overdue(how: string, context: FaultContext): TurnFault | null {
  const { adapter, result, stalled, complaints } = context;
  if (result) return result === "succeeded" ? refusedFault(context) : result;
  const found = stalled ?? adapter.diagnose?.({ exitCode: null, stdout: "", stderr: complaints }, Date.now());
  const isTrouble = found && TROUBLES.some((trouble) => trouble === found.kind);
  return isTrouble ? { ...found, detail: `${found.detail}; ${how}` } : { kind: "timed-out", detail: how };
}

/** A prompt that exceeds the system's limit cannot be retried; the user has to fix it. */
function startFault({ code, message }: Ended & { by: "start-error" }, { id }: AgentAdapter): TurnFault {
  if (code === "ENOENT")
    return { kind: "agent-missing", detail: `${id}: the program or its interpreter was not found` };
  if (code !== "E2BIG") return { kind: "crashed", detail: `${id} did not start: ${message}` };
  throw new RalphError("prompt-too-long", `the prompt is too long for the command line of ${id}`, {
    hint: 'pass it on standard input if the agent supports that: {"agent": {"prompt": "stdin"}}; or refer to a file in the prompt',
    cause: message,
  });
}

const NO_STREAM =
  'printed nothing in its known stream format: if it prints plain text, set {"agent": {"output": "text"}}';

function resultFault(ended: Ended & { by: "exit" | "signal" }, context: FaultContext): TurnFault | null {
  const { adapter, result, stalled, stdout, stderr } = context;
  if (result) return result === "succeeded" ? refusedFault(context) : result;
  const exitCode = ended.by === "exit" ? ended.code : null;
  const found = adapter.diagnose?.({ exitCode, stdout, stderr }, Date.now()) ?? stalled;
  if (found) return found;
  if (!adapter.open && exitCode === 0) return null;
  if (exitCode === 0 && !context.understood) return { kind: "crashed", detail: `${adapter.id} ${NO_STREAM}` };
  const how = ended.by === "exit" ? `exit code ${ended.code}` : `signal ${ended.signal}`;
  const said = stderr ? `: ${cut(stderr, COMPLAINT_CHARS)}` : "";
  return { kind: "crashed", detail: `${adapter.id} ended with ${how}${said}` };
}

/** An agent whose tools were all denied fails, unless it claims completion (its work is checked) or reports a block. */
function refusedFault(context: FaultContext): TurnFault | null {
  const { refused, answered } = context;
  return refused && !answered ? { kind: "permission-denied", detail: refusalWords(refused, context) } : null;
}

/** What was refused, and how to allow it. */
export function refusalWords(
  { name, detail }: NonNullable<TurnReport["refused"]>,
  { adapter, run, allowed }: Pick<FaultContext, "adapter" | "run" | "allowed">,
): string {
  const flags = joinedFlags([...run.flags, ...allowed.allow]);
  const sandbox = allowed.everything ? " (allows everything: only in a sandbox)" : "";
  const hint = `; allow it in .ralph/settings.json: ${JSON.stringify({ agent: { command: adapter.id, flags } })}${sandbox}`;
  const left = unproposedWords(allowed);
  return `${name} was refused (${detail})${allowed.allow.length > 0 ? hint : ""}${left === null ? "" : `; ${left}`}`;
}
