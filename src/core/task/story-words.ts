import { stopFacts } from "../loop/stop-reasons.ts";
import { isLevel, LEVEL_WORDS } from "../proof/level.ts";
import { taskEventWords } from "./event-words.ts";
import type { TaskState } from "./state.ts";
import type { StoryEvent, StoryRound, StoryStage } from "./story.ts";

/** How a task stands, with its mark: `✓ merged, verified`, `■ blocked`, `… implementing`. */
export function standWords({ status, proof, held, waits, at }: TaskState): string {
  if (status === "done") return proof ? `${LEVEL_WORDS[proof].mark} merged, ${proof}` : "✓ merged";
  if (status === "blocked") return "■ blocked";
  if (held) return "■ held";
  if (waits !== null) return "■ proven, not merged yet";
  if (status === "todo" || status === "cancelled" || status === "proposed") return `… ${status}`;
  return `… ${status}${at === status ? "" : ` (${at})`}`;
}

export const roundWords = ({ attempt, round }: StoryRound): string => `attempt ${attempt}, round ${round}`;

/** Who sent it back; empty if it was not. */
export const sentBackWords = ({ sentBackBy }: StoryRound): string =>
  sentBackBy === null ? "" : `sent back by ${sentBackBy === "merge" ? "the merge" : `the ${sentBackBy}`}`;

const ENDS = { "sent-back": "sent the task back to the coder", blocked: "blocked the task", failed: "failed" } as const;

/** How a stage ended: `✓ verified`, `✗ sent the task back to the coder: faults-found`. */
export function stageEndWords({ reason, effect }: StoryStage): string {
  if (reason === null) return "has not ended";
  if (isLevel(reason)) return `${stopFacts(reason).mark} ${reason}`;
  return `✗ ${effect === "passed" || effect === "open" ? reason : ENDS[effect]}: ${reason}`;
}

/** Why a stage failed; empty if its findings say so. `decided`: what decided it, with failing tests. */
export function stageWhy({ reason, effect, detail, findings }: StoryStage, decided = ""): string {
  if (reason === null || isLevel(reason) || findings.length > 0) return "";
  return effect === "sent-back" ? detail : decided || detail;
}

/** Events of the merge, which are shown like a stage; null for others. */
export function mergeWords({ event, effect }: StoryEvent): string | null {
  switch (event.type) {
    case "merge.refused":
      return `✗ ${ENDS[effect === "blocked" ? "blocked" : "sent-back"]}`;
    case "merge.proven":
    case "task.merged":
    case "merge.waits":
    case "work.updated":
      return taskEventWords(event).replace(/^merge /, "");
    default:
      return null;
  }
}
