import { StringDecoder } from "node:string_decoder";
import { EXIT, RalphError } from "../../core/errors.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import { type AttemptOutput, outputTail, watchOutputs } from "../../wire/output.ts";
import { loopNamed } from "../../wire/task-named.ts";
import { withHolder } from "../../wire/views.ts";
import { openWorkspace } from "../../wire/workspace.ts";
import { paint } from "../paint.ts";
import { print, tell } from "../print.ts";

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
  const { store } = workspace;
  try {
    const { id } = await loopNamed(workspace, wanted);
    const { spec } = (await store.load(id)).state;
    if (!spec) return EXIT.verified;
    const look = watchOutputs(store, id);
    const printer = printerOf(spec, options);
    await look();
    let shown = await printer.show(await look());
    for (let stopped = !options.follow; !stopped; ) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
      stopped = !(await withHolder(workspace, await store.find(id))).held;
      // The end of the last output is known from the second look on.
      if (stopped) await look();
      shown = await printer.show(await look());
    }
    if (shown === 0) throw nothingToShow(id, options);
    if (printer.hasUnreadable()) tell(paint("dim", `(ralph logs ${id} --raw shows what could not be made readable)`));
    return EXIT.verified;
  } finally {
    store.close();
  }
}

function nothingToShow(id: string, { iteration }: LogsOptions): RalphError {
  const what =
    iteration === undefined ? `loop ${id} has printed nothing yet` : `loop ${id} has no iteration ${iteration}`;
  return new RalphError("log-missing", what, { hint: `ralph status ${id}`, exitCode: EXIT.stopped });
}

interface Tail {
  read: ReturnType<typeof outputTail>;
  decoder: StringDecoder;
  /** Whether it printed anything that cannot be shown, and nothing else so far. */
  unreadable: boolean;
  shown: boolean;
}

/** Prints what is new in a list of stretches that grow, each from where it was left. */
function printerOf(spec: LoopSpec, { iteration, raw = false, json = false }: LogsOptions) {
  const alarm = json ? undefined : (line: string) => paint("red", line);
  const tails = new Map<string, Tail>();
  const begin = async ({ n, attempt }: AttemptOutput): Promise<Tail> => {
    if (!json) await print(`${paint("bold", `── iteration ${n}, attempt ${attempt} ──`)}\n`);
    return {
      read: outputTail(spec, raw, alarm),
      decoder: new StringDecoder("utf8"),
      unreadable: false,
      shown: false,
    };
  };
  return {
    /** Returns how many stretches there are. */
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
          await print(json ? `${JSON.stringify({ iteration: n, attempt, text: text() })}\n` : piece);
        }
      }
      return wanted.length;
    },
    /** Whether some stretch holds output of which nothing could be shown. */
    hasUnreadable: () => [...tails.values()].some(({ unreadable }) => unreadable),
  };
}
