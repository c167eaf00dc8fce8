/** The public API: the pure core, for those who build on the loop. */
export type { AgentAdapter, AgentCommand, AgentEvent, AgentRun } from "./core/agent.ts";
export type { Claim, ClaimReading, Doubt, Passage } from "./core/claim/claim.ts";
export { readClaim } from "./core/claim/message.ts";
export { type ClaimPolicy, presets } from "./core/claim/policy.ts";
export { type ClaimWatch, watchClaims } from "./core/claim/watch.ts";
export { RalphError } from "./core/errors.ts";
export { type Decision, decide } from "./core/loop/decide.ts";
export type { CheckResult, Entry, LoopEvent, StopReason, Verdict } from "./core/loop/events.ts";
export { fold, reduce } from "./core/loop/reduce.ts";
export type { Limits, LoopSpec } from "./core/loop/spec.ts";
export { type LoopState, START } from "./core/loop/state.ts";
