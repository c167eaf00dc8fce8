import { printable } from "../../../core/ansi.ts";
import { counted } from "../../../core/excerpt.ts";
import { isLevel } from "../../../core/proof/level.ts";
import type { TaskEvent } from "../../../core/task/events.ts";
import { isStage, ROLES } from "../../../core/task/role.ts";
import type { TaskState } from "../../../core/task/state.ts";
import { paint } from "../../terminal/paint.ts";
import { markOf } from "./end-lines.ts";

/** The lines for an event of a task as it happens. */
export function taskEventLines(id: string, event: TaskEvent, state: TaskState): string[] {
  const name = paint("cyan", id);
  switch (event.type) {
    case "work.prepared":
      return [`${name} branch ${event.work.branch}, worktree ${event.work.worktree}`];
    case "stage.began":
      return [
        `${paint("bold", `${id} ${event.place}`)} begins ${paint("dim", `(loop ${event.loop}${againOf(state)})`)}`,
      ];
    case "stage.ended":
      return [stageLine(name, event), ...discardedLines(name, event), ...afterwards(name, state)];
    case "work.updated":
      return event.conflicts.length === 0
        ? []
        : [paint("yellow", `${id} conflicts with ${state.work?.target}: ${printable(event.conflicts.join(", "))}`)];
    case "merge.refused":
      return [paint("red", `${id} not merged: ${printable(event.findings.join("; "))}`), ...afterwards(name, state)];
    case "merge.waits":
      return [waitsLine(id, printable(event.why))];
    case "task.merged":
      return [doneLine(id, event.commit, state)];
    case "task.blocked":
      return afterwards(name, state);
    case "task.cancelled":
      return [
        paint(
          "yellow",
          `${id} cancelled by ${printable(event.by)}: back to todo, held until \`ralph task update ${id} --status todo\``,
        ),
      ];
    default:
      return [];
  }
}

export const waitsLine = (id: string, why: string): string =>
  paint("yellow", `${id} is proven, but not merged yet: ${why}`);

function doneLine(id: string, commit: string, { proof, work }: TaskState): string {
  const merged = `merged into ${work?.target} (${commit.slice(0, 10)})`;
  return `${paint("cyan", id)} ${proof ? markOf(proof, `done, ${proof}`) : paint("green", "✓ done")}: ${merged}`;
}

const againOf = ({ attempt, rounds }: TaskState): string =>
  [...(attempt > 1 ? [`attempt ${attempt}`] : []), ...(rounds > 0 ? [`round ${rounds + 1}`] : [])]
    .map((words) => `, ${words}`)
    .join("");

/** The discarded changes of reviewers, which are not kept. */
const discardedLines = (name: string, { place, discarded = [] }: TaskEvent & { type: "stage.ended" }): string[] =>
  discarded.length === 0
    ? []
    : [
        `${name} ${paint("yellow", `the ${place} changed its copy, which was discarded: ${printable(discarded.join(", "))}`)}`,
      ];

function stageLine(name: string, event: TaskEvent & { type: "stage.ended" }): string {
  const { place, reason, detail, iterations, weak = [] } = event;
  const facts = paint("dim", `(${counted(iterations, "iteration")})`);
  const named = weak.length > 0 ? ` (${printable(weak.join("; "))})` : "";
  if (isLevel(reason)) return `${name} ${markOf(reason, `${place} ${reason}`)}${named} ${facts}`;
  return `${name} ${paint("red", `✗ ${place}: ${reason}`)}${detail ? `: ${printable(detail)}` : ""} ${facts}`;
}

function afterwards(name: string, { status, at, blocked, attempt, limits, rounds }: TaskState): string[] {
  if (status === "blocked") return [`${name} ${paint("red", "■ blocked")}: ${printable(blocked ?? "")}`];
  if (status === "todo") return [`${name} back to todo for attempt ${attempt} of ${limits.maxAttempts}`];
  if (status === "implementing" && isStage(at) && ROLES[at].implements && rounds > 0)
    return [`${name} ${paint("yellow", "sent back to the coder")} (round ${rounds} of ${limits.maxRounds})`];
  return [];
}
