export const AGENT_ROLES = ["coder", "reviewer", "tester", "qa"] as const;
/** The stages of the pipeline, each with its own agent. */
export type AgentRole = (typeof AGENT_ROLES)[number];

/** What a loop of a task works on: a stage, or merge conflicts. */
export type LoopRole = AgentRole | "conflict";
