import type { AgentAdapter, AgentRemains, AgentRun, TurnFault } from "../../core/agent.ts";
import type { AgentSpec } from "../../core/agent-spec.ts";
import { RalphError } from "../../core/errors.ts";
import { fillPlaceholder, hasPlaceholder, isPlaceholder, loopVariables } from "./command.ts";
import { type AgentError, faultFor } from "./fault.ts";
import { hasFlag, type Option, spelled, valueIn, withoutFlags } from "./flags.ts";
import type { AgentKind, PromptWay } from "./kind.ts";
import { allowing, needsOf } from "./permissions.ts";

/** The adapter of a known agent. The user's flags win over Ralph's. */
export function knownAgent(kind: AgentKind, agent: AgentSpec): AgentAdapter {
  const streams = agent.output === "stream" && asksForStream(kind, agent.flags);
  const judge = (error: AgentError) => faultFor(error, kind.login, Date.now());
  return {
    id: agent.command,
    command: (run) => {
      const prompt = promptWay(agent);
      return {
        file: agent.command,
        args: argumentsOf(kind, run, { prompt, streams }),
        stdin: prompt === "stdin" ? run.prompt : null,
        env: { ...loopVariables(run), ...(run.apart ? kind.apart : {}) },
      };
    },
    ...(streams ? { open: () => kind.open(judge) } : {}),
    ...(kind.unheard ? { unheard: kind.unheard } : {}),
    ...(kind.heardWith ? { heardWith: kind.heardWith } : {}),
    diagnose: (remains, nowMs) => diagnose(kind, remains, { streams, nowMs }),
    allowing: (refused, checks) => allowing(kind.permissions, agent.flags, needsOf(checks, refused)),
    ...(kind.refusalIn ? { refusalIn: kind.refusalIn } : {}),
    reportsCost: kind.reportsCost,
    ...(kind.model ? { takesModel: true } : {}),
    readsFolder: true,
  };
}

/** The user may choose plain text. A JSON document is refused, because claims cannot be read from it. */
function asksForStream({ name, stream: [{ names, value }], unreadable }: AgentKind, flags: readonly string[]): boolean {
  const asked = value === undefined ? null : valueIn(flags, names);
  if (asked !== null && unreadable?.includes(asked)) {
    throw new RalphError("output-unreadable", `ralph cannot read the output of ${name} with ${names[0]} ${asked}`, {
      hint: `omit that flag, because ralph sets ${value} itself; or use {"agent": {"output": "text"}}`,
    });
  }
  return asked === null || asked === value;
}

function promptWay({ promptBy, flags }: AgentSpec): PromptWay {
  if (promptBy === "stdin") return "stdin";
  if (hasPlaceholder(flags)) return "flag";
  return promptBy ?? "stdin";
}

function argumentsOf(kind: AgentKind, run: AgentRun, { prompt, streams }: { prompt: PromptWay; streams: boolean }) {
  const { words, resume, ask, always = [] } = kind;
  const asking = run.purpose === "ask";
  const model = modelOption(kind, run);
  const dropped = [...(asking ? [...ask.drop, ...resume.names.filter(isFlag)] : []), ...(model?.names ?? [])];
  const given = dropped.length > 0 ? withoutFlags(run.flags, dropped, isPlaceholder) : run.flags;
  const ours = [...(streams ? kind.stream : []), ...always, ...(asking ? ask.add : []), ...(model ? [model] : [])];
  const wanted = ours.filter(({ names }: Option) => !hasFlag(given, names)).flatMap(spelled);
  const sessionId = hasFlag(given, resume.names) || !isPlain(run.sessionId) ? null : run.sessionId;
  return [
    ...(sessionId === null ? [] : (resume.before?.(sessionId) ?? [])),
    ...words(prompt),
    ...wanted,
    ...(prompt === "flag" ? fillPlaceholder(given, run.prompt) : given),
    ...(sessionId === null ? [] : (resume.after?.(sessionId, prompt) ?? [])),
    ...(prompt === "argument" ? kind.promptArguments(run.prompt) : []),
  ];
}

/** A question is asked in a new session. */
const isFlag = (name: string): boolean => name.startsWith("-");

function modelOption({ model }: AgentKind, { model: wanted }: AgentRun): Option | null {
  const value = wanted === "cheap" ? model?.cheap : wanted?.name;
  return model && value ? { names: model.names, value } : null;
}

/** An id that was read from output must not be taken for a flag. */
const isPlain = (sessionId: string | null): boolean => sessionId !== null && /^\w[\w.:-]*$/.test(sessionId);

interface Reading {
  streams: boolean;
  nowMs: number;
}

/** In plain output an error counts only if the run failed or it is the only output: agents write about errors. */
function diagnose(kind: AgentKind, remains: AgentRemains, { streams, nowMs }: Reading): TurnFault | null {
  const { exitCode, stdout, stderr } = remains;
  const failed = exitCode !== 0;
  const message =
    (failed || streams
      ? (lastComplaint(kind, streams ? stderr : ownWords(kind, stderr)) ?? complaintAtEnd(kind, stderr))
      : null) ?? (failed || !stdout.includes("\n") ? lastComplaint(kind, stdout) : null);
  return message === null ? null : faultFor({ message }, kind.login, nowMs);
}

const OWN_LINES = 4;
const BACKTRACE = /^(Stack backtrace:|\d+: )/;

/** The CLI's own lines where standard error echoes the prompt and tool output: the last ones without a backtrace. */
function ownWords({ echoes }: AgentKind, stderr: string): string {
  if (!echoes) return stderr;
  const lines = linesOf(stderr).filter((line) => !BACKTRACE.test(line));
  return lines.slice(-OWN_LINES).join("\n");
}

function lastComplaint({ complaint }: AgentKind, output: string): string | null {
  return linesOf(output).findLast((line) => complaint.test(line)) ?? null;
}

function complaintAtEnd({ lastLine }: AgentKind, output: string): string | null {
  const line = linesOf(output).at(-1) ?? "";
  return lastLine?.test(line) ? line : null;
}

const linesOf = (output: string): string[] => output.trim().split(/\s*\n\s*/);
