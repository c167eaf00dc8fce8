import { StringDecoder } from "node:string_decoder";
import { EXIT, RalphError } from "../../core/errors.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import { type AttemptLog, attemptLogs, logTail } from "../../wire/log-reader.ts";
import { openWorkspace, type Workspace } from "../../wire/workspace.ts";
import { paint } from "../paint.ts";
import { print } from "../print.ts";

interface LogsOptions {
  follow?: boolean;
  iteration?: number;
  raw?: boolean;
  json?: boolean;
}

const LOOK_MS = 200;

/** `ralph logs`. */
export async function logsCommand(wanted: string, options: LogsOptions): Promise<number> {
  const workspace = await openWorkspace(process.cwd());
  try {
    const { id } = await workspace.store.find(wanted);
    const { spec } = (await workspace.store.load(id)).state;
    if (!spec) return EXIT.verified;
    const shown = logPrinter(spec, options);
    await shown(logsOf(workspace, id, options));
    if (options.follow) await followLoop(workspace, id, () => shown(logsOf(workspace, id, options)));
    return EXIT.verified;
  } finally {
    workspace.store.close();
  }
}

function logsOf(workspace: Workspace, id: string, { iteration, follow = false }: LogsOptions): AttemptLog[] {
  const logs = attemptLogs(workspace, id).filter((log) => iteration === undefined || log.n === iteration);
  if (logs.length > 0 || follow) return logs;
  const what =
    iteration === undefined ? `loop ${id} has printed nothing yet` : `loop ${id} has no iteration ${iteration}`;
  throw new RalphError("log-missing", what, { hint: `ralph status ${id}`, exitCode: EXIT.stopped });
}

/** Prints what is new in a list of logs that grows, each log from where it was left. */
function logPrinter(spec: LoopSpec, { raw = false, json = false }: LogsOptions) {
  const tails = new Map<string, { read: ReturnType<typeof logTail>; decoder: StringDecoder }>();
  return async (logs: readonly AttemptLog[]) => {
    for (const { path, n, attempt } of logs) {
      const tail = tails.get(path) ?? { read: logTail(spec, path, raw), decoder: new StringDecoder("utf8") };
      if (!tails.has(path) && !json) await print(`${paint("bold", `── iteration ${n}, attempt ${attempt} ──`)}\n`);
      tails.set(path, tail);
      for await (const piece of tail.read()) {
        const text = () => (typeof piece === "string" ? piece : tail.decoder.write(piece));
        await print(json ? `${JSON.stringify({ iteration: n, attempt, text: text() })}\n` : piece);
      }
    }
  };
}

async function followLoop({ store }: Workspace, id: string, look: () => Promise<void>): Promise<void> {
  for (let stopped = false; !stopped; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    stopped = (await store.find(id)).status === "stopped";
    await look();
  }
}
