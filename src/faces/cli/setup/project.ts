import { dirname, join } from "node:path";
import { agentsOnPath, KINDS, kindOf } from "../../../adapters/agents/agent.ts";
import { agentNamed } from "../../../adapters/agents/chosen-agents.ts";
import { hasFlag } from "../../../adapters/agents/flags.ts";
import { needsOf } from "../../../adapters/agents/permissions.ts";
import { isRepository } from "../../../adapters/git/repository.ts";
import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import { findOnPath } from "../../../adapters/io/find-on-path.ts";
import { isFileAt, textAt } from "../../../adapters/io/look.ts";
import { walkFiles } from "../../../adapters/io/walk-files.ts";
import { type Proposals, proposalsFor } from "../../../core/init/detect.ts";
import type { ChosenAgent } from "../../../core/init/draft.ts";
import type { Project } from "../../../core/init/project.ts";
import { NO_SOURCES } from "../../../core/test-files/file-role.ts";

/** What `ralph init` found in a folder and on this machine. */
export interface Detected extends Proposals {
  agents: string[];
  git: boolean;
}

/** Inspects a project without changing anything. */
export async function detectProject(cwd: string): Promise<Detected> {
  const git = await isRepository(cwd);
  const { verify, guardrails, scope, notes } = proposalsFor(projectIn(cwd));
  const inside = git && checkoutRoot(cwd) !== cwd ? [BELOW_ROOT] : [];
  return { agents: agentsOnPath(cwd), git, verify, guardrails, scope: git ? scope : [], notes: [...notes, ...inside] };
}

/** An agent for the settings, with the permissions that it can be given; none if its own flags already set a mode. */
export async function chosenAgent(line: string, kinds = KINDS, cwd = "."): Promise<ChosenAgent> {
  const { command, flags } = agentNamed(line, [], cwd);
  const own = flags ? { flags } : {};
  const permissions = (await kindOf(command, kinds))?.permissions;
  if (!permissions || hasFlag(flags ?? [], permissions.modes)) return { command, ...own, permissions: null };
  const { work, everything } = permissions;
  return { command, ...own, permissions: { edit: (checks) => work?.(needsOf(checks)) ?? null, everything } };
}

const BELOW_ROOT = "this is not the root of the repository: these settings are for loops started in this folder";

/** Enough to see a layout. */
const MOST_FILES = 50_000;

const projectIn = (cwd: string): Project => ({
  has: (file) => isFileAt(join(cwd, file)),
  hasAbove: (file) => foldersUpToRoot(cwd).some((folder) => isFileAt(join(folder, file))),
  read: (file) => textAt(join(cwd, file)),
  files: () => [...walkFiles(cwd, "", { skip: NO_SOURCES, most: MOST_FILES })],
  runs: (program) => findOnPath(program, cwd) !== null,
});

/** The folder and those above it within its repository; outside of a repository, only itself. */
function foldersUpToRoot(cwd: string): string[] {
  const root = checkoutRoot(cwd) ?? cwd;
  const folders = [cwd];
  for (let at = cwd; at !== root; folders.push(at)) at = dirname(at);
  return folders;
}
