import { randomBytes } from "node:crypto";
import type { BlobWriter } from "../core/blobs.ts";
import { shorten } from "../core/excerpt.ts";
import { verdictOn } from "../core/judging/findings.ts";
import { judgeQuestion } from "../core/judging/question.ts";
import type { CheckResult } from "../core/loop/events.ts";
import type { LoopState } from "../core/loop/state.ts";
import { JUDGE_UNAVAILABLE } from "../core/proof/level-of.ts";
import type { Leaf } from "../core/proof/proof.ts";
import { type Evidence, gatherEvidence } from "./evidence.ts";
import type { Case } from "./verification-context.ts";

type SemanticLeaf = Leaf & { method: "semantic" };
type Answer = Partial<CheckResult> & Pick<CheckResult, "is" | "reason">;

const CRITERIA_CHARS = 20_000;

/** Lets a judge decide from evidence; null when the stop signal cut it short. */
export async function judgeSemantic(leaf: SemanticLeaf, log: BlobWriter, about: Case): Promise<CheckResult | null> {
  const startedMs = performance.now();
  log.create();
  try {
    const answer = await answerTo(leaf, about, log);
    if (!answer) return null;
    const ms = Math.round(performance.now() - startedMs);
    return { name: leaf.name, command: "semantic", code: null, excerpt: "", log: log.path, ms, ...answer };
  } finally {
    log.close();
  }
}

async function answerTo(leaf: SemanticLeaf, about: Case, log: BlobWriter): Promise<Answer | null> {
  const { state } = about;
  if (!state) return unknown("there is no work to be judged yet");
  const evidence = await gatherEvidence({ ...about, state }, leaf.negativePatterns, `${log.path}.git`);
  if (about.stops.soft.aborted) return null;
  return withoutJudge(leaf, evidence) ?? withJudge(leaf, evidence, { about: { ...about, state }, log });
}

const unknown = (reason: string): Answer => ({ is: "unknown", reason });

/** What needs nobody's judgement. */
function withoutJudge({ checkFor, negativePatterns }: SemanticLeaf, { hit, blind }: Evidence): Answer | null {
  if (hit) {
    const reason = `${JSON.stringify(hit.pattern)} occurs in ${hit.where}`;
    return { is: "fail", reason, excerpt: `${reason}, and must not: finish what it stands for.` };
  }
  if (blind !== null) return unknown(blind);
  if (checkFor.length > 0) return null;
  if (negativePatterns.length === 0)
    return unknown("there is nothing to judge: check_for and negative_patterns are empty");
  return { is: "pass", reason: `none of ${negativePatterns.map((text) => JSON.stringify(text)).join(", ")} occurs` };
}

interface Asking {
  about: Case & { state: LoopState };
  log: BlobWriter;
}

async function withJudge(leaf: SemanticLeaf, { sections }: Evidence, { about, log }: Asking): Promise<Answer | null> {
  const { checkFor } = leaf;
  const chars = checkFor.join("").length;
  if (chars > CRITERIA_CHARS) return unknown(`the criteria are too long for a judge: ${chars} characters`);
  const fence = randomBytes(12).toString("hex");
  const question = judgeQuestion({ criteria: checkFor, sections, fence });
  log.write(Buffer.from(`===== the question =====\n${question}\n===== what the judge prints =====\n`));
  const { askJudge } = await import("./ask-judge.ts");
  const reply = await askJudge(leaf, question, { about, log });
  switch (reply.is) {
    case "stopped":
      return null;
    case "refused":
      return unknown(`the judge cannot answer: ${reply.why}`);
    case "unavailable":
      return fallback(leaf, reply.why, about.state);
    case "answered": {
      const { readJudgement } = await import("../core/schema/judgement.ts");
      const judgement = readJudgement(reply.text);
      if (!judgement) return unknown(`the judge's answer is not what was asked for: ${shorten(reply.text, 120)}`);
      const verdict = verdictOn(checkFor, judgement, sections);
      return verdict ?? unknown("the judge did not answer every criterion exactly once");
    }
  }
}

/** Without a judge the promise alone decides, and then nothing the agent says may speak against it. */
function fallback({ onError }: SemanticLeaf, why: string, { turn }: LoopState): Answer {
  const reason = `the judge did not answer (${why})`;
  if (onError === "unknown") return unknown(reason);
  const contradicted = turn?.doubts.find(({ is }) => is === "contradicted");
  if (turn?.claim && !contradicted) {
    return { is: "pass", reason: `${reason}; the promise was given: ${turn.claim.quote}`, label: JUDGE_UNAVAILABLE };
  }
  const words = contradicted ? `the agent's own words speak against it: ${contradicted.quote}` : "there is no promise";
  return { is: "fail", reason: `${reason}; ${shorten(words, 200)}`, label: JUDGE_UNAVAILABLE };
}
