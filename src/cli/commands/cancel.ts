import { EXIT } from "../../core/errors.ts";
import { cancelLoop } from "../../wire/run-loop.ts";
import { openWorkspace } from "../../wire/workspace.ts";
import { printJson, printLine } from "../print.ts";

/** How long a driver may take to end its agent before we say so; it goes on all the same. */
const PATIENCE_MS = 20_000;
const LOOK_MS = 50;

/** `ralph cancel`: returns once the loop has stopped. */
export async function cancelCommand(wanted: string, { json = false }: { json?: boolean }): Promise<number> {
  const { store, ...rest } = await openWorkspace(process.cwd());
  try {
    const { id } = await store.find(wanted);
    const asked = await cancelLoop({ store, ...rest }, id, `ralph cancel (pid ${process.pid})`);
    const stopped = asked && (await stopsWithin(PATIENCE_MS, async () => (await store.find(id)).status === "stopped"));
    const loop = await store.find(id);
    if (json) printJson({ ...loop, cancelled: asked });
    else if (!asked) printLine(`Loop ${id} had stopped already: ${loop.reason}`);
    else if (stopped)
      printLine(`Cancelled Ralph loop ${id} at iteration ${loop.iteration}/${loop.maxIterations ?? "∞"}`);
    else printLine(`Loop ${id} was asked to stop and is still ending its agent.`);
    return asked ? EXIT.verified : EXIT.stopped;
  } finally {
    store.close();
  }
}

async function stopsWithin(ms: number, isDone: () => Promise<boolean>): Promise<boolean> {
  for (const giveUpMs = Date.now() + ms; Date.now() < giveUpMs; ) {
    if (await isDone()) return true;
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return false;
}
