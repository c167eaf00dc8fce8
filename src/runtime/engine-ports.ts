import { randomBytes } from "node:crypto";
import { adapterAt, readerOf } from "../adapters/agents/agent.ts";
import { spentIn } from "../adapters/agents/output.ts";
import { runAgent } from "../adapters/agents/run.ts";
import { treeState } from "../adapters/git/tree-state.ts";
import { pause } from "../adapters/io/timer.ts";
import { sweep } from "../adapters/io/tokens.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import { isReviewing, reviewIn } from "../core/review.ts";
import { NO_USAGE, priced } from "../core/usage.ts";
import type { EnginePorts, TurnRequest, TurnResult } from "../engine/ports.ts";
import type { CheckSetting } from "../verify/check.ts";
import { judge, takeBaseline } from "../verify/judge.ts";
import type { PortsRequest } from "../verify/ports-request.ts";
import { provenReceipt } from "../verify/receipts/make.ts";
import { checkRuns } from "./check-runs.ts";
import { effectBefore, performEffect } from "./effects.ts";
import { runGuardrails } from "./guardrails.ts";
import { readPrompt } from "./prompt.ts";
import { commandVariables, turnValues } from "./turn-values.ts";

/** The engine's ports for a loop whose agent we start ourselves. */
export function enginePorts(request: PortsRequest): EnginePorts {
  const { loop, spec, stops, view, output, processToken } = request;
  const setting: CheckSetting = {
    cwd: spec.cwd,
    env: { RALPH_LOOP: loop },
    token: `${loop}/${processToken}/check`,
    graceMs: spec.patience.graceMs,
    stops,
    watchdog: request.watchdog,
    excerptChars: spec.outputTruncateChars,
    missingOk: spec.proof.missingOk,
  };
  const runs = checkRuns(spec, stops.soft);
  const settingOf = (iteration: number): CheckSetting => {
    const shared = runs(iteration);
    const env = { ...setting.env, ...commandVariables(spec, iteration) };
    return { ...setting, env, ...(shared ? { runs: shared } : {}) };
  };
  return {
    now: Date.now,
    random: Math.random,
    stop: stops,
    store: request.store,
    lease: request.lease,
    makeReceipt: (pending) => provenReceipt(request, pending),
    newTurn: (n, attempt) => ({
      runToken: `${loop}/${processToken}/${n}/${attempt}`,
      log: { path: output.path, from: output.bytes, file: output.id() },
      nonce: spec.proof.nonce ? randomBytes(2).toString("hex") : null,
    }),
    takeBaseline: () => takeBaseline({ ...request, setting: settingOf(0) }),
    readPrompt: async (state) => readPrompt(spec, await turnValues(spec, state)),
    runTurn: (turn) => runTurn(turn, request),
    async lookAtTree() {
      const [tree, snapshot] = await Promise.all([
        treeState(spec.cwd, stops.soft),
        request.snapshots.capture(stops.soft),
      ]);
      return { tree, snapshot };
    },
    runGuards: (n) =>
      runGuardrails({
        loop,
        n,
        spec,
        setting: settingOf(n),
        // A task's worktree is the agents': Ralph writes nothing there but what is checked out.
        logs: spec.part ? request.workspace.folder.logs(loop) : null,
        progress: (command, result) => view.check("guardrail", command, result),
      }),
    judge: (state) => judge({ ...request, setting: settingOf(state.n) }, state),
    effectBefore: (effect) => effectBefore(request, effect),
    performEffect: (effect) => performEffect(request, effect),
    async recoverTurn({ runToken, log, agent, sessionUsage }) {
      sweep(runToken);
      if (!log) return { usage: NO_USAGE };
      const { usage, unknown, tools } = await spentIn(log, await readerOf(spec, agent, log), sessionUsage);
      return { usage: priced(usage, spec.agents[agent]?.price ?? null), unknown, tools };
    },
    waitUntil: (ms) => pause(ms - Date.now(), stops.soft),
  };
}

async function runTurn(turn: TurnRequest, request: PortsRequest): Promise<TurnResult> {
  const { spec, stops, view, watchdog, output } = request;
  const { n, attempt, prompt, sessionId, sessionUsage, timeoutMs } = turn;
  const { flags = [], price = null } = spec.agents[turn.agent] ?? {};
  await request.copy?.reset();
  const result = await runAgent({
    adapter: await adapterAt(spec, turn.agent),
    run: { prompt, flags, sessionId, iteration: n, attempt, purpose: "work" },
    sessionUsage,
    price,
    claim: turn.claim,
    cwd: spec.cwd,
    token: turn.runToken,
    timeoutMs,
    patience: spec.patience,
    stops,
    watchdog,
    log: output,
    show: view.show,
    raw: view.raw,
    ...(view.showAside ? { showAside: view.showAside } : {}),
    ...(view.alarm ? { alarm: view.alarm } : {}),
    ...(view.hear ? { onEvent: view.hear } : {}),
  });
  // Before any command of ours runs there: what that changes is no fault of the agent's.
  const discarded = await request.copy?.look();
  await request.copy?.reset();
  const looked = discarded ? { discarded } : {};
  return { ...result, logTo: output.bytes, ...(await reviewOf(spec, result.lastMessage)), ...looked };
}

/** What an agent that looks at somebody else's work says of it. What reads it is loaded only where there is something. */
async function reviewOf({ part }: LoopSpec, lastMessage: string): Promise<Pick<TurnResult, "review">> {
  const text = part && isReviewing(part.place) ? reviewIn(lastMessage) : null;
  if (text === null) return {};
  const { readReview } = await import("../core/schema/review.ts");
  return { review: readReview(text) };
}
