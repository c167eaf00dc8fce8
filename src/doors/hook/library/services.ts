import type { Toast } from "../../../core/host.ts";
import { stopOf } from "../../../core/loop/state.ts";
import { isOutOfIterations } from "../../../core/loop/stop-reasons.ts";
import { isLevel } from "../../../core/proof/level.ts";
import type { HostStep } from "../host-loop.ts";
import { stoppedToast } from "../toasts.ts";
import { HOOK_NAME } from "./constants.ts";
import type { LogLevel, RalphLoopConfig, RalphLoopOptions } from "./contract.ts";
import type { LoopPort } from "./loop-port.ts";
import type { Memories } from "./session-memory.ts";

export interface HookServices {
  options: RalphLoopOptions;
  config: RalphLoopConfig;
  loops: LoopPort;
  memories: Memories;
  log(level: LogLevel, message: string, details?: Readonly<Record<string, unknown>>): void;
  toast(toast: Toast): void;
}

/** Calls a function of the host. Errors, also of a returned promise, are only reported. */
export function callHost(call: () => unknown, failed: (error: unknown) => void): void {
  try {
    Promise.resolve(call()).catch(failed);
  } catch (error) {
    failed(error);
  }
}

export const logged = (message: string): string => `[${HOOK_NAME}] ${message}`;

/** Reports that a loop has stopped and forgets its session. */
export function noteStop(services: HookServices, sessionId: string, { id, state }: HostStep): void {
  const { reason, detail } = stopOf(state);
  const details = { sessionId, loop: id, iteration: state.n, reason, detail };
  services.memories.forget(sessionId);
  if (isLevel(reason)) {
    services.log("info", "Completion detected!", { ...details, promise: state.spec?.claim.promise });
  } else if (isOutOfIterations(reason)) {
    services.log("info", "Max iterations reached", { ...details, max: state.limits.maxIterations });
  } else services.log("info", "Loop stopped", details);
  services.toast(stoppedToast(state, id));
}

/** Used if the host has no log: warnings and errors become warnings of the process. */
export const processWarning: HookServices["log"] = (level, message, details) => {
  if (level === "info") return;
  process.emitWarning(logged(details ? `${message} ${JSON.stringify(details)}` : message), "RalphLoopWarning");
};
