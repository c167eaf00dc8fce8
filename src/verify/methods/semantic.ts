import { randomBytes } from "node:crypto";
import { adapterFor, checkAgent } from "../../adapters/agents/agent.ts";
import { environment } from "../../adapters/io/environment.ts";
import type { AgentSpec } from "../../core/agent-spec.ts";
import type { BlobWriter } from "../../core/blobs.ts";
import { RalphError } from "../../core/errors.ts";
import { shorten } from "../../core/excerpt.ts";
import { verdictOn } from "../../core/judge/findings.ts";
import { judgeQuestion } from "../../core/judge/question.ts";
import type { CheckResult } from "../../core/loop/events.ts";
import { plainResult } from "../../core/loop/results.ts";
import type { LoopSpec } from "../../core/loop/spec.ts";
import type { LoopState } from "../../core/loop/state.ts";
import { JUDGE_UNAVAILABLE } from "../../core/proof/level-of.ts";
import type { JudgeSpec, LeafOf } from "../../core/proof/proof.ts";
import { type Evidence, gatherEvidence } from "../judge/evidence.ts";
import type { StageContext } from "../verification-context.ts";
import type { MethodRunner } from "./method.ts";

type SemanticLeaf = LeafOf<"semantic">;
type Answer = Partial<CheckResult> & Pick<CheckResult, "is" | "reason">;

const CRITERIA_CHARS = 20_000;

export const runSemantic: MethodRunner<SemanticLeaf> = {
  async run(leaf, { log }, context) {
    const startedMs = performance.now();
    log.create();
    try {
      const answer = await answerTo(leaf, context, log);
      if (!answer) return null;
      const ms = Math.round(performance.now() - startedMs);
      return plainResult({ name: leaf.name, command: leaf.method }, { log: log.path, ms, ...answer });
    } finally {
      log.close();
    }
  },
  async check(leaf, spec) {
    checkQuestion(leaf);
    if (leaf.checkFor.length === 0) return;
    if (leaf.judge.by === "http") checkKey(leaf.judge);
    else await checkJudgeAgents(leaf.judge, spec);
  },
};

async function answerTo(leaf: SemanticLeaf, about: StageContext, log: BlobWriter): Promise<Answer | null> {
  const { state } = about;
  if (!state) return unknown("there is no work to judge yet");
  const evidence = await gatherEvidence({ ...about, state }, leaf.negativePatterns, `${log.path}.git`);
  if (about.stops.soft.aborted) return null;
  return withoutJudge(leaf, evidence) ?? withJudge(leaf, evidence, { about: { ...about, state }, log });
}

const unknown = (reason: string): Answer => ({ is: "unknown", reason });

function withoutJudge({ checkFor, negativePatterns }: SemanticLeaf, { hit, blind }: Evidence): Answer | null {
  if (hit) {
    const reason = `${JSON.stringify(hit.pattern)} occurs in ${hit.where}`;
    return { is: "fail", reason, excerpt: `${reason}, which is not allowed: finish that work.` };
  }
  if (blind !== null) return unknown(blind);
  if (checkFor.length > 0) return null;
  if (negativePatterns.length === 0)
    return unknown("there is nothing to judge: check_for and negative_patterns are empty");
  return { is: "pass", reason: `none of ${negativePatterns.map((text) => JSON.stringify(text)).join(", ")} occurs` };
}

interface Asking {
  about: StageContext & { state: LoopState };
  log: BlobWriter;
}

async function withJudge(leaf: SemanticLeaf, { sections }: Evidence, { about, log }: Asking): Promise<Answer | null> {
  const { checkFor } = leaf;
  const chars = checkFor.join("").length;
  if (chars > CRITERIA_CHARS) return unknown(`the criteria are too long for a judge: ${chars} characters`);
  const fence = randomBytes(12).toString("hex");
  const question = judgeQuestion({ criteria: checkFor, sections, fence });
  log.write(Buffer.from(`===== the question =====\n${question}\n===== output of the judge =====\n`));
  const { askJudge } = await import("../judge/ask-judge.ts");
  const reply = await askJudge(leaf, question, { about, log });
  switch (reply.is) {
    case "stopped":
      return null;
    case "refused":
      return unknown(`the judge cannot answer: ${reply.why}`);
    case "unavailable":
      return fallback(leaf, reply.why, about.state);
    case "answered": {
      const { readJudgement } = await import("../../core/schema/judgement.ts");
      const judgement = readJudgement(reply.text);
      if (!judgement) return unknown(`the judge's answer has the wrong form: ${shorten(reply.text, 120)}`);
      const verdict = verdictOn(checkFor, judgement, sections);
      return verdict ?? unknown("the judge did not answer every criterion exactly once");
    }
  }
}

/** Without a judge the promise alone decides, and nothing the agent says may contradict it. */
function fallback({ onError }: SemanticLeaf, why: string, { turn }: LoopState): Answer {
  const reason = `the judge did not answer (${why})`;
  if (onError === "unknown") return unknown(reason);
  const contradicted = turn?.doubts.find(({ is }) => is === "contradicted");
  if (turn?.claim && !contradicted) {
    return { is: "pass", reason: `${reason}; the promise was given: ${turn.claim.quote}`, label: JUDGE_UNAVAILABLE };
  }
  const words = contradicted ? `the agent's own words contradict it: ${contradicted.quote}` : "there is no promise";
  return { is: "fail", reason: `${reason}; ${shorten(words, 200)}`, label: JUDGE_UNAVAILABLE };
}

function checkQuestion({ name, checkFor, negativePatterns }: SemanticLeaf): void {
  if (checkFor.length + negativePatterns.length > 0) return;
  throw new RalphError("nothing-to-judge", `the stage ${name} has nothing to judge`, {
    hint: 'specify what must be true: "verification_config": {"check_for": ["…"]}, or set negative_patterns',
  });
}

function checkKey({ dialect, keyVariable }: JudgeSpec & { by: "http" }): void {
  if (environment()[keyVariable]) return;
  throw new RalphError("judge-key", `the judge of ${dialect} needs a key, and $${keyVariable} is not set`, {
    hint: `export ${keyVariable}=…, or name another variable: {"judge": {"api_key_env": "…"}}`,
  });
}

async function checkJudgeAgents(
  { agent, model }: JudgeSpec & { by: "agent" },
  { agents, cwd }: LoopSpec,
): Promise<void> {
  if (agent) checkAgent(agent, cwd);
  if (model === null) return;
  for (const one of agent ? [agent] : agents) await checkModel(one, model);
}

async function checkModel(agent: AgentSpec, model: string): Promise<void> {
  const { takesModel } = await adapterFor(agent);
  if (takesModel) return;
  throw new RalphError("judge-model", `the agent ${agent.command} cannot judge with the model ${model}`, {
    hint: 'omit the model, or specify a judge that supports it: {"judge": {"agent": {"command": "claude"}, "model": "…"}}',
  });
}
