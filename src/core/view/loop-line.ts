import { printable } from "../ansi.ts";
import type { StopReason } from "../loop/events.ts";
import { stopFacts } from "../loop/stop-reasons.ts";
import type { LoopSummary } from "../loop/store.ts";
import { isLevel, type Level } from "../proof/level.ts";
import type { LoopPulse } from "../pulse.ts";
import { progressOf, titleShown } from "./card.ts";
import type { Tone } from "./tones.ts";
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

/** Written field by field: spreading objects would take most of the time in which a view of 500 loops opens. */
export function loopLine(loop: LoopSummary, driven: boolean, pulse: LoopPulse | null): LoopLine {
  const live = (driven && loop.status !== "stopped" && pulse) || SILENT;
  const { tone, badge, why } = standOf(loop, driven);
  return {
    id: loop.id,
    door: loop.door,
    part: loop.part,
    run: loop.run,
    iteration: loop.iteration,
    maxIterations: loop.maxIterations,
    proved: loop.proved,
    title: titleShown(loop.title),
    status: loop.status,
    reason: loop.reason,
    proof: isLevel(loop.reason) ? loop.reason : null,
    tone,
    badge,
    why,
    driven,
    costUsd: loop.costUsd + live.costUsd,
    tokens: loop.tokens + live.tokens,
    waitUntilMs: loop.waitUntilMs,
    createdMs: loop.createdAtMs,
    updatedMs: loop.updatedAtMs,
    agent: live.agent,
    model: live.model,
    turnBeganMs: live.turnBeganMs,
    doing: live.doing,
    heardMs: live.heardMs,
  };
}

const SILENT: LoopPulse = {
  agent: "",
  model: null,
  turnBeganMs: null,
  doing: null,
  heardMs: null,
  costUsd: 0,
  tokens: 0,
};

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
