import { agentSpec } from "../../agent-spec.ts";
import { timeWords } from "../../duration.ts";
import { RalphError } from "../../errors.ts";
import { open } from "../../receipt/open.ts";
import type { JudgeConfig } from "../../schema/methods.ts";
import { PLACEHOLDER } from "../fields.ts";
import type { JudgeSpec } from "../proof.ts";
import { listed, type ProofContext, type ProofMethod, type Resolving, withTimeout } from "./method.ts";

const DEFAULT_JUDGE_TIMEOUT_S = 300;

/** A judge without its own list judges the acceptance criteria. */
const ACCEPTANCE = { check_for: "{{acceptance_criteria}}" };

/** A judge that decides from evidence what no command can check. */
export const semantic: ProofMethod<"semantic"> = {
  backs: true,
  // A judge costs money, and there is nothing to judge yet.
  inBaseline: false,
  needsStart: true,
  inCleanRoom: false,
  costsMoney: true,
  configAlone: ACCEPTANCE,
  resolve({ method, config: given }, { common, timeoutS, resolving }) {
    const config = withTimeout(given, timeoutS);
    const model = config.model ? { model: config.model } : {};
    return {
      ...common,
      name: common.name || method,
      method,
      checkFor: listed(config.check_for).flatMap((item) => filled(item, resolving)),
      negativePatterns: listed(config.negative_patterns),
      judge: judgeOf({ ...resolving.completion.judge, ...config.judge, ...model }),
      onError: config.on_error ?? "unknown",
      timeoutMs: (config.timeout ?? DEFAULT_JUDGE_TIMEOUT_S) * 1_000,
    };
  },
  subject: ({ checkFor, negativePatterns }) =>
    `semantic: ${checkFor.join("; ") || `none of ${negativePatterns.join(", ")}`}`,
  facts: ({ judge, timeoutMs }) => [`judged by ${judgeWords(judge)}`, `at most ${timeWords(timeoutMs)}`],
  progress: ({ name }) => name,
  uses: ({ checkFor, judge }) => (checkFor.length > 0 && judge.by === "agent" ? { judges: [judge.agent] } : {}),
  receipt: (leaf, common) => ({
    ...common,
    method: leaf.method,
    checkFor: leaf.checkFor.map(open),
    negativePatterns: leaf.negativePatterns.map(open),
    judge: open(judgeWords(leaf.judge)),
    onError: leaf.onError,
    timeoutMs: leaf.timeoutMs,
  }),
};

/** Criteria without a method are judged one by one. */
export const ACCEPTANCE_STAGE = { name: "acceptance criteria", method: "semantic", config: ACCEPTANCE } as const;

function judgeWords(judge: JudgeSpec): string {
  const who = judge.by === "http" ? judge.dialect : (judge.agent?.command ?? "the loop's agent");
  return judge.model === null ? who : `${who} (${judge.model})`;
}

const EXAMPLE_MODELS = { anthropic: "claude-haiku-4-5", openai: "gpt-5.4-mini" };
const KEY_VARIABLES = { anthropic: "ANTHROPIC_API_KEY", openai: "OPENAI_API_KEY" };

function judgeOf({ agent, provider, base_url, api_key_env, model }: JudgeConfig): JudgeSpec {
  if (provider === undefined) return { by: "agent", agent: agent ? agentSpec(agent) : null, model: model ?? null };
  if (model === undefined) {
    throw new RalphError("judge-model", `the judge of ${provider} needs a model`, {
      hint: `name it beside the provider: {"judge": {"provider": "${provider}", "model": "${EXAMPLE_MODELS[provider]}"}}`,
    });
  }
  const keyVariable = api_key_env ?? KEY_VARIABLES[provider];
  return { by: "http", dialect: provider, baseUrl: base_url ?? null, model, keyVariable };
}

/** A text with the fields of the task filled in; `{{acceptance_criteria}}` alone becomes the list of all criteria. */
function filled(text: string, { acceptance, fields }: Resolving): string[] {
  if (/^\{\{\s*acceptance_criteria\s*\}\}$/.test(text.trim())) return [...acceptance];
  return [
    text.replace(PLACEHOLDER, (_, name: string) => {
      const value = name === "acceptance_criteria" ? acceptance.join("; ") : ownField(fields, name);
      if (value !== undefined) return value;
      throw new RalphError("unknown-field", `there is no field {{${name}}}`, {
        hint: `known are ${Object.keys(fields).join(", ")}`,
      });
    }),
  ];
}

const ownField = (fields: ProofContext["fields"], name: string): string | undefined =>
  Object.hasOwn(fields, name) ? fields[name] : undefined;
