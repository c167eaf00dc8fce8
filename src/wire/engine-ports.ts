import { join } from "node:path";
import { runAgent } from "../agents/run.ts";
import type { AgentEvent } from "../core/agent.ts";
import type { CheckResult, Verdict } from "../core/loop/events.ts";
import type { Note } from "../core/loop/notes.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import type { LoopState } from "../core/loop/state.ts";
import type { Alarm } from "../core/render.ts";
import { NO_USAGE, priced } from "../core/usage.ts";
import type { EnginePorts, TurnRequest, TurnResult } from "../engine/ports.ts";
import { treeState } from "../git/tree-state.ts";
import type { LogFile } from "../io/log-file.ts";
import { pause } from "../io/timer.ts";
import { sweep } from "../io/tokens.ts";
import type { Watchdog } from "../io/watchdog.ts";
import { type CheckSetting, runCheck } from "../verify/check.ts";
import { changedSince } from "../verify/fingerprint.ts";
import { verdictOf } from "../verify/verdict.ts";
import { adapterAt } from "./agent.ts";
import { effectBefore, performEffect } from "./effects.ts";
import { runGuardrails } from "./guardrails.ts";
import { spentIn } from "./output.ts";
import { readPrompt } from "./prompt.ts";
import type { StopControl } from "./stops.ts";
import type { Workspace } from "./workspace.ts";

/** What a person watches while a loop runs. */
export interface View {
  /** Wants the agent's output as it prints it, not made readable. */
  raw: boolean;
  show(output: Buffer | string): Promise<void> | undefined;
  /** What an agent with a structured stream prints beside it, for a view that wants the stream raw. */
  showAside?(output: Buffer): Promise<void> | undefined;
  /** Colours what a person should not miss. */
  alarm?: Alarm;
  /** Everything the agent is heard to do. */
  hear?(event: AgentEvent): void;
  /** Told before each command, with no result, and after it. Several guardrails may run at once. */
  check(kind: "guardrail" | "check", command: string, result: CheckResult | null): void;
  /** What went on beside the loop. */
  note?(note: Note): void;
}

export interface PortsRequest {
  workspace: Workspace;
  loop: string;
  spec: LoopSpec;
  stops: StopControl;
  view: View;
  watchdog: Watchdog;
  /** Takes the output of all turns of this driver: making a file per turn would cost more than the entry about it. */
  output: LogFile;
  /** Names this process in the run tokens. */
  processToken: string;
}

/** The engine's ports for a loop whose agent we start ourselves. */
export function enginePorts(request: PortsRequest): EnginePorts {
  const { workspace, loop, spec, stops, view, output, processToken } = request;
  const setting: CheckSetting = {
    cwd: spec.cwd,
    env: { RALPH_LOOP: loop },
    token: `${loop}/${processToken}/check`,
    graceMs: spec.patience.graceMs,
    stops,
    watchdog: request.watchdog,
    excerptChars: spec.outputTruncateChars,
  };
  return {
    now: Date.now,
    random: Math.random,
    stop: stops,
    store: workspace.store,
    newTurn: (n, attempt) => ({
      runToken: `${loop}/${processToken}/${n}/${attempt}`,
      log: { path: output.path, from: output.bytes },
    }),
    readPrompt: async () => readPrompt(spec),
    runTurn: (turn) => runTurn(turn, request),
    lookAtTree: () => treeState(spec.cwd, stops.soft),
    runGuards: (n) =>
      runGuardrails({
        loop,
        n,
        spec,
        setting,
        progress: (command, result) => view.check("guardrail", command, result),
      }),
    judge: (state) => judge(state, request, setting),
    effectBefore: (effect) => effectBefore(request, effect),
    performEffect: (effect) => performEffect(request, effect),
    async recoverTurn({ runToken, log, agent, sessionUsage }) {
      sweep(runToken);
      if (!log) return NO_USAGE;
      const usage = await spentIn(log, await adapterAt(spec, agent), sessionUsage);
      return priced(usage, spec.agents[agent]?.price ?? null);
    },
    waitUntil: (ms) => pause(ms - Date.now(), stops.soft),
  };
}

async function runTurn(turn: TurnRequest, request: PortsRequest): Promise<TurnResult> {
  const { spec, stops, view, watchdog, output } = request;
  const { n, attempt, prompt, sessionId, sessionUsage, timeoutMs } = turn;
  const { flags = [], price = null } = spec.agents[turn.agent] ?? {};
  return runAgent({
    adapter: await adapterAt(spec, turn.agent),
    run: { prompt, flags, sessionId, iteration: n, attempt, purpose: "work" },
    sessionUsage,
    price,
    claim: spec.claim,
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
}

async function judge(state: LoopState, { workspace, spec, loop, view }: PortsRequest, setting: CheckSetting) {
  const folder = workspace.folder.logs(loop);
  const results: CheckResult[] = [];
  for (const [i, check] of spec.checks.entries()) {
    view.check("check", check.command, null);
    const log = join(folder, `check-${state.n}-${(state.turn?.judged ?? 0) + 1}-${i + 1}.log`);
    const result = await runCheck(check, log, setting);
    if (!result) return null;
    view.check("check", check.command, result);
    results.push(result);
  }
  const verdict: Verdict = verdictOf(results, changedSince(spec.cwd, state.fingerprints), spec.guardrails.length > 0);
  return { verdict, usage: NO_USAGE };
}
