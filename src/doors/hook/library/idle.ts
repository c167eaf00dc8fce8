import type { AgentEvent } from "../../../core/agent.ts";
import { messageOf } from "../../../core/errors.ts";
import type { Usage } from "../../../core/usage.ts";
import type { HostStep } from "../host-loop.ts";
import { iterationToast } from "../toasts.ts";
import type { SessionUsage } from "./contract.ts";
import { injectSoon } from "./injection.ts";
import type { LibraryLoop } from "./loop-port.ts";
import { messagesIn, type PlainMessage } from "./message.ts";
import { type HeardMessages, hear, saying, seenIn, wasTold } from "./new-messages.ts";
import { type HookServices, noteStop } from "./services.ts";
import { postpone, type SessionMemory } from "./session-memory.ts";

/** Handles an idle session: its loop continues or stops. */
export async function answerIdle(services: HookServices, sessionId: string): Promise<void> {
  const loop = services.loops.find(sessionId);
  if (!loop) return services.memories.forget(sessionId);
  // Not before the last journal entry, even if the clock was set back.
  const arrivedMs = Math.max(Date.now(), loop.state.atMs);
  const memory = services.memories.of(sessionId);
  if (memory.recovery) {
    services.log("info", "Skipped: in recovery", { sessionId });
    return postpone(memory.recovery);
  }
  if (memory.busy) return;
  memory.busy = true;
  try {
    await goOn(services, { loop, memory, arrivedMs });
  } finally {
    if (!memory.delay) memory.busy = false;
  }
}

interface Idle {
  loop: LibraryLoop;
  memory: SessionMemory;
  arrivedMs: number;
}

async function goOn(services: HookServices, { loop, memory, arrivedMs }: Idle): Promise<void> {
  const { sessionId } = loop;
  const messages = messagesIn((await services.options.getMessages?.(sessionId)) ?? []);
  const again = untold(services, { loop, memory, arrivedMs }, messages);
  if (again !== null) {
    services.log("info", "Prompt injected again", { sessionId, iteration: loop.state.n });
    return injectSoon(services, sessionId, { loop: loop.id, text: again, fresh: isFresh(loop.state, memory) });
  }
  const heard = hear(messages, memory.seen);
  if (isUnanswered(heard, memory)) return;
  const events = [...eventsOf(heard, memory), ...(await usageOf(services, sessionId))];
  const step = await services.loops.attend(loop, events, arrivedMs);
  if (step) take(services, { sessionId, memory, messages }, step);
}

/** A prompt that did not reach the agent, after a failure or the end of a process, and is injected again. */
function untold(services: HookServices, { loop, memory }: Idle, messages: readonly PlainMessage[]): string | null {
  const { unsaid } = memory;
  if (unsaid?.loop === loop.id) {
    if (wasTold(messages, unsaid.text) !== true) return unsaid.text;
    memory.unsaid = null;
  }
  if (memory.said || memory.seen || loop.state.n <= 1) return null;
  const prompt = services.loops.promptOf(loop);
  return wasTold(messages, prompt) === false ? prompt : null;
}

/** Whether the agent has not answered its prompt yet, so that there is nothing to do. */
const isUnanswered = ({ isWaiting, isUnchanged }: HeardMessages, { trouble, isSaying }: SessionMemory): boolean =>
  trouble === null && (isWaiting || (isSaying && isUnchanged));

/** After an error without an answer the turn is void: the same iteration is prompted again. */
function eventsOf({ texts }: HeardMessages, { trouble }: SessionMemory): AgentEvent[] {
  if (trouble && texts.length === 0) return [{ type: "turn.failed", fault: trouble }];
  return saying(texts);
}

async function usageOf({ options, log }: HookServices, sessionId: string): Promise<AgentEvent[]> {
  try {
    const usage = wholeUsage(await options.getUsage?.(sessionId));
    return usage ? [{ type: "usage.reported", usage, of: "session" }] : [];
  } catch (error) {
    log("warn", "Failed to get the usage", { sessionId, error: messageOf(error) });
    return [];
  }
}

/** The usage that a host reports; a number that is missing or invalid counts as 0. */
export function wholeUsage(told: SessionUsage | null | undefined): Usage | null {
  if (!told) return null;
  const count = (value: unknown): number => (typeof value === "number" && Number.isFinite(value) ? value : 0);
  const { inputTokens, cachedTokens, outputTokens, costUsd } = told;
  return {
    inputTokens: count(inputTokens),
    cachedTokens: count(cachedTokens),
    outputTokens: count(outputTokens),
    costUsd: count(costUsd),
  };
}

interface Session {
  sessionId: string;
  memory: SessionMemory;
  messages: readonly PlainMessage[];
}

function take(services: HookServices, { sessionId, memory, messages }: Session, step: HostStep): void {
  const { state, prompt } = step;
  // If the session was forgotten, its loop was cancelled here in the meantime, which was already reported.
  const isKnown = services.memories.find(sessionId) === memory;
  if (state.stopped) {
    if (isKnown || state.stopped.reason !== "cancelled") noteStop(services, sessionId, step);
    return;
  }
  if (prompt === null || !isKnown) return;
  memory.seen = seenIn(messages);
  services.log("info", "Continuing loop", { sessionId, iteration: state.n, max: state.limits.maxIterations });
  services.toast(iterationToast(state));
  injectSoon(services, sessionId, { loop: step.id, text: prompt, fresh: isFresh(state, memory) });
}

/** A turn that already has a new session keeps it. */
const isFresh = ({ spec, attempt }: HostStep["state"], { unsaid }: SessionMemory): boolean =>
  spec?.context === "fresh" && (unsaid?.fresh ?? attempt === 1);

/** Stops loops whose sessions no longer exist; `sessionId` exists. */
export async function clearOrphans({ loops, memories, options, log }: HookServices, sessionId: string): Promise<void> {
  const { checkSessionExists } = options;
  if (!checkSessionExists) return;
  for (const loop of loops.list()) {
    if (loop.sessionId === sessionId) continue;
    // An error does not mean that it is gone.
    const exists = await Promise.resolve(loop.sessionId)
      .then(checkSessionExists)
      .catch(() => true);
    if (exists) continue;
    await loops.stop(loop, { as: "interrupted", by: "the host: its session is gone" });
    memories.forget(loop.sessionId);
    log("info", "Cleared orphaned state", { orphanedSessionId: loop.sessionId, currentSessionId: sessionId });
  }
}
