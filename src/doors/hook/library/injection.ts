import { messageOf } from "../../../core/errors.ts";
import type { LibraryLoop } from "./loop-port.ts";
import type { HookServices } from "./services.ts";
import type { Saying, SessionMemory } from "./session-memory.ts";

/** Injects a prompt after the configured delay. Until then, idle events are ignored. */
export function injectSoon(services: HookServices, sessionId: string, saying: Saying): void {
  const memory = services.memories.of(sessionId);
  memory.busy = true;
  memory.unsaid = null;
  memory.trouble = null;
  memory.delay = setTimeout(() => {
    memory.delay = null;
    inject(services, { sessionId, memory, saying }).catch((error: unknown) => {
      services.log("error", "Failed to inject continuation", { sessionId, error: messageOf(error) });
    });
  }, services.config.continuationDelay);
}

/** Injects the prompt, unless the loop was stopped in the meantime. */
async function inject(
  services: HookServices,
  { sessionId, memory, saying }: { sessionId: string; memory: SessionMemory; saying: Saying },
): Promise<void> {
  const loop = services.loops.find(sessionId);
  if (loop?.id !== saying.loop) return services.memories.forget(sessionId);
  memory.said = saying;
  memory.isSaying = true;
  // The agent may answer before the host reports that the prompt was injected.
  memory.busy = false;
  let target = sessionId;
  try {
    const fresh = saying.fresh ? await moveOn(services, loop) : target;
    if (fresh === null) return;
    target = fresh;
    await services.options.injectPrompt?.(target, saying.text);
  } catch (error) {
    services.log("error", "Failed to inject continuation", { sessionId: target, error: messageOf(error) });
    if (memory.said !== saying) return;
    memory.unsaid = saying;
    memory.said = null;
    if (target !== sessionId) await moveTo(services, { ...loop, sessionId: target }, sessionId);
  } finally {
    if (memory.said === saying || memory.said === null) memory.isSaying = false;
  }
}

/** Moves the loop to a new session before the agent gets its prompt. Null if it was stopped or taken over meanwhile. */
async function moveOn(services: HookServices, loop: LibraryLoop): Promise<string | null> {
  const to = await services.options.createSession?.(loop.sessionId);
  if (to === undefined || to === "") throw new Error("createSession returned no session id");
  return (await moveTo(services, loop, to)) ? to : null;
}

async function moveTo({ loops, memories }: HookServices, loop: LibraryLoop, to: string): Promise<boolean> {
  const isMoved = await loops.move(loop, to);
  if (isMoved) memories.move(loop.sessionId, to);
  else memories.forget(loop.sessionId);
  return isMoved;
}
