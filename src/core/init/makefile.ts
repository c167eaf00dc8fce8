import type { FoundCommand, Project } from "./project.ts";

/** In the order in which make looks for them. */
const NAMES = ["GNUmakefile", "makefile", "Makefile"];

/** The targets test, lint and check. Without a target test, check is the test, as in the conventions of GNU. */
export function makeTargets(project: Project): FoundCommand[] {
  const from = NAMES.find((name) => project.has(name));
  if (from === undefined) return [];
  const targets = targetsIn(project.read(from));
  const test = ["test", "check"].find((name) => targets.has(name));
  const others = (["lint", "check"] as const).filter((name) => targets.has(name) && name !== test);
  return [
    ...(test === undefined ? [] : [{ role: "test", command: `make ${test}`, from } as const]),
    ...others.map((role) => ({ role, command: `make ${role}`, from })),
  ];
}

/** Words before a colon at the start of a line; `name := value` sets a variable. */
const targetsIn = (makefile: string): Set<string> =>
  new Set(
    [...makefile.matchAll(/^([^\s#:=.][^#:=\n]*):(?![:]?=)/gm)].flatMap(([, names = ""]) => names.trim().split(/\s+/)),
  );
