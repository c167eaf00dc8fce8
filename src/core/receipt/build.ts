import type { AgentSpec } from "../agent-spec.ts";
import { isOfThisMachine } from "../fingerprints.ts";
import { objectionTo } from "../loop/decide.ts";
import type { CheckResult, TestCounts, Verdict } from "../loop/events.ts";
import type { Guardrail, LoopSpec } from "../loop/spec.ts";
import { iterationsDone, type LoopState } from "../loop/state.ts";
import { labelsOf } from "../proof/level-of.ts";
import { backingLeaves, methodOf } from "../proof/methods.ts";
import { leavesOf } from "../proof/proof.ts";
import type { Draft, Receipt, ReceiptCheck } from "../schema/receipt.ts";
import { totalTokens } from "../usage.ts";
import { shownCriteria } from "./criteria.ts";
import { RECEIPT_TYPE, RECEIPT_VERSION } from "./format.ts";
import type { Gathered } from "./gather.ts";
import { maskedCommand, open } from "./open.ts";

interface Surroundings {
  loop: string;
  tool: { name: string; version: string };
  folder: string;
  /** The state of a checkout without differences from this commit. */
  cleanState(commit: string): string;
}

/** The receipt of a loop, built only from its journal and therefore reproducible. Null if it was not completed. */
export function buildReceipt(gathered: Gathered, around: Surroundings): Draft | null {
  const { state, completedAtMs } = gathered;
  const { spec, turn } = state;
  const verdict = turn && objectionTo(state, turn) !== "no-work" ? turn.verdict : null;
  if (completedAtMs === null || !spec || !turn || verdict?.is !== "pass") return null;
  const { proof = "promise-only", weak = [] } = verdict;
  return {
    type: RECEIPT_TYPE,
    schemaVersion: RECEIPT_VERSION,
    loop: around.loop,
    title: open(spec.title),
    startedAt: new Date(state.startedAtMs).toISOString(),
    completedAt: new Date(completedAtMs).toISOString(),
    proof,
    weak: weak.map(open),
    tool: around.tool,
    subject: subjectOf(verdict, isOfCommit(spec), around),
    claim: open(turn.claim?.quote ?? ""),
    criteria: shownCriteria(spec.proof, spec.claim.promise, verdict.checks),
    verdict: open(verdict.reason),
    labels: labelsOf(verdict.checks),
    checks: verdict.checks.map((check) => shownCheck(check, spec)),
    guardrails: spec.guardrails.map((guardrail, i) => shownGuardrail(guardrail, turn.guards?.[i])),
    baseline: baselineOf(state),
    contradictions: turn.doubts
      .filter(({ is }) => is === "contradicted")
      .map(({ rule, quote }) => ({ rule, quote: open(quote) })),
    protected: Object.entries(state.fingerprints)
      .filter(([key]) => key.startsWith("/") || !isOfThisMachine(key))
      .map(([path, digest]) => ({ path: pathFrom(spec.cwd, path), digest })),
    agent: { command: agentName(spec.agents[state.agent]), model: gathered.model ?? modelFlag(spec, state.agent) },
    agents: gathered.agents.map(({ agent, models, iterations }) => ({
      command: agentName(spec.agents[agent]),
      models: models.length > 0 ? [...models] : [modelFlag(spec, agent) ?? []].flat(),
      iterations,
    })),
    iterations: iterationsDone(state),
    usage: {
      ...state.spent,
      tokens: totalTokens(state.spent),
      ...unknownTurns(state),
    },
    activeMs: state.activeMs,
  };
}

const unknownTurns = ({ unknownCost: { turns, unpriced } }: LoopState) =>
  turns + unpriced > 0 ? { unknownTurns: turns + unpriced } : {};

/** Whether only the commit was checked: every stage ran in a clean room; guardrails and judges use the folder. */
function isOfCommit({ proof, guardrails }: LoopSpec): boolean {
  const leaves = backingLeaves(proof.stages);
  const inRoom = leaves.length > 0 && leaves.every((leaf) => methodOf(leaf).inCleanRoom);
  return proof.cleanRoom?.mode === "commit" && inRoom && guardrails.length === 0;
}

function subjectOf(
  { head = "", tree = null, gitTree = "" }: Verdict,
  ofCommit: boolean,
  { folder, cleanState }: Surroundings,
): Receipt["subject"] {
  const treeState = ofCommit && head !== "" ? cleanState(head) : tree;
  return {
    commit: head || null,
    gitTree: gitTree || null,
    treeState,
    clean: treeState === null || head === "" ? null : treeState === cleanState(head),
    folder,
  };
}

function shownCheck(check: CheckResult, { proof }: LoopSpec): ReceiptCheck {
  return {
    name: open(check.name),
    method: leavesOf(proof.stages).find(({ name }) => name === check.name)?.method ?? "",
    command: open(check.command),
    is: check.is,
    code: check.code,
    reason: open(check.reason),
    ms: check.ms,
    sha256: check.sha256 ?? null,
    optional: check.optional ?? false,
    cached: check.cached ?? false,
    since: check.since ?? null,
    criterion: check.criterion === undefined ? null : open(check.criterion),
    findings: (check.findings ?? []).map(({ criterion, is, quote, reason }) => ({
      criterion: open(criterion),
      is,
      quote: open(quote),
      reason: open(reason),
    })),
    label: check.label ?? null,
    ...(check.tests ? { tests: countsOf(check.tests) } : {}),
  };
}

const countsOf = ({ ran, passed, failed, skipped }: TestCounts) => ({ ran, passed, failed, skipped });

const shownGuardrail = ({ name, command, timeoutMs }: Guardrail, result: CheckResult | undefined) => ({
  name: open(name),
  ...maskedCommand(command),
  timeoutMs,
  is: result?.is ?? ("unknown" as const),
  code: result?.code ?? null,
  ms: result?.ms ?? 0,
});

const baselineOf = ({ baseline }: LoopState): Receipt["baseline"] =>
  baseline && {
    commit: baseline.head || null,
    was: Object.fromEntries(Object.entries(baseline.was).map(([name, is]) => [open(name), is])),
  };

/** A path that is valid on other machines. A file outside the loop's folder keeps only its name. */
function pathFrom(cwd: string, path: string): string {
  if (!path.startsWith("/")) return path;
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : `${OUTSIDE}${path.slice(path.lastIndexOf("/") + 1)}`;
}

/** The prefix of protected paths outside the loop's folder, which are not valid on other machines. */
export const OUTSIDE = "…/";

const agentName = (agent: AgentSpec | undefined): string => {
  const command = agent?.command ?? "";
  return open(command.startsWith("/") ? command.slice(command.lastIndexOf("/") + 1) : command);
};

/** The model requested by the user, for an agent whose stream does not name it. */
function modelFlag({ agents }: LoopSpec, agent: number): string | null {
  const flags = agents[agent]?.flags ?? [];
  const at = flags.findLastIndex((flag) => /^(--model|-m)(=|$)/.test(flag));
  const flag = flags[at];
  if (flag === undefined) return null;
  return (flag.includes("=") ? flag.slice(flag.indexOf("=") + 1) : flags[at + 1]) || null;
}
