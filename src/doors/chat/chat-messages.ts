import { printable } from "../../core/ansi.ts";
import { formatDuration } from "../../core/duration.ts";
import { RalphError } from "../../core/errors.ts";
import { shorten } from "../../core/excerpt.ts";
import type { RunSummary } from "../../core/workflow/store.ts";
import type { Workflow } from "../../core/workflow/workflow.ts";
import type { LoadedWorkflows } from "../workflow/file/files.ts";
import type { WorkflowMatch } from "../workflow/file/triggers.ts";

const MAX_LISTED = 50;
const LINE_CHARS = 160;
const COMMANDS = "Send `status` to see what is running here, `cancel` to stop it, `help` for this list.";

export function helpText({ workflows, faulty }: LoadedWorkflows): string {
  const invalid = faulty.length === 0 ? [] : [faultyText(faulty.length)];
  if (workflows.length === 0)
    return ["There are no workflows here yet: they are YAML files in .ralph/workflows.", ...invalid].join("\n\n");
  const lines = workflows.slice(0, MAX_LISTED).map(lineOf);
  if (workflows.length > lines.length) lines.push(`- and ${workflows.length - lines.length} more`);
  return [
    "Send the name of a workflow, or one of its phrases, to run it here:",
    lines.join("\n"),
    ...invalid,
    COMMANDS,
  ].join("\n\n");
}

const faultyText = (count: number): string =>
  `${count === 1 ? "One file is" : `${count} files are`} invalid: \`ralph workflow validate\` shows why.`;

function lineOf({ name, description, triggers }: Workflow): string {
  const phrases = triggers.slice(0, 3).map((phrase) => `“${phrase}”`);
  const about = shorten(printable(description.split("\n").find((line) => line.trim() !== "") ?? ""), LINE_CHARS);
  return `- **${name}**${about ? `: ${about}` : ""}${phrases.length > 0 ? ` Phrases: ${phrases.join(", ")}.` : ""}`;
}

export function unmatchedText(match: Exclude<WorkflowMatch, { is: "match" }>, loaded: LoadedWorkflows): string {
  if (match.is === "ambiguous") {
    const names = match.workflows.map(({ name }) => `**${name}**`).join(", ");
    return `“${match.phrase}” could mean ${names}: name one, such as \`run ${match.workflows[0]?.name}\`.`;
  }
  const faulty = match.asked === null ? undefined : loaded.faulty.find(({ name }) => name === match.asked);
  if (faulty) return `${faulty.file} is invalid: ${faulty.faults[0]?.text ?? "`ralph workflow validate` shows why"}`;
  const why =
    match.asked === null ? "No workflow matches that." : `There is no workflow “${shorten(match.asked, 80)}”.`;
  return `${why}\n\n${helpText(loaded)}`;
}

/** How far a run is: `iteration 3/20`, `step 2/3`, `queued`. */
function progressOf({ status, currentStep, steps, metadata }: RunSummary): string {
  if (status === "queued") return "queued";
  const isLoop = metadata.iteration_count !== undefined && metadata.max_iterations === steps;
  const progress = `${isLoop ? "iteration" : "step"} ${currentStep}/${steps}`;
  return status === "running" ? progress : `${status} at ${progress}`;
}

/** The active and queued runs of a conversation, oldest first; if there are none, how the last run ended. */
export function conversationStatus(open: readonly RunSummary[], last: RunSummary | undefined, nowMs: number): string {
  if (open.length > 0)
    return open
      .slice(0, MAX_LISTED)
      .map((run) => runLine(run, nowMs))
      .join("\n");
  if (!last) return `Nothing is running here. ${COMMANDS}`;
  const { workflow, id, status, detail, updatedAtMs } = last;
  const why = status === "completed" || detail === "" ? "" : `: ${shorten(printable(detail), LINE_CHARS)}`;
  return `Nothing is running here. Last: **${workflow}** (run ${id}) ${status} ${formatDuration(nowMs - updatedAtMs)} ago${why}`;
}

const runLine = (run: RunSummary, nowMs: number): string =>
  `- **${run.workflow}** (run ${run.id}): ${progressOf(run)}, since ${formatDuration(nowMs - run.createdAtMs)}`;

export function queuedText(workflow: string, ahead: readonly RunSummary[], others: number): string {
  const [first] = ahead;
  if (!first) return `**Queued**: ${workflow}, behind ${others} in other conversations`;
  const more = ahead.length > 1 ? ` and ${ahead.length - 1} more` : "";
  return `**Queued**: ${workflow}, behind ${first.workflow} (${progressOf(first)})${more}`;
}

export function cancelledText(running: readonly RunSummary[], waiting: readonly RunSummary[]): string {
  if (running.length + waiting.length === 0) return "Nothing is running here.";
  const names = [...running, ...waiting].map(({ workflow, id }) => `${workflow} (run ${id})`);
  return `**${running.length > 0 ? "Cancelling" : "Cancelled"}**: ${names.join(", ")}`;
}

/** An error and how to fix it; an unexpected error shows none of its text. */
export const errorText = (error: unknown): string =>
  error instanceof RalphError ? error.text() : "an internal error of Ralph; the server's log has the details";
