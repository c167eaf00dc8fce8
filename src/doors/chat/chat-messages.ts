import { printable } from "../../core/ansi.ts";
import { formatDuration } from "../../core/duration.ts";
import { RalphError } from "../../core/errors.ts";
import { shorten } from "../../core/excerpt.ts";
import type { RunSummary } from "../../core/workflow/store.ts";
import type { Workflow } from "../../core/workflow/workflow.ts";
import type { LoadedWorkflows } from "../workflow/file/files.ts";
import type { WorkflowMatch } from "../workflow/file/triggers.ts";

const MOST_LISTED = 50;
const LINE_CHARS = 160;
const COMMANDS = "Say `status` for what runs here, `cancel` to stop it, `help` for this list.";

/** What can be asked for here. */
export function helpWords({ workflows, faulty }: LoadedWorkflows): string {
  const unread = faulty.length === 0 ? [] : [faultyWords(faulty.length)];
  if (workflows.length === 0)
    return ["There are no workflows here yet: they are YAML files in .ralph/workflows.", ...unread].join("\n\n");
  const lines = workflows.slice(0, MOST_LISTED).map(lineOf);
  if (workflows.length > lines.length) lines.push(`- and ${workflows.length - lines.length} more`);
  return ["Name a workflow, or say one of its phrases, and it runs here:", lines.join("\n"), ...unread, COMMANDS].join(
    "\n\n",
  );
}

const faultyWords = (count: number): string =>
  `${count === 1 ? "One file is" : `${count} files are`} not understood: \`ralph workflow validate\` says why.`;

function lineOf({ name, description, triggers }: Workflow): string {
  const phrases = triggers.slice(0, 3).map((phrase) => `“${phrase}”`);
  const about = shorten(printable(description.split("\n").find((line) => line.trim() !== "") ?? ""), LINE_CHARS);
  return `- **${name}**${about ? `: ${about}` : ""}${phrases.length > 0 ? ` Say ${phrases.join(", ")}.` : ""}`;
}

/** Why a message has started nothing. */
export function unmatchedWords(match: Exclude<WorkflowMatch, { is: "match" }>, loaded: LoadedWorkflows): string {
  if (match.is === "ambiguous") {
    const names = match.workflows.map(({ name }) => `**${name}**`).join(", ");
    return `“${match.phrase}” could mean ${names}: say which, such as \`run ${match.workflows[0]?.name}\`.`;
  }
  const faulty = match.asked === null ? undefined : loaded.faulty.find(({ name }) => name === match.asked);
  if (faulty)
    return `${faulty.file} is not understood: ${faulty.faults[0]?.text ?? "`ralph workflow validate` says why"}`;
  const why = match.asked === null ? "No workflow fits that." : `There is no workflow “${shorten(match.asked, 80)}”.`;
  return `${why}\n\n${helpWords(loaded)}`;
}

/** Where a run is: `iteration 3/20`, `step 2/3`, `queued`. */
function placeOf({ status, currentStep, steps, metadata }: RunSummary): string {
  if (status === "queued") return "queued";
  const isLoop = metadata.iteration_count !== undefined && metadata.max_iterations === steps;
  const place = `${isLoop ? "iteration" : "step"} ${currentStep}/${steps}`;
  return status === "running" ? place : `${status} at ${place}`;
}

/** What runs and waits in a conversation, the oldest first; and how its last run has ended, where nothing does. */
export function chatStatusWords(open: readonly RunSummary[], last: RunSummary | undefined, nowMs: number): string {
  if (open.length > 0)
    return open
      .slice(0, MOST_LISTED)
      .map((run) => runLine(run, nowMs))
      .join("\n");
  if (!last) return `Nothing runs here. ${COMMANDS}`;
  const { workflow, id, status, detail, updatedAtMs } = last;
  const why = status === "completed" || detail === "" ? "" : `: ${shorten(printable(detail), LINE_CHARS)}`;
  return `Nothing runs here. Last: **${workflow}** (run ${id}) ${status} ${formatDuration(nowMs - updatedAtMs)} ago${why}`;
}

const runLine = (run: RunSummary, nowMs: number): string =>
  `- **${run.workflow}** (run ${run.id}): ${placeOf(run)}, since ${formatDuration(nowMs - run.createdAtMs)}`;

/** That a run waits for its turn. */
export function queuedWords(workflow: string, ahead: readonly RunSummary[], others: number): string {
  const [first] = ahead;
  if (!first) return `**Queued**: ${workflow}, behind ${others} of other conversations`;
  const more = ahead.length > 1 ? ` and ${ahead.length - 1} more` : "";
  return `**Queued**: ${workflow}, behind ${first.workflow} (${placeOf(first)})${more}`;
}

/** What was cancelled. */
export function cancelledWords(running: readonly RunSummary[], waiting: readonly RunSummary[]): string {
  if (running.length + waiting.length === 0) return "Nothing runs here.";
  const names = [...running, ...waiting].map(({ workflow, id }) => `${workflow} (run ${id})`);
  return `**${running.length > 0 ? "Cancelling" : "Cancelled"}**: ${names.join(", ")}`;
}

/** What is wrong, and how to mend it; of errors that nobody foresaw only that there was one. */
export const chatErrorText = (error: unknown): string =>
  error instanceof RalphError
    ? [error.message, error.hint].filter(Boolean).join("\n")
    : "an error in Ralph itself; whoever runs the server finds it there";
