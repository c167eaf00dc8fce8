import type { Installed, Scope } from "../../../adapters/hosts/host.ts";
import { seenFrom } from "../../../adapters/io/inside.ts";
import { printable } from "../../../core/ansi.ts";
import { HOST_NAMES, type KnownHost } from "../../../core/host.ts";
import {
  hostLoops,
  hostStatuses,
  type InstallReport,
  installHost,
  uninstallHosts,
} from "../../../doors/hook/install/install.ts";
import { paint } from "../../terminal/paint.ts";
import type { Cli, JsonOption } from "../context.ts";
import { hookEvent } from "../hook-event.ts";
import { agoOf } from "../output/phrases.ts";

export async function hookInstallCommand(cli: Cli, host: KnownHost, options: ScopeOptions & { force?: boolean }) {
  const { force = false, json = false } = options;
  const report = await installHost({ host, scope: scopeOf(options), cwd: cli.cwd(), force });
  if (json) return cli.printJson(report);
  const { scope, files, starts, notes, next } = report;
  const changed = files.some(({ did }) => did !== "unchanged");
  const where = scope === "user" ? "for you, in all projects" : "in this project (--user: for you, in all projects)";
  cli.printLine(changed ? `Installed for ${host}, ${where}:` : `Installed for ${host} already, ${where}:`);
  for (const line of changeLines(cli.cwd(), files)) cli.printLine(line);
  cli.printLine(`It starts: ${paint("dim", starts)}`);
  for (const note of [...notes, ...next]) cli.printWords(note);
}

export const hookEventCommand = ({ process: { stdin, stdout, stderr } }: Cli, host: string): Promise<number> =>
  hookEvent(host, { stdout, stderr, input: stdin });

export async function hookUninstallCommand(cli: Cli, wanted: KnownHost | "all", options: ScopeOptions): Promise<void> {
  const hosts = wanted === "all" ? HOST_NAMES : [wanted];
  const scope = scopeOf(options);
  const reports = await uninstallHosts(hosts, scope, cli.cwd());
  const statuses = (await hostStatuses(cli.cwd())).filter(({ host }) => hosts.includes(host));
  const left = statuses.flatMap(({ installed }) => installed);
  if (options.json) return cli.printJson(wanted === "all" ? reports : reports[0]);
  const where = scope === "user" ? "for you" : "in this project";
  for (const { host, files } of reports) {
    cli.printLine(
      files.length === 0 ? `Nothing is installed for ${host} ${where}.` : `Uninstalled for ${host} ${where}:`,
    );
    for (const line of changeLines(cli.cwd(), files)) cli.printLine(line);
  }
  for (const { host, scope: other, file } of left) {
    cli.printWords(
      `It is still in ${seenFrom(cli.cwd(), file)}: ralph hook uninstall ${host} --${other}${other === "project" ? ", in its folder" : ""}`,
    );
  }
}

export async function hookStatusCommand(cli: Cli, { json = false }: JsonOption): Promise<void> {
  const cwd = cli.cwd();
  const statuses = await hostStatuses(cwd);
  const installed = statuses.flatMap((status) => status.installed);
  const plugins = statuses.filter(({ hasOwnPlugin }) => hasOwnPlugin);
  const [unused = null] = statuses.flatMap((status) => (status.hasOwnPlugin ? [] : (status.unused ?? [])));
  const loops = await hostLoops(cwd);
  if (json)
    return cli.printJson({ installed, unseen: unused?.installed ?? null, claudePlugin: plugins.length > 0, loops });
  if (unused) cli.printWords(`${paint("red", "✗")} ${unused.installed.host.padEnd(9)} ${unused.why}`);
  else if (installed.length === 0 && plugins.length === 0) {
    cli.printLine("Not installed for any host. Install it: ralph hook install claude");
  }
  for (const { host } of plugins)
    cli.printLine(`${paint("green", "✓")} ${host.padEnd(9)} plugin   switched on: /ralph:ralph`);
  for (const one of installed) showInstalled(cli, one);
  cli.printLine(loops.length === 0 ? "No loop is running in a session of a host here." : "Loops in sessions of hosts:");
  for (const { id, holder, iteration, maxIterations, createdAtMs, title } of loops) {
    const progress = `iteration ${iteration}${maxIterations === null ? "" : `/${maxIterations}`}`;
    cli.printLine(`  ${id}: ${progress}, started ${agoOf(createdAtMs)}, ${printable(holder)}  ${printable(title)}`);
  }
}

function showInstalled(cli: Cli, { host, scope, file, starts, gone, fault, missing }: Installed): void {
  const mark = gone === null && fault === null && missing.length === 0 ? paint("green", "✓") : paint("red", "✗");
  cli.printLine(`${mark} ${host.padEnd(9)} ${scope.padEnd(8)} ${seenFrom(cli.cwd(), file)}  ${paint("dim", starts)}`);
  if (fault !== null) cli.printWords(`  it cannot be read: ${fault}. Fix it by hand`);
  const again = `ralph hook install ${host} --${scope}`;
  if (gone !== null) cli.printWords(`  its program is missing: ${gone}. Reinstall it: ${again}`);
  if (missing.length > 0)
    cli.printWords(`  missing: ${missing.map((path) => seenFrom(cli.cwd(), path)).join(", ")}. Reinstall it: ${again}`);
}

interface ScopeOptions extends JsonOption {
  user?: boolean;
  project?: boolean;
}

/** The default scope is the project. */
const scopeOf = ({ user = false }: ScopeOptions): Scope => (user ? "user" : "project");

type Files = InstallReport["files"];

const changeLines = (cwd: string, files: Files): string[] =>
  files.map(({ path, did, kept }) => {
    const more = kept === undefined ? LATER[did] : `what was there is now ${seenFrom(cwd, kept)}`;
    return `  ${did.padEnd(10)} ${seenFrom(cwd, path)}${more ? paint("dim", `  (${more})`) : ""}`;
  });

const LATER: Partial<Record<Files[number]["did"], string>> = { kept: "not Ralph's, or changed since" };
