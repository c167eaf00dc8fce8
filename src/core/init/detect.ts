import { makeTargets } from "./makefile.ts";
import { packageProblem, packageScripts } from "./package-scripts.ts";
import type { FoundCommand, Project } from "./project.ts";
import { toolchainCommands } from "./toolchains.ts";

export type Proposal = Pick<FoundCommand, "command" | "from">;

/** Proposed settings for a project. */
export interface Proposals {
  /** Must exit 0 for a claim to count. */
  verify: Proposal[];
  /** Run after every iteration. */
  guardrails: Proposal[];
  /** What the user should know about the project's files. */
  notes: string[];
}

/**
 * Proposes checks from the files of a project. The targets of a makefile are the project's own choice, and replace
 * the commands that they may wrap; a build is proof only where there is no test.
 */
export function proposalsFor(project: Project): Proposals {
  const targets = makeTargets(project);
  const others = [...packageScripts(project), ...toolchainCommands(project)];
  const found = [...targets, ...others.filter(({ role }) => !targets.some((target) => target.role === role))];
  const inRole = (...roles: FoundCommand["role"][]): Proposal[] =>
    found.filter(({ role }) => roles.includes(role)).map(({ command, from }) => ({ command, from }));
  const tests = inRole("test");
  const problem = packageProblem(project);
  return {
    verify: tests.length > 0 ? tests : inRole("build"),
    guardrails: inRole("lint", "check"),
    notes: problem === null ? [] : [problem],
  };
}
