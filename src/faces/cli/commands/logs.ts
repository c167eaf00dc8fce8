import { StringDecoder } from "node:string_decoder";
import { type AttemptOutput, outputTail, watchOutputs } from "../../../adapters/agents/output.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT, RalphError } from "../../../core/errors.ts";
import type { LoopSpec } from "../../../core/loop/spec.ts";
import { jsonLine } from "../../../core/terminal-text.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { loopNamed, loopsOfRun, runNamed, withHolder, withRunHolder } from "../../../engine/named.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { type AgentOutput, rawOutput, shownOutput } from "../output/agent-output.ts";
import { workToShow } from "../views/running.ts";

interface LogsOptions {
  follow?: boolean;
  iteration?: number;
  raw?: boolean;
  json?: boolean;
}

const LOOK_MS = 200;

export async function logsCommand(cli: Cli, given: string | undefined, options: LogsOptions): Promise<void> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const command = options.follow ? "ralph logs -f" : "ralph logs";
    const wanted = await workToShow(cli, workspace, given, { command, quiet: options.json });
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
  await printer.finish();
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
  output: AgentOutput;
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
  let last: Tail | null = null;
  const finish = async () => void (json || !last || (await cli.printRaw(last.output.flush())));
  const begin = async ({ n, attempt }: AttemptOutput): Promise<Tail> => {
    await finish();
    if (!json) await cli.printLine(paint("bold", `── iteration ${n}, attempt ${attempt} ──`));
    return {
      read: outputTail(blobs, spec, { raw, alarm, colours: !json }),
      decoder: new StringDecoder("utf8"),
      output: raw ? rawOutput : shownOutput(cli.colours),
      unreadable: false,
      shown: false,
    };
  };
  const print = (tail: Tail, { n, attempt }: AttemptOutput, piece: Buffer | string) => {
    if (!json) return cli.printRaw(tail.output.pass(piece));
    const text = typeof piece === "string" ? piece : tail.decoder.write(piece);
    return cli.print(`${jsonLine({ iteration: n, attempt, text })}\n`);
  };
  return {
    async show(outputs: readonly AttemptOutput[]): Promise<number> {
      const wanted = outputs.filter(({ n }) => iteration === undefined || n === iteration);
      for (const output of wanted) {
        const { n, attempt } = output;
        const key = `${n}/${attempt}`;
        const tail = tails.get(key) ?? (await begin(output));
        tails.set(key, tail);
        last = tail;
        for await (const piece of tail.read(output)) {
          tail.shown ||= piece.length > 0;
          tail.unreadable = !tail.shown;
          await print(tail, output, piece);
        }
      }
      return wanted.length;
    },
    finish,
    /** Whether none of the output of an attempt could be shown. */
    hasUnreadable: () => [...tails.values()].some(({ unreadable }) => unreadable),
  };
}
