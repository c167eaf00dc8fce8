import { dirname } from "node:path";
import {
  type HostInstallation,
  type HostLimit,
  type Installed,
  SCOPES,
  type Scope,
} from "../../../adapters/hosts/host.ts";
import { HOSTS } from "../../../adapters/hosts/hosts.ts";
import { applyChanges, type Done, removeEmpty } from "../../../adapters/hosts/install-files/change.ts";
import { hostFiles, installedIn, ownFiles } from "../../../adapters/hosts/install-files/installed.ts";
import { madeFolders, planInstall, planRemoval } from "../../../adapters/hosts/install-files/plan.ts";
import { placesOf } from "../../../adapters/hosts/places.ts";
import { checkoutRoot } from "../../../adapters/io/checkout.ts";
import { inWorkspace } from "../../../adapters/store/workspace.ts";
import { HOST_NAMES, type KnownHost } from "../../../core/host.ts";
import type { LoopSummary } from "../../../core/loop/store.ts";
import { ownProgram } from "./own-program.ts";

interface InstallRequest {
  host: KnownHost;
  scope: Scope;
  cwd: string;
  force: boolean;
  dist?: string;
}

export interface InstallReport {
  host: KnownHost;
  scope: Scope;
  starts: string;
  files: readonly Done[];
  notes: readonly string[];
  next: readonly string[];
}

/** Installs Ralph in a host. Everything is checked before the first file is written. */
export async function installHost({ host, scope, cwd, force, dist }: InstallRequest): Promise<InstallReport> {
  const installation = await HOSTS[host].installation();
  const places = placesOf(installation.host, scope, { cwd });
  const program = ownProgram({ installation, scope, cwd, ...(dist === undefined ? {} : { dist }) });
  const files = applyChanges(planInstall(hostFiles(installation, places, program), { force }));
  const here = installedIn(installation, scope, { cwd });
  const other = inScopes(installation, cwd).filter(({ file }) => file !== here?.file);
  const twice = other.map(
    ({ file }) => `It is installed in ${file} as well. That is harmless: every event is answered once.`,
  );
  const starts = here?.starts ?? program.line;
  return { host, scope, starts, files, notes: [...program.notes, ...twice], next: installation.nextSteps(scope) };
}

/** What was removed from a host's files; empty if Ralph was not installed. */
type RemovalReport = Pick<InstallReport, "host" | "scope" | "files">;

/** Restores the files of hosts. Everything is checked before the first is written. */
export async function uninstallHosts(hosts: readonly KnownHost[], scope: Scope, cwd: string): Promise<RemovalReport[]> {
  const plans = await Promise.all(
    hosts.map(async (host) => {
      const installation = await HOSTS[host].installation();
      const files = ownFiles(installation, placesOf(installation.host, scope, { cwd }));
      return { host, changes: planRemoval(files), folders: madeFolders(files) };
    }),
  );
  return plans.map(({ host, changes, folders }) => {
    const files = applyChanges(changes).filter(({ did }) => did !== "unchanged");
    removeEmpty(folders);
    return { host, scope, files };
  });
}

/** How Ralph is installed for a host, seen from a folder. */
export interface HostStatus {
  host: KnownHost;
  installed: readonly Installed[];
  /** An installation in a folder above that is not used here, and why; null if there is none. */
  unused: { installed: Installed; why: string } | null;
  /** Whether Ralph also runs as a plugin that the user switched on in the host. */
  hasOwnPlugin: boolean;
  /** Why a complete installation may not work, or may work twice; null if there is no such reason. */
  doubt: ReturnType<HostInstallation["doubt"]>;
  limits: readonly HostLimit[];
}

/** The status of every host. Most hosts also use the installation of a folder above. */
export async function hostStatuses(cwd: string): Promise<HostStatus[]> {
  const statuses = await Promise.all(HOST_NAMES.map(async (host) => statusOf(await HOSTS[host].installation(), cwd)));
  // In the home folder, the project's file and the user's are the same.
  const seen = new Set<string>();
  const isFirst = ({ file }: Installed) => !seen.has(file) && Boolean(seen.add(file));
  return statuses.map((status) => ({ ...status, installed: status.installed.filter(isFirst) }));
}

function statusOf(installation: HostInstallation, cwd: string): HostStatus {
  const { host, unusedBelow } = installation;
  const here = inScopes(installation, cwd);
  const above = foundAbove(installation, cwd);
  const installed = [...here, ...(above && !unusedBelow ? [above] : [])];
  return {
    host,
    installed,
    unused: above && unusedBelow && here.length === 0 ? { installed: above, why: unusedBelow(above) } : null,
    hasOwnPlugin: installation.hasOwnPlugin(cwd),
    doubt: installation.doubt(installed, cwd),
    limits: installation.limits(cwd),
  };
}

const inScopes = (installation: HostInstallation, cwd: string): Installed[] =>
  SCOPES.flatMap((scope) => installedIn(installation, scope, { cwd }) ?? []);

/** What is installed for the project in the nearest folder above, in the same checkout. */
function foundAbove(installation: HostInstallation, cwd: string): Installed | null {
  const root = checkoutRoot(cwd);
  for (let folder = cwd; root !== null && folder !== root; ) {
    folder = dirname(folder);
    const found = installedIn(installation, "project", { cwd: folder });
    if (found) return found;
  }
  return null;
}

const MAX_LOOPS = 500;

export const hostLoops = (cwd: string): Promise<LoopSummary[]> =>
  inWorkspace({ cwd }, async ({ store }) => {
    const active = await store.summaries({ active: true, limit: MAX_LOOPS });
    return active.filter(({ driver }) => driver === "host");
  });
