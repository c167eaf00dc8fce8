import { makeTargets } from "./makefile.ts";
import { packageProblem, packageScripts } from "./package-scripts.ts";
import type { FoundCommand, Project } from "./project.ts";
import { toolchainCommands } from "./toolchains.ts";

export type Proposal = Pick<FoundCommand, "command" | "from">;

export interface Proposals {
  /** Must exit 0 for a claim to count. */
  verify: Proposal[];
  guardrails: Proposal[];
  notes: string[];
}

/** Proposes checks from a project's files: make targets replace what they may wrap, a build missing tests. */
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
