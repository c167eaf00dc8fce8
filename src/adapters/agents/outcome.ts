import { type AgentAdapter, TROUBLES, type TurnFault } from "../../core/agent.ts";
import { formatDuration } from "../../core/duration.ts";
import { RalphError } from "../../core/errors.ts";
import { cut } from "../../core/excerpt.ts";
import type { TurnTimeouts } from "../../core/loop/spec.ts";
import type { Ended } from "../io/ending.ts";
import type { TurnReport } from "./listener.ts";

const COMPLAINT_CHARS = 600;

/** What is known of a run that has ended. */
interface FaultContext extends Pick<TurnReport, "result" | "understood" | "stalled" | "refused"> {
  adapter: AgentAdapter;
  patience: TurnTimeouts;
  timeoutMs: number;
  /** The agent claims completion, or says what it is blocked by. */
  answered: boolean;
  stdout: string;
  stderr: string;
  /** What came on standard error since the agent was last seen at work. */
  complaints: string;
}

/**
 * Why a run did not succeed; null if it did. Success needs a result that says so; only an agent without a structured
 * stream is judged by its exit code.
 */
export function faultOf(ended: Ended, context: FaultContext): TurnFault | null {
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

/**
 * Some agents tell their result and do not end, because something that they started holds them: the result stands.
 * Some try again for longer than anybody waits: then what they wait for is to blame, not the time-out.
 */
function overdue(how: string, context: FaultContext): TurnFault | null {
  const { adapter, result, stalled, complaints } = context;
  if (result) return result === "succeeded" ? refusedFault(context) : result;
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

const NO_STREAM =
  'printed nothing of the stream it is known for: if it prints plain text, set {"agent": {"output": "text"}}';

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

/** An agent that may use no tool gets nowhere; one that claims is judged by its work, one that is blocked says by what. */
function refusedFault({ adapter, refused, answered }: FaultContext): TurnFault | null {
  return refused && !answered ? { kind: "permission-denied", detail: refusalWords(adapter, refused) } : null;
}

/** What was refused, and how a person allows it. */
export function refusalWords(
  { permissionHint }: AgentAdapter,
  { name, detail }: NonNullable<TurnReport["refused"]>,
): string {
  const hint = permissionHint ? `; allow it in .ralph/settings.json: ${permissionHint}` : "";
  return `${name} was refused (${detail})${hint}`;
}
