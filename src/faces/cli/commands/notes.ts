import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import type { LoopState } from "../../../core/loop/state.ts";
import { type Note, remembers } from "../../../core/memory/memory.ts";
import { loopNamed } from "../../../engine/named.ts";
import type { Cli, JsonOption } from "../context.ts";
import { workToShow } from "../views/running.ts";

/** `ralph notes`: what the agent noted for later iterations. */
export async function notesCommand(cli: Cli, given: string | undefined, { json = false }: JsonOption): Promise<void> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const wanted = await workToShow(cli, workspace, given, { command: "ralph notes", quiet: json });
    const { id } = await loopNamed(workspace, wanted);
    const { state } = await workspace.store.glance(id);
    const notes = state.memory?.notes ?? [];
    if (json) cli.printJson({ loop: id, remembers: remembers(state), notes: notes.map(shownNote) });
    else if (notes.length === 0) cli.printLine(noNotes(id, state));
    else for (const note of notes) cli.printLine(noteLine(note));
  });
}

const shownNote = ({ id, n, text }: Note) => ({ note: id, iteration: n, text });

const noteLine = ({ id, n, text }: Note): string => `${id}. ${printable(text)} (iteration ${n})`;

function noNotes(id: string, state: LoopState): string {
  if (remembers(state)) return `Loop ${id} has no notes: its agent leaves one with <note>…</note>.`;
  const why =
    state.driver === "host" || state.spec?.context === "continue" ? "it continues a session" : "its memory is off";
  return `Loop ${id} keeps no notes: ${why} (docs/memory.md).`;
}
