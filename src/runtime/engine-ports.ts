import { randomBytes } from "node:crypto";
import { adapterAt, readerOf } from "../adapters/agents/agent.ts";
import { spentIn } from "../adapters/agents/output.ts";
import { runAgent } from "../adapters/agents/run.ts";
import { treeState } from "../adapters/git/tree-state.ts";
import { pause } from "../adapters/io/timer.ts";
import { sweep } from "../adapters/io/tokens.ts";
import type { BlobWriter } from "../core/blobs.ts";
import type { Lease } from "../core/lease.ts";
import type { LoopSpec } from "../core/loop/spec.ts";
import type { LoopStore } from "../core/loop/store.ts";
import { commandsOf } from "../core/proof/methods/external.ts";
import { reviewIn } from "../core/review.ts";
import { ROLES } from "../core/task/role.ts";
import { NO_USAGE, priced } from "../core/usage.ts";
import type { EnginePorts, TurnRequest, TurnResult } from "../engine/ports.ts";
import { openVerification } from "../verify/verification.ts";
import type { VerifiedLoop } from "../verify/verification-context.ts";
import type { LoopWatcher } from "./loop-watcher.ts";
import { changedSoFar, commitsSoFar } from "./memory.ts";
import { readPrompt, turnValues } from "./prompt.ts";
import { effectBefore, performEffect } from "./scm.ts";

export interface PortsRequest extends VerifiedLoop {
  store: Pick<LoopStore, "append" | "disown">;
  lease: Pick<Lease, "isHeld" | "lost">;
  view: LoopWatcher;
  notesToDrop(): ReadonlySet<number>;
  /** Gets the output of all turns of this driver: a file per turn would cost more than its journal entry. */
  output: BlobWriter;
}

export function enginePorts(request: PortsRequest): EnginePorts {
  const { loop, spec, stops, output, processToken } = request;
  return {
    ...openVerification(request),
    now: Date.now,
    random: Math.random,
    stop: stops,
    store: request.store,
    lease: request.lease,
    newTurn: (n, attempt, state) => ({
      runToken: `${loop}/${processToken}/${n}/${attempt}`,
      log: { path: output.path, from: output.bytes, file: output.id() },
      nonce: spec.proof.nonce ? randomBytes(2).toString("hex") : null,
      ...commitsSoFar(state),
    }),
    notesToDrop: request.notesToDrop,
    readPrompt: async (state) => readPrompt(spec, await turnValues(request.workspace.blobs, spec, state)),
    runTurn: (turn) => runTurn(turn, request),
    async lookAtTree(state) {
      const [tree, snapshot] = await Promise.all([
        treeState(spec.cwd, stops.soft),
        request.snapshots.capture(stops.soft),
      ]);
      return { tree, snapshot, ...(await changedSoFar(request, state, snapshot)) };
    },
    effectBefore: (effect) => effectBefore(request, effect),
    performEffect: (effect) => performEffect(request, effect),
    async recoverTurn({ runToken, log, agent, sessionUsage }) {
      sweep(runToken);
      if (!log) return { usage: NO_USAGE };
      const { usage, unknown, tools } = await spentIn(request.workspace.blobs, log, {
        adapter: await readerOf(spec, agent, log),
        sessionUsage,
      });
      return { usage: priced(usage, spec.agents[agent]?.price ?? null), unknown, tools };
    },
    waitUntil: (ms) => pause(ms - Date.now(), stops.soft),
  };
}

async function runTurn(turn: TurnRequest, request: PortsRequest): Promise<TurnResult> {
  const { spec, stops, view, watchdog, services, output } = request;
  const { n, attempt, prompt, task, sessionId, sessionUsage, timeoutMs } = turn;
  const { flags = [], price = null } = spec.agents[turn.agent] ?? {};
  await request.copy?.reset();
  const result = await runAgent({
    adapter: await adapterAt(spec, turn.agent),
    run: { prompt, flags, sessionId, iteration: n, attempt, purpose: "work" },
    echoed: task,
    sessionUsage,
    price,
    checks: checkCommands(spec),
    claim: turn.claim,
    cwd: spec.cwd,
    token: turn.runToken,
    timeoutMs,
    patience: spec.patience,
    stops,
    watchdog,
    ...(services ? { services } : {}),
    log: output,
    show: view.show,
    raw: view.raw,
    ...(view.showAside ? { showAside: view.showAside } : {}),
    ...(view.alarm ? { alarm: view.alarm } : {}),
    colours: view.colours ?? false,
    ...(view.hear ? { onEvent: view.hear } : {}),
  });
  // Before Ralph runs any command there, because the agent is not responsible for its changes.
  const discarded = await request.copy?.look();
  await request.copy?.reset();
  const looked = discarded ? { discarded } : {};
  return { ...result, logTo: output.bytes, ...(await reviewOf(spec, result.lastMessage)), ...looked };
}

/** The commands that the agent will run itself to see whether it is done. */
const checkCommands = ({ guardrails, proof }: LoopSpec): string[] => [
  ...guardrails.map(({ command }) => command),
  ...commandsOf(proof.stages).map(({ command }) => command),
];

/** The review of a reviewing agent's turn. The parser is loaded only if there is one. */
async function reviewOf({ part }: LoopSpec, lastMessage: string): Promise<Pick<TurnResult, "review">> {
  const text = part && ROLES[part.place].reviews ? reviewIn(lastMessage) : null;
  if (text === null) return {};
  const { readReview } = await import("../core/schema/review.ts");
  return { review: readReview(text) };
}
