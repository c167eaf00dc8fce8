import type { ClaimPolicy } from "./claim/policy.ts";
import type { TaskPart } from "./loop/spec.ts";
import type { Proof } from "./proof/proof.ts";
import { REVIEW_FORM } from "./review.ts";
import { ROLES } from "./task/role.ts";

/** The position of a turn in its loop. */
export interface TurnPlace {
  n: number;
  maxIterations: number | null;
}

/** What "done" means for the agent of one stage of a task, and how it claims completion. */
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
    ...(ROLES[part.place].reviews ? [reviewRequirement()] : []),
    promiseRequirement(part, claim),
    `The loop continues until the work is proven done${maxIterations === null ? "" : `, at most until iteration ${maxIterations}`}.`,
  ].join("\n\n");
}

function promiseRequirement({ method }: TaskPart, claim: ClaimPolicy): string {
  const tag = claim.tags[0] ?? "promise";
  return [
    "When all of this is true, and only then, end your last message with this line:",
    "",
    `<${tag}>${claim.promise}</${tag}>`,
    "",
    "- It asks for verification, which Ralph runs itself:",
    ...method.split("\n").map((line) => `  - ${line}`),
    "- A false promise is detected: the next prompt says why, and the loop continues.",
    "- If you cannot continue without the user, say what is missing in <blocked>…</blocked> instead.",
  ].join("\n");
}

function reviewRequirement(): string {
  return [
    "Give your review in your last message, on one line, as JSON:",
    "",
    REVIEW_FORM,
    "",
    "- Real faults: set approved to false, list each as its own finding, and give no promise. The task goes back to its coder with your findings.",
    "- No faults: set approved to true and leave the list of findings empty.",
  ].join("\n");
}
