import { adapterFor, checkAgent } from "../adapters/agents/agent.ts";
import { environment } from "../adapters/io/environment.ts";
import { RalphError } from "../core/errors.ts";
import type { AgentSpec, LoopSpec } from "../core/loop/spec.ts";
import { type JudgeSpec, leavesOf, type Semantic } from "../core/proof/proof.ts";

/** Refuses a judge that could never answer, before any work is paid for. */
export async function checkJudges(spec: LoopSpec): Promise<void> {
  for (const leaf of leavesOf(spec.proof.stages)) {
    if (leaf.method !== "semantic") continue;
    checkQuestion(leaf, leaf.name);
    if (leaf.checkFor.length === 0) continue;
    if (leaf.judge.by === "http") checkKey(leaf.judge);
    else await checkJudgeAgents(leaf.judge, spec);
  }
}

function checkQuestion({ checkFor, negativePatterns }: Semantic, name: string): void {
  if (checkFor.length + negativePatterns.length > 0) return;
  throw new RalphError("nothing-to-judge", `the stage ${name} has nothing to judge`, {
    hint: 'say what has to hold: "verification_config": {"check_for": ["…"]}, or name negative_patterns',
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
  throw new RalphError("judge-model", `the agent ${agent.command} cannot be told to judge with the model ${model}`, {
    hint: 'leave the model out, or name a judge that knows it: {"judge": {"agent": {"command": "claude"}, "model": "…"}}',
  });
}
