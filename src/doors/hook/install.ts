import { dirname } from "node:path";
import { nextSteps } from "../../adapters/hosts/install/advice.ts";
import { applyChanges, type Done, removeEmpty } from "../../adapters/hosts/install/change.ts";
import { claudeFacts } from "../../adapters/hosts/install/claude-settings.ts";
import { hostFiles, ownFiles } from "../../adapters/hosts/install/host-files.ts";
import { type Installed, installedIn } from "../../adapters/hosts/install/installed.ts";
import { placesOf, SCOPES, type Scope } from "../../adapters/hosts/install/places.ts";
import { madeFolders, planInstall, planRemoval } from "../../adapters/hosts/install/plan.ts";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { openWorkspace } from "../../adapters/store/workspace.ts";
import { HOSTS, type KnownHost } from "../../core/host.ts";
import type { LoopSummary } from "../../core/store.ts";
import { ownProgram } from "./own-program.ts";

export { SCOPES, type Scope } from "../../adapters/hosts/install/places.ts";

interface Target {
  host: KnownHost;
  scope: Scope;
  cwd: string;
}

/** What an installation did. */
export interface InstallReport {
  host: KnownHost;
  scope: Scope;
  /** What the host starts. */
  starts: string;
  files: readonly Done[];
  notes: readonly string[];
  /** What is left to do. */
  next: readonly string[];
}

/** Makes a host tell us of its sessions. Everything is checked before the first file is written. */
export function installHooks({
  host,
  scope,
  cwd,
  force,
  dist,
}: Target & { force: boolean; dist?: string }): InstallReport {
  const places = placesOf(host, scope, { cwd });
  const program = ownProgram({ host, scope, cwd, ...(dist === undefined ? {} : { dist }) });
  const files = applyChanges(planInstall(hostFiles(places, program), { force }));
  const here = installedIn(places, cwd);
  const other = SCOPES.flatMap((one) => foundIn(host, one, cwd) ?? []).filter(({ file }) => file !== here?.file);
  const twice = other.map(
    ({ file }) => `It is installed in ${file} as well. That is harmless: every event is answered once.`,
  );
  const starts = here?.starts ?? program.line;
  return { host, scope, starts, files, notes: [...program.notes, ...twice], next: nextSteps(host, scope) };
}

/** What was taken out of a host's files; empty: nothing of ours was there. */
interface RemovalReport {
  host: KnownHost;
  scope: Scope;
  files: readonly Done[];
}

/** Puts the files of hosts back as they were. Everything is checked before the first is written. */
export function removeHooks(hosts: readonly KnownHost[], scope: Scope, cwd: string): RemovalReport[] {
  const plans = hosts.map((host) => {
    const files = ownFiles(placesOf(host, scope, { cwd }));
    return { host, changes: planRemoval(files), folders: madeFolders(files) };
  });
  return plans.map(({ host, changes, folders }) => {
    const files = applyChanges(changes).filter(({ did }) => did !== "unchanged");
    removeEmpty(folders);
    return { host, scope, files };
  });
}

/** Every installation that concerns this folder: below it most hosts find a project's as well. */
export const installations = (cwd: string): Installed[] =>
  HOSTS.flatMap((host) => [
    ...SCOPES.flatMap((scope) => foundIn(host, scope, cwd) ?? []),
    ...(host === "claude" ? [] : foundAbove(host, cwd)),
  ]).filter(
    // In a home folder the project's file and the person's are one.
    ({ file }, at, all) => all.findIndex((other) => other.file === file) === at,
  );

/** An installation that does not count here: Claude Code takes the hooks of the folder that it is started in. */
export const claudeAbove = (cwd: string): Installed | null =>
  SCOPES.some((scope) => foundIn("claude", scope, cwd)) ? null : (foundAbove("claude", cwd)[0] ?? null);

/** What is installed for the project in the nearest folder above, in the same checkout. */
function foundAbove(host: KnownHost, cwd: string): Installed[] {
  const root = checkoutRoot(cwd);
  for (let folder = cwd; root !== null && folder !== root; ) {
    folder = dirname(folder);
    const found = foundIn(host, "project", folder);
    if (found) return [found];
  }
  return [];
}

/** What to do about an installation that Claude Code does not see. */
export const unseenWords = ({ file }: Installed): string =>
  `${file} does not count here: Claude Code takes the hooks of the folder that it is started in. Start it in ${dirname(dirname(file))}, or install it here, or with --user: ralph hook install claude`;

/** Whether Claude Code has our plugin switched on here. */
export const hasClaudePlugin = (cwd: string): boolean => claudeFacts(cwd).hasPlugin;

const foundIn = (host: KnownHost, scope: Scope, cwd: string): Installed | null =>
  installedIn(placesOf(host, scope, { cwd }), cwd);

const MOST_LOOPS = 500;

/** The loops of this folder that go on in sessions of hosts. */
export async function hostLoops(cwd: string): Promise<LoopSummary[]> {
  const { store } = await openWorkspace(cwd);
  try {
    const active = await store.summaries({ active: true, limit: MOST_LOOPS });
    return active.filter(({ driver }) => driver === "host");
  } finally {
    store.close();
  }
}
