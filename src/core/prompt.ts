import type { ClaimPolicy } from "./claim/policy.ts";
import { itemText } from "./loop/feedback-budget.ts";
import type { TaskPart } from "./loop/spec.ts";
import type { Feedback } from "./loop/state.ts";
import type { Proof } from "./proof/proof.ts";
import { stageSection, type TurnPlace } from "./stage-prompt.ts";

interface PromptParts {
  base: string;
  feedback: Feedback;
  claim: ClaimPolicy;
  completionInstructions: boolean;
  proof: Pick<Proof, "outcome" | "acceptance" | "scope">;
  nonce?: string | null;
  /** The part of a task it is for: then the text of the stage says what "done" means. */
  part?: TaskPart | null;
  at?: TurnPlace;
  /** The section about the iterations before it. */
  past?: string | null;
}

const FIRST: TurnPlace = { n: 1, maxIterations: null };

/** The prompt: the task, what was done for it, why that was not enough, and how to ask for verification. */
export function buildPrompt(prompt: PromptParts): string {
  const {
    base,
    feedback,
    claim,
    completionInstructions,
    proof,
    nonce = null,
    part = null,
    at = FIRST,
    past = null,
  } = prompt;
  const texts = (action: "APPEND" | "PREPEND" | "REPLACE") =>
    feedback.filter((item) => item.action === action).map(itemText);
  const replaced = texts("REPLACE");
  const task = replaced.length > 0 ? replaced.join("\n\n") : base.trimEnd();
  // A replaced task no longer names the tag, so the requirement is added.
  // Only Ralph knows the promise of a turn that has a nonce.
  const wanted = nonce !== null || (completionInstructions && (replaced.length > 0 || !namesTag(base, claim)));
  const parts = [
    ...texts("PREPEND"),
    task,
    ...(part ? [] : whatDoneMeans(proof)),
    ...scopeSection(proof.scope),
    ...(past === null ? [] : [past]),
    // After the memory: what failed counts more than what was said.
    ...texts("APPEND"),
    ...(part ? [stageSection(part, claim, proof, at)] : wanted ? [completionRequirement(claim)] : []),
  ];
  // No argument of a program can contain a NUL, and a check's output may.
  return parts.join("\n\n").replaceAll("\0", "\uFFFD");
}

/** The criteria were set when the loop was created; the agent may know them. */
function whatDoneMeans({ outcome, acceptance }: PromptParts["proof"]): string[] {
  if (outcome === "" && acceptance.length === 0) return [];
  const parts = [
    ...(outcome ? [outcome] : []),
    ...(acceptance.length > 0 ? [acceptance.map((item) => `- ${item}`).join("\n")] : []),
  ];
  return [`## What done means\n\n${parts.join("\n\n")}`];
}

function scopeSection(scope: readonly string[]): string[] {
  if (scope.length === 0) return [];
  const rules = scope.map((pattern) => {
    if (pattern.startsWith("!")) return `- not \`${pattern.slice(1)}\``;
    return pattern.startsWith("+") ? `- \`${pattern.slice(1)}\`: new files only` : `- \`${pattern}\``;
  });
  return [`## Scope\n\nOnly these paths may change; a change anywhere else is refused:\n\n${rules.join("\n")}`];
}

const namesTag = (text: string, claim: ClaimPolicy): boolean =>
  claim.tags.some((tag) => text.toLowerCase().includes(`<${tag}>`));

/** The section that says how to claim completion. */
export function completionRequirement(claim: ClaimPolicy): string {
  const tag = claim.tags[0] ?? "promise";
  return [
    "## Completion",
    "",
    "When the task is done, and only then, end your last message with this line:",
    "",
    `<${tag}>${claim.promise}</${tag}>`,
    "",
    "It asks for verification: the checks run at once and decide. If they fail, the next prompt says why and you continue.",
    "If you cannot continue without the user, say what is missing in <blocked>…</blocked> instead.",
  ].join("\n");
}
