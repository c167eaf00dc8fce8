import { printable } from "../ansi.ts";
import type { StopReason } from "../loop/events.ts";
import { stopFacts } from "../loop/stop-reasons.ts";
import type { LoopSummary } from "../loop/store.ts";
import { isLevel, type Level } from "../proof/level.ts";
import type { LoopPulse } from "../pulse.ts";
import { progressOf } from "./card.ts";
import type { Tone } from "./lanes.ts";
import { reasonTone } from "./tones.ts";

/** A loop in a list. */
export interface LoopLine
  extends Pick<LoopSummary, "id" | "door" | "part" | "run" | "iteration" | "maxIterations" | "proved">,
    Pick<LoopPulse, "agent" | "model" | "turnBeganMs" | "doing" | "heardMs"> {
  title: string;
  status: LoopSummary["status"];
  reason: StopReason | null;
  proof: Level | null;
  tone: Tone;
  /** `running (3/15)`, `✓ verified`, `■ iteration-limit`. */
  badge: string;
  why: string;
  /** Whether a process drives it, or a host has it in a session. */
  driven: boolean;
  costUsd: number;
  tokens: number;
  waitUntilMs: number | null;
  createdMs: number;
  updatedMs: number;
}

export function loopLine(loop: LoopSummary, driven: boolean, pulse: LoopPulse | null): LoopLine {
  const { id, door, part, run, iteration, maxIterations, proved, status, reason, waitUntilMs } = loop;
  const live = driven && status !== "stopped" ? pulse : null;
  return {
    ...{ id, door, part, run, iteration, maxIterations, proved, status, reason, waitUntilMs, driven },
    title: printable(loop.title),
    proof: isLevel(reason) ? reason : null,
    ...standOf(loop, driven),
    costUsd: loop.costUsd + (live?.costUsd ?? 0),
    tokens: loop.tokens + (live?.tokens ?? 0),
    createdMs: loop.createdAtMs,
    updatedMs: loop.updatedAtMs,
    agent: live?.agent ?? "",
    model: live?.model ?? null,
    turnBeganMs: live?.turnBeganMs ?? null,
    doing: live?.doing ?? null,
    heardMs: live?.heardMs ?? null,
  };
}

function standOf(loop: LoopSummary, driven: boolean): Pick<LoopLine, "tone" | "badge" | "why"> {
  const { reason, status, detail } = loop;
  if (reason !== null) {
    return { tone: reasonTone(reason), badge: `${stopFacts(reason).mark} ${reason}`, why: printable(detail) };
  }
  const progress = `(${progressOf(loop)})`;
  if (!driven) return { tone: "warn", badge: `⏸ interrupted ${progress}`, why: "its driver is gone" };
  if (status === "waiting") return { tone: "warn", badge: `⏳ waiting ${progress}`, why: printable(detail) };
  return { tone: "active", badge: `🔄 running ${progress}`, why: "" };
}
