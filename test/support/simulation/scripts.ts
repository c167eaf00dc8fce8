import type { TurnFault } from "../../../src/core/agent.ts";
import type { Script } from "./world.ts";

const never = () => false;
const from = (first: number) => (n: number) => n >= first;
const fault = (kind: TurnFault["kind"], retryAtMs?: number): TurnFault => ({
  kind,
  detail: kind,
  ...(retryAtMs === undefined ? {} : { retryAtMs }),
});

/** The world's clock starts at 1,000,000 ms; outages end some time after. */
const OUTAGE_ENDS_MS = 1_070_000;
const during = (kind: TurnFault["kind"], told: boolean) => (n: number, nowMs: number) =>
  n === 2 && nowMs < OUTAGE_ENDS_MS ? fault(kind, told ? OUTAGE_ENDS_MS : undefined) : null;

/** Every way a loop can end, and the paths to it. */
export const scripts: readonly Script[] = [
  { name: "succeeds at once", reason: "verified", claims: from(1) },
  { name: "succeeds on the last iteration", reason: "verified", limits: { maxIterations: 2 }, claims: from(2) },
  {
    name: "claims too early twice",
    reason: "verified",
    claims: from(1),
    verdict: (n) => ({ is: n < 3 ? "fail" : "pass" }),
  },
  {
    name: "is stopped by a guardrail first",
    reason: "verified",
    claims: from(1),
    guardPasses: (n) => n !== 1 && n !== 3,
    verdict: (n) => ({ is: n < 4 ? "fail" : "pass" }),
  },
  {
    name: "is judged again after unknown",
    reason: "verified",
    claims: from(2),
    verdict: (_, nth) => ({ is: nth === 1 ? "unknown" : "pass" }),
  },
  { name: "stays unknown", reason: "unverifiable", claims: from(2), verdict: () => ({ is: "unknown" }) },
  { name: "waits for a reported reset", reason: "verified", claims: from(3), fault: during("rate-limited", true) },
  { name: "backs off from an overload", reason: "verified", claims: from(2), fault: during("overloaded", false) },
  {
    name: "will not wait that long",
    reason: "wait-limit",
    limits: { maxWaitMs: 1_000 },
    claims: never,
    fault: during("rate-limited", true),
  },
  { name: "is not logged in", reason: "auth", claims: never, fault: (n) => (n === 2 ? fault("auth") : null) },
  { name: "has lost its program", reason: "agent-missing", claims: never, fault: () => fault("agent-missing") },
  { name: "is blocked", reason: "blocked", varies: true, claims: from(2), blocks: from(2) },
  { name: "finds faults", reason: "faults-found", varies: true, claims: from(2), finds: from(2) },
  {
    name: "fails three times in a row",
    reason: "agent-failed",
    varies: true,
    claims: never,
    fault: (n) => (n > 1 ? fault("crashed") : null),
  },
  {
    name: "recovers from two failures",
    reason: "verified",
    claims: from(4),
    fault: (n) => (n === 2 || n === 3 ? fault("timed-out") : null),
  },
  {
    name: "is stuck",
    reason: "stuck",
    varies: true,
    limits: { stuckAfter: 2 },
    claims: never,
    work: (n) => (n < 2 ? `work of ${n}` : "the same"),
    guardPasses: never,
  },
  {
    name: "tampers three times",
    reason: "tampered",
    varies: true,
    claims: from(1),
    verdict: () => ({ is: "fail", tampered: [{ path: "check.sh", change: "changed" }] }),
  },
  { name: "has a check that cannot be run", reason: "check-missing", baseline: "unknown", claims: from(1) },
  {
    name: "has a check that passes too early",
    reason: "already-green",
    baseline: "pass",
    proof: { requireRedFirst: true },
    claims: from(1),
  },
  {
    name: "claims once without any work",
    reason: "verified",
    proof: { zeroWorkGuard: true },
    claims: from(1),
    tools: () => "",
    work: (n) => (n < 2 ? "the tree at first" : `work of ${n}`),
  },
  {
    name: "claims twice without any work",
    reason: "no-work",
    proof: { zeroWorkGuard: true },
    claims: (n) => n !== 2,
    tools: () => "",
    work: () => "the tree at first",
  },
  { name: "ends with its turn", reason: "finished", ends: "turn", session: "session before", claims: never },
  {
    name: "ends with the first turn that passes",
    reason: "finished",
    ends: "turn",
    claims: never,
    guardPasses: from(3),
    fault: during("overloaded", false),
  },
  {
    name: "fails in its only turn",
    reason: "agent-failed",
    ends: "turn",
    varies: true,
    limits: { maxFailures: 1 },
    claims: never,
    fault: () => fault("crashed"),
  },
  {
    name: "is blocked in its only turn",
    reason: "blocked",
    ends: "turn",
    varies: true,
    claims: never,
    blocks: from(1),
  },
  {
    name: "is done when its checks pass",
    reason: "verified",
    ends: "checks",
    session: "session before",
    claims: never,
    verdict: (n) => ({ is: n < 3 ? "fail" : "pass" }),
  },
  {
    name: "has checks with unknown results",
    reason: "unverifiable",
    ends: "checks",
    claims: never,
    verdict: () => ({ is: "unknown" }),
  },
  { name: "reaches the iteration limit", reason: "iteration-limit", limits: { maxIterations: 3 }, claims: never },
  { name: "reaches the cost limit", reason: "cost-limit", varies: true, limits: { maxCostUsd: 3 }, claims: never },
  { name: "reaches the token limit", reason: "token-limit", varies: true, limits: { maxTokens: 45 }, claims: never },
  { name: "reaches the time limit", reason: "time-limit", varies: true, limits: { maxMs: 3_000 }, claims: never },
];
