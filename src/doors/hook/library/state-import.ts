import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { WorkspaceNow } from "../../../adapters/store/workspace.ts";
import { messageOf } from "../../../core/errors.ts";
import { NO_USAGE } from "../../../core/usage.ts";
import type { RalphLoopState } from "./contract.ts";
import { activeLoops, inJournal, loopDraft, unlessHeld } from "./journal-now.ts";
import type { WantedLoop } from "./loop-port.ts";
import type { HookServices } from "./services.ts";
import { isSession } from "./session-memory.ts";
import { type LibraryPlace, startNow } from "./start-in-journal.ts";

/** Imports a loop from another program's state file, which is renamed first so that only one process imports it. */
export function importState(place: LibraryPlace, log: HookServices["log"]): void {
  const path = join(place.stateDir ?? join(place.cwd, ".supercoin"), "ralph-loop-state.json");
  // Reading a pipe would block.
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return;
  const aside = `${path}.imported`;
  try {
    renameSync(path, aside);
    const state = stateIn(JSON.parse(readFileSync(aside, "utf8")));
    const objection = objectionTo(place, state);
    if (objection !== null) log("warn", `Failed to read state: ${objection} (${aside})`);
    else if (state?.active) {
      keepState(place, state);
      log("info", "Loop taken over", { sessionId: state.sessionId, iteration: state.iteration, from: aside });
    }
  } catch (error) {
    log("warn", `Failed to read state: ${messageOf(error)} (${aside})`);
  }
}

function objectionTo(place: LibraryPlace, state: RalphLoopState | null): string | null {
  if (!state) return "it contains no loop";
  return activeLoops(place, state.sessionId).length > 0 ? "its session already has a loop" : null;
}

/** Starts a loop at the given state. Throws if it cannot start. */
export function keepState(place: LibraryPlace, state: RalphLoopState): void {
  const startedMs = Date.parse(state.startedAt);
  const wanted: WantedLoop = {
    sessionId: state.sessionId,
    prompt: state.prompt,
    description: state.description ?? null,
    agent: null,
    context: "continue",
    usage: NO_USAGE,
    measured: false,
    flags: {
      ...(Number.isFinite(state.maxIterations) ? { maximumIterations: state.maxIterations } : {}),
      completionResponse: state.completionPromise,
    },
    ...(Number.isNaN(startedMs) ? {} : { startedMs: Math.min(startedMs, Date.now()) }),
  };
  const made = startNow({ ...place, wanted, baseline: false });
  if (!made.ok) throw new Error(made.reason);
  setIteration(place, made.loop, state.iteration);
}

function stateIn(value: unknown): RalphLoopState | null {
  if (typeof value !== "object" || value === null) return null;
  const { active, iteration, maxIterations, completionPromise, startedAt, prompt, sessionId, description } =
    value as Record<keyof RalphLoopState, unknown>;
  if (!isSession(sessionId) || typeof prompt !== "string" || typeof completionPromise !== "string") return null;
  if (!isCount(iteration) || !isCount(maxIterations)) return null;
  return {
    active: active === true,
    iteration,
    maxIterations,
    completionPromise,
    startedAt: typeof startedAt === "string" ? startedAt : "",
    prompt,
    sessionId,
    ...(typeof description === "string" ? { description } : {}),
  };
}

const isCount = (value: unknown): value is number => typeof value === "number" && Number.isInteger(value) && value > 0;

/** Sets the iteration of a loop: ends the current turn without a claim and starts the other one. */
export function setIteration(place: LibraryPlace, id: string, n: number): void {
  const isSet = inJournal(place, false, (journal) => unlessHeld(journal, id, () => begin(journal, id, n)));
  if (!isSet) throw new Error(`loop ${id} is being driven by another process`);
}

function begin(journal: WorkspaceNow, id: string, n: number): boolean {
  const { draft, write } = loopDraft(journal, id);
  const { n: now, attempt, turn, agent, spec, sessionId } = draft.state;
  if (now === n) return true;
  if (turn && !turn.ended)
    draft.note({
      type: "turn.ended",
      n: now,
      attempt,
      ...{ claim: null, doubts: [], blocked: null, failed: null, refused: null },
      ...{ usage: NO_USAGE, sessionId, sessionUsage: null, source: "host", tools: null, model: null },
    });
  const nonce = spec?.proof.nonce ? randomBytes(2).toString("hex") : null;
  draft.note({ type: "turn.began", n, attempt: 1, agent, runToken: `${id}/state/${n}`, log: null, nonce });
  write();
  return true;
}
