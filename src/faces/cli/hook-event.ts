import type { Readable } from "node:stream";
import { isatty } from "node:tty";
import { hostNamed, toolSession } from "../../adapters/hosts/hosts.ts";
import { isFirstReport, sessionEntry } from "../../adapters/hosts/session-index.ts";
import { environment, RUN_VARIABLE } from "../../adapters/io/environment.ts";
import { readStdin } from "../../adapters/io/stdin.ts";
import type { RalphError } from "../../core/errors.ts";
import { HOST_NAMES, type HostAnswer, type HostDialect, NO_ANSWER, type ReportedEvent } from "../../core/host.ts";

/** Larger payloads do not occur: a payload contains at most one message. */
const MAX_PAYLOAD_BYTES = 32 << 20;

interface HookProcess {
  stdout: { write(text: string): unknown };
  stderr: { write(text: string): unknown };
  /** The input of a command inside another program; absent if this process was started for the event. */
  input?: Readable & { isTTY?: boolean };
}

/**
 * `ralph hook event <host>`: payload on standard input, answer on standard output. A host waits for it after every turn,
 * so it is separate from the other commands, and only a session with a loop loads more. An exit code of 2 is a veto for a
 * host, so an error of Ralph never uses it.
 */
export async function hookEvent(host: string, own: HookProcess): Promise<number> {
  const startedMs = own.input ? Date.now() : Math.floor(performance.timeOrigin);
  const dialect = (await hostNamed(host)?.dialect()) ?? null;
  if (!dialect || (own.input ? own.input.isTTY : isatty(0))) return explain(host, dialect !== null, own);
  // The session of an agent that a loop has started belongs to that loop.
  if (environment()[RUN_VARIABLE]) return 0;
  // An agent must not imitate its host.
  if (toolSession()?.host === host) return 0;
  const payload = await readPayload(dialect, own);
  const told = dialect.read(payload);
  if (!told) return 0;
  const answer = await answered(own, async () => {
    if (!concernsUs(told)) return null;
    if (dialect.staysOpen && !own.input) (await import("../../adapters/io/end-with-stdin.ts")).endWithStdin();
    const { session, arrivedMs = startedMs } = told;
    const event = dialect.look?.(payload, told.event) ?? told.event;
    const { answerHost } = await import("../../doors/hook/open.ts");
    return answerHost(session, event, arrivedMs);
  });
  if (answer) own.stdout.write(dialect.write(answer, told.event));
  return 0;
}

/** Null for input that is not a payload. */
async function readPayload({ staysOpen }: HostDialect, { input }: HookProcess): Promise<unknown> {
  try {
    const read = input ? await (await import("node:stream/consumers")).text(input) : null;
    return JSON.parse(read ?? readStdin(MAX_PAYLOAD_BYTES, { oneLine: staysOpen ?? false }) ?? "null");
  } catch {
    return null;
  }
}

const concernsUs = ({ session, event, once }: ReportedEvent): boolean =>
  event.type === "command.typed" ? once === undefined || isFirstReport(session, once) : sessionEntry(session) !== null;

/** By its name: the code that opens the journal is in another bundle, with its own class. */
const isRalphError = (error: unknown): error is RalphError => error instanceof Error && error.name === "RalphError";

/** An error of Ralph is reported and never blocks the host. Null if there is nothing to answer. */
async function answered(own: HookProcess, answer: () => Promise<HostAnswer | null>): Promise<HostAnswer | null> {
  try {
    return await answer();
  } catch (error) {
    const says = isRalphError(error) ? error.text() : `Ralph failed: ${String(error)}`;
    own.stderr.write(`${says}\n`);
    const toast = { title: "Ralph Loop", message: says, variant: "error", duration: 5000 } as const;
    return { ...NO_ANSWER, toasts: [toast], says, refused: true };
  }
}

function explain(host: string, isKnown: boolean, { stderr }: Pick<HookProcess, "stderr">): number {
  stderr.write(
    isKnown
      ? `\`ralph hook event ${host}\` is started by ${host}, with an event on standard input: \`ralph hook install ${host}\` sets that up\n`
      : `ralph: unknown host "${host}"\nhint: known hosts are ${HOST_NAMES.join(", ")}\n`,
  );
  return 1;
}
