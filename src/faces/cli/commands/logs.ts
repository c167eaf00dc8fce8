import { StringDecoder } from "node:string_decoder";
import { type AttemptOutput, outputTail, watchOutputs } from "../../../adapters/agents/output.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import type { LoopSpec } from "../../../core/loop/spec.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { loopNamed, loopsOfRun, runNamed, withHolder, withRunHolder } from "../../../engine/named.ts";
import type { Cli } from "../context.ts";
import { paint } from "../output/paint.ts";

interface LogsOptions {
  follow?: boolean;
  iteration?: number;
  raw?: boolean;
  json?: boolean;
}

const LOOK_MS = 200;

export async function logsCommand(cli: Cli, wanted: string, options: LogsOptions): Promise<void> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const run = await runNamed(workspace, wanted);
    if (run) await logsOfRun(cli, workspace, run.id, options);
    else await logsOfLoop(cli, workspace, (await loopNamed(workspace, wanted)).id, options);
  });
}

async function logsOfLoop(cli: Cli, workspace: Workspace, id: string, options: LogsOptions): Promise<void> {
  const { store } = workspace;
  const { spec } = (await store.glance(id)).state;
  if (!spec) return;
  const look = watchOutputs(workspace, id);
  const printer = printerOf(cli, { blobs: workspace.blobs, spec }, options);
  await look();
  let shown = await printer.show(await look());
  for (let stopped = !options.follow; !stopped; ) {
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    stopped = !(await withHolder(workspace, await store.find(id))).held;
    // The end of the last output is known from the second call on.
    if (stopped) await look();
    shown = await printer.show(await look());
  }
  if (shown === 0) throw nothingToShow(id, options);
  if (printer.hasUnreadable())
    cli.report(paint("dim", `(ralph logs ${id} --raw shows output that could not be formatted)`));
}

/** Prints the loops of a run one after the other; with --follow, also those that start later. */
async function logsOfRun(cli: Cli, workspace: Workspace, id: string, options: LogsOptions): Promise<void> {
  const shown = new Set<string>();
  for (let held = true; held; ) {
    held = options.follow === true && (await withRunHolder(workspace, await workspace.runs.find(id))).held;
    for (const { id: loop, run } of await loopsOfRun(workspace, id)) {
      if (shown.has(loop)) continue;
      shown.add(loop);
      if (!options.json) await cli.printLine(paint("bold", `── ${printable(run?.part ?? "")}: loop ${loop} ──`));
      await logsOfLoop(cli, workspace, loop, options).catch(unlessNothing);
    }
    if (held) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  if (shown.size > 0) return;
  throw new RalphError("log-missing", `no agent has worked on run ${id} yet`, {
    hint: `ralph status ${id}`,
    exitCode: EXIT.stopped,
  });
}

/** A loop without output must not hide the others. */
function unlessNothing(error: unknown): void {
  if (!(error instanceof RalphError && error.code === "log-missing")) throw error;
}

function nothingToShow(id: string, { iteration }: LogsOptions): RalphError {
  const what =
    iteration === undefined ? `loop ${id} has printed nothing yet` : `loop ${id} has no iteration ${iteration}`;
  return new RalphError("log-missing", what, { hint: `ralph status ${id}`, exitCode: EXIT.stopped });
}

interface Tail {
  read: ReturnType<typeof outputTail>;
  decoder: StringDecoder;
  /** Whether its output so far could not be shown at all. */
  unreadable: boolean;
  shown: boolean;
}

/** Prints the new output of each attempt since the last call. */
function printerOf(
  cli: Cli,
  { blobs, spec }: Pick<Workspace, "blobs"> & { spec: LoopSpec },
  { iteration, raw = false, json = false }: LogsOptions,
) {
  const alarm = json ? undefined : (line: string) => cli.shown(paint("red", line));
  const tails = new Map<string, Tail>();
  const begin = async ({ n, attempt }: AttemptOutput): Promise<Tail> => {
    if (!json) await cli.printLine(paint("bold", `── iteration ${n}, attempt ${attempt} ──`));
    return {
      read: outputTail(blobs, spec, { raw, alarm }),
      decoder: new StringDecoder("utf8"),
      unreadable: false,
      shown: false,
    };
  };
  return {
    async show(outputs: readonly AttemptOutput[]): Promise<number> {
      const wanted = outputs.filter(({ n }) => iteration === undefined || n === iteration);
      for (const output of wanted) {
        const { n, attempt } = output;
        const key = `${n}/${attempt}`;
        const tail = tails.get(key) ?? (await begin(output));
        tails.set(key, tail);
        for await (const piece of tail.read(output)) {
          tail.shown ||= piece.length > 0;
          tail.unreadable = !tail.shown;
          const text = () => (typeof piece === "string" ? piece : tail.decoder.write(piece));
          await cli.print(json ? `${JSON.stringify({ iteration: n, attempt, text: text() })}\n` : piece);
        }
      }
      return wanted.length;
    },
    /** Whether none of the output of an attempt could be shown. */
    hasUnreadable: () => [...tails.values()].some(({ unreadable }) => unreadable),
  };
}
