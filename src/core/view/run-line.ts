import type { Level } from "../proof/level.ts";
import type { RunStatus } from "../workflow/state.ts";
import { levelBadge, type Tone } from "./tones.ts";

const TONES: Readonly<Record<RunStatus, Tone>> = {
  queued: "plain",
  running: "active",
  interrupted: "warn",
  completed: "good",
  failed: "bad",
  cancelled: "dim",
};

interface Run {
  status: RunStatus;
  proof: Level | null;
  /** Whether a process drives it. */
  held: boolean;
}

/** How a run of a workflow stands, with the proof of what it completed. */
export function runBadge({ status, proof, held }: Run): { badge: string; tone: Tone } {
  if (status === "completed" && proof) return levelBadge(proof);
  if (status === "running" && !held) return { badge: "interrupted", tone: "warn" };
  return { badge: status, tone: TONES[status] };
}
