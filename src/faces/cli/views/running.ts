import { printable } from "../../../core/ansi.ts";
import { RalphError } from "../../../core/errors.ts";
import { firstNamed, shorten } from "../../../core/excerpt.ts";
import type { Workspace } from "../../../core/workspace.ts";
import { openWork, type Work } from "../../../engine/running.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli } from "../context.ts";
import { roughlyAgo, sessionWords } from "../output/phrases.ts";

const TITLE_CHARS = 50;

/** One line about work that has not ended: its id, what it is for, since when, and where. */
export function workLine({ kind, id, title, sinceMs, cwd, loop, tasks }: Work): string {
  const words = shorten(printable(title), TITLE_CHARS);
  const what =
    kind === "execution" ? `ralph execute on ${firstNamed(tasks)}` : kind === "task" ? `task: ${words}` : words;
  const session = loop && sessionWords(loop);
  const facts = [
    `since ${roughlyAgo(sinceMs)}`,
    ...(session ? [`in ${session}`] : []),
    ...(cwd ? [`in ${printable(cwd)}`] : []),
  ];
  return `${id}  ${what} (${facts.join(", ")})`;
}

/** The error for a command without a name when several pieces of work run. */
export const severalRun = (works: readonly Work[], hint: string, how = "run here"): RalphError =>
  new RalphError("name-missing", [`${works.length} ${how}, name one of them:`, ...works.map(workLine)].join("\n  "), {
    hint,
  });

/**
 * What a command without a name shows: the work that runs in this repository, otherwise the last loop. Throws with a list
 * if several run.
 */
export async function workToShow(
  cli: Cli,
  workspace: Workspace,
  wanted: string | undefined,
  { command, quiet = false }: { command: string; quiet?: boolean | undefined },
): Promise<string> {
  if (wanted !== undefined) return wanted;
  const { running } = await openWork(workspace);
  const [only, another] = running;
  if (only && another) throw severalRun(running, `\`${command} ${only.id}\` shows that one`);
  if (only) return only.id;
  const [last] = await workspace.store.summaries({ limit: 1 });
  // A script asked for the last loop, and only reads what is wrong.
  if (last && !quiet && cli.process.stderr.isTTY)
    cli.report(paint("dim", `nothing is running here: this is the last loop, ${last.id}`));
  return "last";
}
