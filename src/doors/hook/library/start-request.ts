import { messageOf } from "../../../core/errors.ts";
import type { Toast } from "../../../core/host.ts";
import { NO_USAGE, type Usage } from "../../../core/usage.ts";
import { refusedToast, startedToast, takenToast } from "../toasts.ts";
import type { BegunLoop, LoopDemands, StartLoopOptions } from "./contract.ts";
import { wholeUsage } from "./idle.ts";
import type { StartResult, WantedLoop } from "./loop-port.ts";
import { callHost, type HookServices } from "./services.ts";
import { isSession } from "./session-memory.ts";

/** Starts a loop at once, or after its checks have run once. */
export function openStartRequests(services: HookServices) {
  const starting = new Set<string>();

  function refusal({ sessionId, prompt, options }: StartRequest): string | null {
    if (!services.config.enabled) return "Ralph loops are turned off (config.enabled)";
    if (!isSession(sessionId)) return refuse(refusedToast("a loop needs the id of its session"));
    if (typeof prompt !== "string") return refuse(refusedToast("a loop needs a prompt that is a text"));
    const { context }: LoopDemands = { ...services.options, ...given(options) };
    const active = services.loops.find(sessionId);
    if (active) return refuse(takenToast({ id: active.id, iteration: active.state.n, ...active.state.limits }));
    if (starting.has(sessionId)) return refuse(refusedToast("another loop is being started in this session"));
    if (context !== "reset" || services.options.createSession) return null;
    return refuse(refusedToast('context "reset" needs the option createSession, which opens a fresh session'));
  }

  function refuse(toast: Toast): string {
    services.toast(toast);
    return toast.message;
  }

  function started(wanted: WantedLoop, made: StartResult): BegunLoop {
    const { sessionId } = wanted;
    if (!made.ok) {
      services.log("error", "Loop not started", { sessionId, reason: made.reason });
      return { started: false, reason: refuse(refusedToast(made.reason)) };
    }
    const state = services.loops.find(sessionId)?.state;
    const [max, completionPromise] = [state?.limits.maxIterations, state?.spec?.claim.promise];
    services.memories.forget(sessionId);
    services.log("info", "Loop started", { sessionId, loop: made.loop, maxIterations: max, completionPromise });
    if (state) services.toast(startedToast(state));
    return { started: true, loop: made.loop, prompt: made.prompt };
  }

  return {
    startLoop(sessionId: string, prompt: string, options?: StartLoopOptions): boolean {
      const request: StartRequest = { sessionId, prompt, options: options ?? {} };
      if (refusal(request) !== null) return false;
      const wanted = wantedLoop(services, request, usageAtOnce(services, sessionId));
      return started(
        wanted,
        attempt(() => services.loops.start(wanted)),
      ).started;
    },

    async beginLoop(sessionId: string, prompt: string, options?: StartLoopOptions): Promise<BegunLoop> {
      const request: StartRequest = { sessionId, prompt, options: options ?? {} };
      const refused = refusal(request);
      if (refused !== null) return { started: false, reason: refused };
      starting.add(sessionId);
      try {
        const usage = wholeUsage(await services.options.getUsage?.(sessionId));
        const wanted = wantedLoop(services, request, usage);
        return started(wanted, await services.loops.begin(wanted));
      } catch (error) {
        return { started: false, reason: refuse(refusedToast(messageOf(error))) };
      } finally {
        starting.delete(sessionId);
      }
    },
  };
}

/** The cost of a session, if its host returns it synchronously. */
function usageAtOnce({ options, log }: HookServices, sessionId: string): Usage | null {
  let usage: Usage | null = null;
  callHost(
    () => {
      const told = options.getUsage?.(sessionId);
      if (told instanceof Promise) return told;
      usage = wholeUsage(told);
    },
    (error) => log("warn", "Failed to get the usage", { sessionId, error: messageOf(error) }),
  );
  return usage;
}

/** Returns errors as the reason instead of throwing them. */
function attempt(start: () => StartResult): StartResult {
  try {
    return start();
  } catch (error) {
    return { ok: false, reason: messageOf(error) };
  }
}

interface StartRequest {
  sessionId: string;
  prompt: string;
  options: StartLoopOptions;
}

function wantedLoop(
  { options: hook }: HookServices,
  { sessionId, prompt, options }: StartRequest,
  usage: Usage | null,
): WantedLoop {
  const demands: LoopDemands = { ...hook, ...given(options) };
  return {
    sessionId,
    prompt,
    description: options.description ?? null,
    agent: hook.agent ?? null,
    context: demands.context === "reset" ? "fresh" : "continue",
    usage: usage ?? NO_USAGE,
    measured: hook.getUsage !== undefined,
    guarded: demands.zeroWorkGuard ?? false,
    flags: flagsOf(demands, {
      maximumIterations: options.maxIterations ?? hook.config?.defaultMaxIterations,
      completionResponse: options.completionPromise ?? hook.config?.defaultCompletionPromise,
    }),
  };
}

function flagsOf({ verify, completion, maxCostUsd, maxTokens, timeoutMs, stuckAfter }: LoopDemands, more: object) {
  return given({
    ...more,
    verify: typeof verify === "string" ? [verify] : verify,
    completion,
    maxCostUsd,
    maxTokens,
    timeout: timeoutMs === undefined ? undefined : timeoutMs / 1_000,
    stuckAfter,
  });
}

/** Removes undefined values, which would override others. */
const given = (values: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
