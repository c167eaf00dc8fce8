import { leavesOf } from "../proof/proof.ts";
import { totalTokens, type Usage } from "../usage.ts";
import { decide, workedMs } from "./decide.ts";
import type { CheckResult, LoopEvent } from "./events.ts";
import { isFailing } from "./feedback-results.ts";
import { iterationsDone, type LoopState } from "./state.ts";

/** What a driven loop does now, as far as its journal shows it. */
export interface Activity {
  is: "agent" | "baseline" | "guardrails" | "checks" | "effect" | "waiting" | "next";
  /** The commands that run, or one of which runs. */
  names: readonly string[];
  sinceMs: number;
}

export function activityIn(state: LoopState, nowMs: number): Activity {
  const { spec, atMs } = state;
  const checks = () => leavesOf(spec?.proof.stages ?? []).map(({ name }) => name);
  const doing = (is: Activity["is"], names: readonly string[] = []): Activity => ({ is, names, sinceMs: atMs });
  const decision = decide(state, nowMs);
  switch (decision.do) {
    case "await":
    case "recover":
      return doing("agent");
    case "baseline":
      return doing("baseline", checks());
    case "guard":
      return doing("guardrails", spec?.guardrails.map(({ name }) => name) ?? []);
    case "judge":
      return doing("checks", checks());
    case "effect":
      return doing("effect", [decision.effect.args.join(" ")]);
    case "wait":
      return doing("waiting");
    default:
      return doing("next");
  }
}

/** The last result that Ralph reported about an iteration. */
export interface LastVerdict {
  iteration: number;
  is: CheckResult["is"];
  reason: string;
  /** The guardrails or required checks that did not pass. */
  failing: readonly string[];
}

/** The last verdict after one more event: a failing guardrail vetoes a claim before its checks run. */
export function lastVerdict(before: LastVerdict | null, event: LoopEvent): LastVerdict | null {
  if (event.type === "claim.judged") {
    const { is, reason, checks } = event.verdict;
    const failing = is === "pass" ? [] : checks.filter(isFailing).map(({ name }) => name);
    return { iteration: event.n, is, reason, failing };
  }
  if (event.type !== "guards.ended") return before;
  const failing = event.results.filter(isFailing).map(({ name }) => name);
  if (failing.length === 0) return before;
  return { iteration: event.n, is: "fail", reason: "vetoed by a guardrail", failing };
}

/** What is left until each limit; null: there is no such limit. */
export interface LimitsLeft {
  iterations: number | null;
  ms: number | null;
  costUsd: number | null;
  tokens: number | null;
}

export function limitsLeft(state: LoopState, spent: Usage, nowMs: number): LimitsLeft {
  const { maxIterations, maxMs, maxCostUsd, maxTokens } = state.limits;
  const left = (most: number | null, used: number) => (most === null ? null : Math.max(0, most - used));
  return {
    iterations: left(maxIterations, iterationsDone(state)),
    ms: left(maxMs, workedMs(state, nowMs)),
    costUsd: left(maxCostUsd, spent.costUsd),
    tokens: left(maxTokens, totalTokens(spent)),
  };
}
