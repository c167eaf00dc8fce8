import { EXIT } from "../../../core/errors.ts";
import { HOST_NAMES, type KnownHost } from "../../../core/host.ts";
import { hostStatuses, uninstallHosts } from "../../../doors/hook/install/install.ts";
import type { CliContext } from "../context.ts";
import { changeLines, type ScopeOptions, scopeOf, shownPath } from "../views/hook-lines.ts";

/** `ralph hook uninstall`. */
export async function hookUninstallCommand(
  cli: CliContext,
  wanted: KnownHost | "all",
  { json = false, ...options }: ScopeOptions & { json?: boolean },
): Promise<number> {
  const hosts = wanted === "all" ? HOST_NAMES : [wanted];
  const scope = scopeOf(options);
  const reports = await uninstallHosts(hosts, scope, cli.cwd());
  const statuses = (await hostStatuses(cli.cwd())).filter(({ host }) => hosts.includes(host));
  const left = statuses.flatMap(({ installed }) => installed);
  if (json) {
    cli.printJson(wanted === "all" ? reports : reports[0]);
    return EXIT.verified;
  }
  const where = scope === "user" ? "for you" : "in this project";
  for (const { host, files } of reports) {
    cli.printLine(
      files.length === 0 ? `Nothing is installed for ${host} ${where}.` : `Uninstalled for ${host} ${where}:`,
    );
    for (const line of changeLines(cli.cwd(), files)) cli.printLine(line);
  }
  for (const { host, scope: other, file } of left) {
    cli.printWords(
      `It is still in ${shownPath(cli.cwd(), file)}: ralph hook uninstall ${host} --${other}${other === "project" ? ", in its folder" : ""}`,
    );
  }
  return EXIT.verified;
}
