import { messageOf } from "../../../core/errors.ts";
import { fieldOf } from "../../../core/field.ts";
import type { StopRequest } from "../../../core/loop/events.ts";
import { cancelledToast } from "../toasts.ts";
import { DEFAULT_CONFIG, HOOK_DESCRIPTION, HOOK_NAME } from "./constants.ts";
import type { Hook, HookContext, RalphLoopHook, RalphLoopOptions } from "./contract.ts";
import { answerIdle, clearOrphans } from "./idle.ts";
import { type LoopPort, shownState } from "./loop-port.ts";
import { callHost, type HookServices } from "./services.ts";
import { isSession, openMemories, recover } from "./session-memory.ts";
import { openStartRequests } from "./start-request.ts";

/** The hook of a host: loops in its sessions, which `loops` stores. */
export function openHook(options: RalphLoopOptions, loops: LoopPort, log: HookServices["log"]): Hook & RalphLoopHook {
  const services: HookServices = {
    options,
    config: { ...DEFAULT_CONFIG, ...options.config },
    loops,
    memories: openMemories((sessionId) => loops.find(sessionId) !== null),
    log,
    toast(toast) {
      callHost(
        () => options.showToast?.(toast),
        (error) => log("warn", "Failed to show a toast", { error: messageOf(error) }),
      );
    },
  };
  let isOpen = true;
  const { startLoop, beginLoop } = openStartRequests(services);
  return {
    name: HOOK_NAME,
    description: HOOK_DESCRIPTION,
    priority: 50,
    events: ["session.idle", "session.error", "session.deleted"],
    async handler(context) {
      // An event without a session id must not affect the latest loop.
      if (!isOpen || !services.config.enabled || !isSession(sessionOf(context))) return;
      await answer(services, context).catch((error: unknown) => {
        log("error", "Failed to answer an event", { ...seen(context), error: messageOf(error) });
      });
    },
    startLoop,
    beginLoop,
    cancelLoop: (sessionId) => cancelLoop(services, sessionId),
    getState(sessionId) {
      const loop = loops.find(sessionId);
      return loop && shownState(loop);
    },
    isLoopActive: (sessionId) => isSession(sessionId) && loops.find(sessionId) !== null,
    close() {
      isOpen = false;
      services.memories.clear();
    },
  };
}

/** The session of an event. For a deleted session, the id in the data takes precedence. */
function sessionOf(context: HookContext): string {
  const told = text(fieldOf(context, "sessionId"));
  const { event, data } = context ?? {};
  return event === "session.deleted" ? text(fieldOf(data, "sessionId")) || told : told;
}

const seen = ({ event, sessionId }: HookContext) => ({ event, sessionId });

function cancelLoop(services: HookServices, sessionId: string): boolean {
  const loop = isSession(sessionId) ? services.loops.find(sessionId) : null;
  if (!loop) return false;
  services.memories.forget(sessionId);
  try {
    services.loops.stopNow(loop, { as: "cancelled", by: "a person, in the host" });
  } catch (error) {
    services.log("error", `Failed to clear state: ${messageOf(error)}`, { sessionId });
    return false;
  }
  services.log("info", "Loop cancelled", { sessionId, iteration: loop.state.n });
  services.toast(cancelledToast(loop.state));
  return true;
}

async function answer(services: HookServices, context: HookContext): Promise<void> {
  const { event, data } = context;
  const sessionId = sessionOf(context);
  switch (event) {
    case "session.deleted":
      return stop(services, sessionId, DELETED);
    case "session.error":
      return answerError(services, sessionId, fieldOf(data, "error"));
    case "session.idle":
      try {
        await answerIdle(services, sessionId);
      } finally {
        await clearOrphans(services, sessionId);
      }
  }
}

type Ending = StopRequest & { log: string };

const DELETED: Ending = {
  as: "interrupted",
  by: "the host: its session is gone",
  log: "Session deleted, loop cleared",
};
const ABORTED: Ending = { as: "cancelled", by: "a person, in the host", log: "User aborted, loop cleared" };

async function stop({ loops, memories, log }: HookServices, sessionId: string, { log: said, ...request }: Ending) {
  memories.forget(sessionId);
  const loop = loops.find(sessionId);
  if (!loop) return;
  await loops.stop(loop, request);
  log("info", said, { sessionId, loop: loop.id });
}

const ABORTS: readonly string[] = ["MessageAbortedError", "AbortError"];

/** An abort cancels the loop. After any other error, the session has some time to recover before the loop continues. */
async function answerError(services: HookServices, sessionId: string, error: unknown): Promise<void> {
  const name = text(fieldOf(error, "name"));
  if (ABORTS.includes(name)) return stop(services, sessionId, ABORTED);
  if (!services.loops.find(sessionId)) return;
  const memory = services.memories.of(sessionId);
  const message = text(fieldOf(error, "message")) || text(fieldOf(fieldOf(error, "data"), "message"));
  memory.trouble = services.loops.faultOf({ name, message });
  recover(memory, () => {
    answerIdle(services, sessionId).catch((failed: unknown) => {
      services.log("error", "Failed to answer an event", {
        event: "session.idle",
        sessionId,
        error: messageOf(failed),
      });
    });
  });
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
