import type { Rule } from "../proof/proof.ts";

export const AGENT_ROLES = ["coder", "reviewer", "tester", "qa"] as const;
/** The stages of the pipeline, each with its own agent. */
export type AgentRole = (typeof AGENT_ROLES)[number];

export const LOOP_ROLES = [...AGENT_ROLES, "conflict"] as const;
/** What a loop of a task works on: a stage, or merge conflicts. */
export type LoopRole = (typeof LOOP_ROLES)[number];

interface RoleFacts {
  /** The status of the task while it works. */
  status: "implementing" | "reviewing" | "testing" | "qa";
  /** Its part of the task, in its prompt. */
  title: string;
  /** Who reports its findings. */
  reporter: string;
  /** Its loops, in statistics. */
  statsLabel: string;
  /** It does the task's work, and fixes what others find. */
  implements: boolean;
  /** Its loop measures the task's proof from the start of the branch; other loops keep or lower the level. */
  measuresProof: boolean;
  /** It reviews another agent's work: its findings go back to the coder. */
  reviews: boolean;
  /** It must not change the work, and has a copy of it. */
  onCopy: boolean;
  /** It writes tests: it may change existing ones, but must not leave fewer. */
  writesTests: boolean;
  /** It may change protected files that came with the task's own work. */
  changesOwnFiles: boolean;
}

interface StageFacts extends RoleFacts {
  /** The rule for its work; `command-passed` only applies if the stage has a command. */
  rule: Rule | null;
  /** The default verification. */
  maxIterations: number;
  promise: string;
  method: "external" | "semantic" | "multi_stage";
}

/** Every role. A role that misses a fact does not compile. */
export const ROLES: Readonly<Record<AgentRole, StageFacts>> & { readonly conflict: RoleFacts } = {
  coder: {
    status: "implementing",
    title: "Implementation",
    reporter: "The coder",
    statsLabel: "coder",
    implements: true,
    measuresProof: true,
    reviews: false,
    onCopy: false,
    writesTests: false,
    changesOwnFiles: true,
    rule: "new-commit",
    maxIterations: 15,
    promise: "IMPLEMENTATION_COMPLETE",
    method: "external",
  },
  reviewer: {
    status: "reviewing",
    title: "Review",
    reporter: "The reviewer",
    statsLabel: "reviewer",
    implements: false,
    measuresProof: false,
    reviews: true,
    onCopy: true,
    writesTests: false,
    changesOwnFiles: false,
    rule: "approval",
    maxIterations: 5,
    promise: "REVIEW_PASSED",
    method: "semantic",
  },
  tester: {
    status: "testing",
    title: "Testing",
    reporter: "The tester",
    statsLabel: "tester",
    implements: false,
    measuresProof: false,
    reviews: true,
    onCopy: false,
    writesTests: true,
    changesOwnFiles: false,
    rule: "command-passed",
    maxIterations: 10,
    promise: "TESTS_PASSED",
    method: "external",
  },
  qa: {
    status: "qa",
    title: "QA",
    reporter: "The qa",
    statsLabel: "qa",
    implements: false,
    measuresProof: false,
    reviews: true,
    onCopy: true,
    writesTests: false,
    changesOwnFiles: false,
    rule: null,
    maxIterations: 5,
    promise: "QA_PASSED",
    method: "multi_stage",
  },
  conflict: {
    status: "qa",
    title: "Merge conflicts",
    reporter: "The merge",
    statsLabel: "conflicts",
    implements: false,
    measuresProof: false,
    reviews: false,
    onCopy: false,
    writesTests: false,
    changesOwnFiles: true,
  },
};

/** Whether it is a stage of a task, and not the merge or its conflicts. */
export const isStage = (at: string): at is AgentRole => AGENT_ROLES.some((role) => role === at);
