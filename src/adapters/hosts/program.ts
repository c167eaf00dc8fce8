import { isatty } from "node:tty";
import { RalphError } from "../../core/errors.ts";
import {
  HOST_NAMES,
  type HostAnswer,
  type HostEvent,
  type HostSession,
  NO_ANSWER,
  type ReportedEvent,
} from "../../core/host.ts";
import { environment, RUN_VARIABLE } from "../io/environment.ts";
import { isFirstReport, sessionEntry } from "../io/host-sessions.ts";
import { readStdin } from "../io/stdin.ts";
import { hostNamed, toolSession } from "./hosts.ts";

/** Larger payloads do not occur: a payload contains at most one message. */
const MAX_PAYLOAD_BYTES = 32 << 20;

type AnswerHost = (session: HostSession, event: HostEvent, arrivedMs: number) => Promise<HostAnswer>;

/**
 * The program that a host starts for an event: payload on standard input, answer on standard output. `load` is called
 * only for a session with a loop. An exit code of 2 is a veto for a host, so an error of Ralph never uses it.
 */
export async function answerOnStdout(host: string, load: () => Promise<AnswerHost>): Promise<void> {
  const startedMs = Math.floor(performance.timeOrigin);
  const dialect = (await hostNamed(host)?.dialect()) ?? null;
  if (!dialect || isatty(0)) return explain(host, dialect !== null);
  // The session of an agent that a loop has started belongs to that loop.
  if (environment()[RUN_VARIABLE]) return;
  // An agent must not imitate its host.
  if (toolSession()?.host === host) return;
  const { staysOpen = false } = dialect;
  const payload = parsed(() => readStdin(MAX_PAYLOAD_BYTES, { oneLine: staysOpen }));
  const told = dialect.read(payload);
  if (!told) return;
  const answer = await answered(async () => {
    if (!concernsUs(told)) return null;
    if (staysOpen) (await import("../io/end-with-stdin.ts")).endWithStdin();
    const { session, arrivedMs = startedMs } = told;
    const event = dialect.look?.(payload, told.event) ?? told.event;
    return (await load())(session, event, arrivedMs);
  });
  if (answer) process.stdout.write(dialect.write(answer, told.event));
}

const concernsUs = ({ session, event, once }: ReportedEvent): boolean =>
  event.type === "command.typed" ? once === undefined || isFirstReport(session, once) : sessionEntry(session) !== null;

function parsed(read: () => string | null): unknown {
  try {
    return JSON.parse(read() ?? "null");
  } catch {
    return null; // not a payload that concerns Ralph
  }
}

/** An error of Ralph is reported and never blocks the host. Null if there is nothing to answer. */
async function answered(answer: () => Promise<HostAnswer | null>): Promise<HostAnswer | null> {
  try {
    return await answer();
  } catch (error) {
    const says = error instanceof RalphError ? withHint(error) : `Ralph failed: ${String(error)}`;
    process.stderr.write(`${says}\n`);
    const toast = { title: "Ralph Loop", message: says, variant: "error", duration: 5000 } as const;
    return { ...NO_ANSWER, toasts: [toast], says, refused: true };
  }
}

const withHint = ({ message, hint }: RalphError): string => (hint ? `${message}\n${hint}` : message);

function explain(host: string, isKnown: boolean): void {
  process.stderr.write(
    isKnown
      ? `\`ralph hook event ${host}\` is started by ${host}, with an event on standard input: \`ralph hook install ${host}\` sets that up\n`
      : `ralph: unknown host "${host}"\nhint: known hosts are ${HOST_NAMES.join(", ")}\n`,
  );
  process.exitCode = 1;
}
