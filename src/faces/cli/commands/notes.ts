import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { printable } from "../../../core/ansi.ts";
import type { LoopState } from "../../../core/loop/state.ts";
import { type Note, remembers } from "../../../core/memory/memory.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { loopNamed } from "../../../engine/named.ts";
import { dropNotes } from "../../../runtime/drop-notes.ts";
import type { Cli, JsonOption } from "../context.ts";
import { workToShow } from "../views/running.ts";

/** `ralph notes`: what the agent noted for its later iterations. */
export async function notesCommand(cli: Cli, given: string | undefined, { json = false }: JsonOption): Promise<void> {
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const id = await loopId(cli, workspace, given, { command: "ralph notes", quiet: json });
    const { state } = await workspace.store.glance(id);
    const notes = state.memory?.notes ?? [];
    if (json) cli.printJson({ loop: id, remembers: remembers(state), notes: notes.map(shownNote) });
    else if (notes.length === 0) cli.printLine(noNotes(id, state));
    else for (const note of notes) cli.printLine(noteLine(note));
  });
}

interface DropOptions extends JsonOption {
  loop?: string;
}

/** `ralph notes drop`: later iterations no longer get these notes. A `--json` may have been read by `ralph notes`. */
export async function dropNotesCommand(
  cli: Cli,
  numbers: readonly number[],
  _own: DropOptions,
  command: { optsWithGlobals(): DropOptions },
): Promise<void> {
  const { loop, json = false } = command.optsWithGlobals();
  return inWorkspace({ cwd: cli.cwd() }, async (workspace) => {
    const id = await loopId(cli, workspace, loop, { command: "ralph notes drop … --loop", quiet: json });
    const by = `ralph notes drop (pid ${cli.process.pid})`;
    const { is, notes } = await dropNotes(workspace, id, { notes: [...new Set(numbers)], by });
    if (json) return cli.printJson({ loop: id, is, notes: notes.map(shownNote) });
    for (const note of notes) cli.printLine(`dropped: ${noteLine(note)}`);
    if (is === "asked") cli.printLine(`Loop ${id} is running: this applies from its next iteration on.`);
  });
}

async function loopId(
  cli: Cli,
  workspace: Workspace,
  given: string | undefined,
  how: { command: string; quiet: boolean },
): Promise<string> {
  return (await loopNamed(workspace, await workToShow(cli, workspace, given, how))).id;
}

const shownNote = ({ id, n, text }: Note) => ({ note: id, iteration: n, text });

const noteLine = ({ id, n, text }: Note): string => `${id}. ${printable(text)} (iteration ${n})`;

function noNotes(id: string, state: LoopState): string {
  if (remembers(state)) return `Loop ${id} has no notes: its agent leaves one with <note>…</note>.`;
  const isOneSession = state.driver === "host" || state.spec?.context === "continue";
  return `Loop ${id} keeps no notes: ${isOneSession ? "it continues a session" : "its memory is off"} (docs/memory.md).`;
}
