export const AGENT_ROLES = ["coder", "reviewer", "tester", "qa"] as const;
/** The stages of a task's way through the pipeline, each with an agent of its own. */
export type AgentRole = (typeof AGENT_ROLES)[number];

/** What a loop of a task works on: a stage, or the conflicts of its merge. */
export type LoopRole = AgentRole | "conflict";
