import { earlierLevel } from "../proof/level-of.ts";
import { commandStage } from "../proof/methods/external.ts";
import { type BreakableRule, type CleanRoom, NO_PROOF, type Proof } from "../proof/proof.ts";
import type { LoopEvent, Tamper, TurnBegan, TurnEnded, Verdict } from "./events.ts";
import { DEFAULT_FEEDBACK_CHARS, type Fingerprints, type LoopSpec, OF_ITS_OWN } from "./spec.ts";

/** An event as older versions wrote it: commands only, no nonce, no model, and only the paths of tampered files. */
export type KeptEvent =
  | Exclude<LoopEvent, { type: "loop.started" | "turn.began" | "turn.ended" | "claim.judged" }>
  | { type: "loop.started"; spec: KeptSpec; fingerprints: Fingerprints }
  | (Omit<TurnBegan, "nonce"> & { nonce?: string | null })
  | (Omit<TurnEnded, "model"> & { model?: string | null })
  | (Omit<LoopEvent & { type: "claim.judged" }, "verdict"> & { verdict: KeptVerdict });

type KeptSpec = Omit<LoopSpec, "proof" | "feedbackMaxChars" | keyof typeof OF_ITS_OWN> &
  Partial<Pick<LoopSpec, keyof typeof OF_ITS_OWN>> & {
    /** Without the rules of later versions. */
    proof?: Omit<Proof, LaterRules | "cleanRoom"> &
      Partial<Pick<Proof, LaterRules>> & { cleanRoom: (Omit<CleanRoom, "mode"> & Partial<CleanRoom>) | null };
    feedbackMaxChars?: number;
    checks?: readonly { name: string; command: string; timeoutMs: number }[];
  };
type LaterRules = "missingOk" | "scope" | "differential" | "services";
type KeptVerdict = Omit<Verdict, "tampered"> & {
  tampered?: readonly (Tamper | string)[];
  /** Those of the checks, and `promise only`, which levels replaced. */
  label?: string;
};

/** Converts an event to the current format: a journal outlives the version that wrote it. */
export function upcast(event: KeptEvent): LoopEvent {
  switch (event.type) {
    case "loop.started":
      return { ...event, spec: specOf(event.spec) };
    case "turn.began":
      return { ...event, nonce: event.nonce ?? null };
    case "turn.ended":
      return { ...event, model: event.model ?? null };
    case "claim.judged":
      return { ...event, verdict: verdictOf(event.verdict) };
    default:
      return event;
  }
}

function specOf({ checks = [], ...spec }: KeptSpec): LoopSpec {
  const stages = checks.map(({ command, ...check }) => ({
    ...commandStage(command),
    ...check,
  }));
  // The state before the work was not recorded, and cannot be recorded later.
  const kept = { ...NO_PROOF, ...(spec.proof ?? { baseline: false, zeroWorkGuard: false, stages }) };
  const proof: Proof = {
    ...kept,
    cleanRoom: kept.cleanRoom && { ...kept.cleanRoom, mode: kept.cleanRoom.mode ?? "commit" },
  };
  return { ...OF_ITS_OWN, ...spec, proof, feedbackMaxChars: spec.feedbackMaxChars ?? DEFAULT_FEEDBACK_CHARS };
}

function verdictOf({ tampered, label, ...verdict }: KeptVerdict): Verdict {
  const { broken, brokenRules = broken?.map(ruleIn) } = verdict;
  const named = tampered?.map((one) => (typeof one === "string" ? { path: one, change: "changed" } : one));
  const isUnlevelled = verdict.is === "pass" && verdict.proof === undefined;
  return {
    ...verdict,
    ...(named ? { tampered: named } : {}),
    ...(brokenRules ? { brokenRules } : {}),
    ...(isUnlevelled ? { proof: earlierLevel(verdict, label) } : {}),
  };
}

/** The beginnings of the texts by which earlier versions recorded broken rules; all others were failures of git. */
const RULE_TEXTS: readonly [RegExp, BreakableRule][] = [
  [/^no commit/, "new-commit"],
  [/^no command/, "command-passed"],
  [/^the work was /, "approval"],
  [/^files of the work /, "review-only"],
  [/^(?:the checked files are|what was checked is) not /, "committed"],
];

const ruleIn = (text: string): BreakableRule => RULE_TEXTS.find(([start]) => start.test(text))?.[1] ?? "git-readable";
