import type { ClaimPolicy } from "./claim/policy.ts";
import type { TaskPart } from "./loop/spec.ts";
import type { Proof } from "./proof/proof.ts";
import { isReviewing, REVIEW_FORM } from "./review.ts";

/** Where in its loop a turn is. */
export interface TurnPlace {
  n: number;
  maxIterations: number | null;
}

/** What done means for the agent of one stage of a task, and how it says so. */
export function stageSection(
  part: TaskPart,
  claim: ClaimPolicy,
  proof: Pick<Proof, "outcome" | "acceptance">,
  { n, maxIterations }: TurnPlace,
): string {
  return [
    `## Ralph Loop Status\n\n- **Iteration**: ${n}${maxIterations === null ? "" : `/${maxIterations}`}\n- **Agent**: ${part.place}`,
    `## Task Outcome (What "Done" Means)\n\n${proof.outcome || "Complete the assigned task."}`,
    ...(proof.acceptance.length > 0
      ? [`## Acceptance Criteria\n\n${proof.acceptance.map((item) => `- [ ] ${item}`).join("\n")}`]
      : []),
    "## Your Completion Requirements",
    `**Success Criteria for ${part.place}:**\n${part.description}`,
    ...(isReviewing(part.place) ? [reviewRequirement()] : []),
    promiseRequirement(part, claim),
    `The loop continues until the work is proven done${maxIterations === null ? "" : `, at most until iteration ${maxIterations}`}.`,
  ].join("\n\n");
}

function promiseRequirement({ method }: TaskPart, claim: ClaimPolicy): string {
  const tag = claim.tags[0] ?? "promise";
  return [
    "When all of this truly is the case, and only then, end your last message with this line:",
    "",
    `<${tag}>${claim.promise}</${tag}>`,
    "",
    "- It asks for verification, which is done without you:",
    ...method.split("\n").map((line) => `  - ${line}`),
    "- A false promise is detected: the next prompt says why, and the loop continues.",
    "- If you cannot continue without the user, say what is missing in <blocked>…</blocked> instead.",
  ].join("\n");
}

function reviewRequirement(): string {
  return [
    "Say what you make of the work in your last message, on one line, as JSON:",
    "",
    REVIEW_FORM,
    "",
    "- Real faults: approved is false, each is a finding of its own, and no promise follows. The task goes back to its coder with your findings.",
    "- None: approved is true and the list of findings is empty.",
  ].join("\n");
}
