import { outputTail, watchOutputs } from "../../adapters/agents/output.ts";
import { terminalFilter } from "../../core/terminal-text.ts";
import type { Workspace } from "../../core/workspace.ts";

/** How much of the current attempt's output is read. */
const LAST_BYTES = 64 * 1_024;

/** The last lines that the agent of a loop has printed. */
export async function lastLines(workspace: Workspace, loop: string): Promise<string[]> {
  const { blobs, store } = workspace;
  const { spec } = (await store.glance(loop)).state;
  const look = watchOutputs(workspace, loop);
  await look();
  const last = (await look()).at(-1);
  if (!spec || !last) return [];
  const from = Math.max(last.from, last.to - LAST_BYTES);
  const filter = terminalFilter({ colours: true });
  const decoder = new TextDecoder();
  let text = "";
  for await (const piece of outputTail(blobs, spec, { raw: false, colours: true })({ ...last, from }))
    text += filter.pass(typeof piece === "string" ? piece : decoder.decode(piece, { stream: true }));
  const lines = (text + filter.flush()).split("\n");
  if (lines.at(-1) === "") lines.pop();
  // The first one is the rest of a line.
  return from > last.from ? lines.slice(1) : lines;
}
