/** The library: a loop in the sessions of your own program. */
import { currentFolder } from "../../../adapters/io/environment.ts";
import type { Hook, RalphLoopHook, RalphLoopOptions } from "./contract.ts";
import { openHook } from "./hook.ts";
import { openJournalLoops } from "./journal-loops.ts";
import { placeIn } from "./journal-now.ts";
import { callHost, type HookServices, logged, processWarning } from "./services.ts";
import { importState } from "./state-import.ts";

/** Creates the hook. Pass events of the host's sessions to `handler`; the other functions start and stop loops. */
export function createRalphLoopHook(options: RalphLoopOptions = {}): Hook & RalphLoopHook {
  const { workdir = currentFolder(), config, log: told } = options;
  const log: HookServices["log"] = (level, message, details) =>
    told
      ? callHost(
          () => told(level, logged(message), details),
          () => processWarning(level, message, details),
        )
      : processWarning(level, message, details);
  const place = placeIn(workdir, config?.stateDir);
  return openHook(
    options,
    openJournalLoops(place, log, () => importState(place, log)),
    log,
  );
}

export type { Toast } from "../../../core/host.ts";
export {
  CONTINUATION_PROMPT_TEMPLATE,
  DEFAULT_COMPLETION_PROMISE,
  DEFAULT_CONFIG,
  DEFAULT_CONTINUATION_DELAY,
  DEFAULT_MAX_ITERATIONS,
  HOOK_NAME,
} from "./constants.ts";
export type {
  BegunLoop,
  Hook,
  HookContext,
  HookResult,
  LogLevel,
  LoopDemands,
  MessagePart,
  RalphLoopConfig,
  RalphLoopHook,
  RalphLoopOptions,
  RalphLoopState,
  SessionMessage,
  SessionUsage,
  StartLoopOptions,
} from "./contract.ts";
export { detectCompletionPromise, detectInMessages } from "./message.ts";
export { clearState, incrementIteration, readState, writeState } from "./state.ts";
export { buildContinuationPrompt, type ContinuationValues } from "./template.ts";
export { detectInTranscript } from "./transcript.ts";
