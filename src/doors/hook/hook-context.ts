import type { Toast } from "../../core/host.ts";
import { isLevel } from "../../core/proof/level.ts";
import { HOOK_NAME } from "./constants.ts";
import type { LogLevel, RalphLoopConfig, RalphLoopOptions } from "./contract.ts";
import type { KeptStep, LoopKeeper } from "./keeper.ts";
import type { Memories } from "./session-memory.ts";
import { stoppedToast } from "./toasts.ts";

/** What every part of the hook works with. */
export interface HookServices {
  options: RalphLoopOptions;
  config: RalphLoopConfig;
  keeper: LoopKeeper;
  memories: Memories;
  log(level: LogLevel, message: string, details?: Readonly<Record<string, unknown>>): void;
  toast(toast: Toast): void;
}

/** Calls what belongs to the host: however it fails, at once or later, it is only told of. */
export function callHost(call: () => unknown, failed: (error: unknown) => void): void {
  try {
    Promise.resolve(call()).catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** How log lines begin. */
export const logged = (message: string): string => `[${HOOK_NAME}] ${message}`;

/** A loop has stopped: people are told, and nothing of its session is remembered. */
export function noteStop(services: HookServices, sessionId: string, { id, state }: KeptStep): void {
  const { reason, detail } = state.stopped ?? { reason: "interrupted", detail: "" };
  const details = { sessionId, loop: id, iteration: state.n, reason, detail };
  services.memories.forget(sessionId);
  if (isLevel(reason)) {
    services.log("info", "Completion detected!", { ...details, promise: state.spec?.claim.promise });
  } else if (reason === "iteration-limit") {
    services.log("info", "Max iterations reached", { ...details, max: state.limits.maxIterations });
  } else services.log("info", "Loop stopped", details);
  services.toast(stoppedToast(state, id));
}
