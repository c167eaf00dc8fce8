import { EXIT } from "../../../core/errors.ts";
import { HOSTS, type KnownHost } from "../../../core/host.ts";
import { installations, removeHooks } from "../../../doors/hook/install.ts";
import type { CliContext } from "../context.ts";
import { changeLines, type ScopeOptions, scopeOf, shownPath } from "../views/hook-lines.ts";

/** `ralph hook uninstall`. */
export async function hookUninstallCommand(
  cli: CliContext,
  wanted: KnownHost | "all",
  { json = false, ...options }: ScopeOptions & { json?: boolean },
): Promise<number> {
  const hosts = wanted === "all" ? HOSTS : [wanted];
  const scope = scopeOf(options);
  const reports = removeHooks(hosts, scope, cli.cwd());
  const left = installations(cli.cwd()).filter(({ host }) => hosts.includes(host));
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
