import { EXIT } from "../../../core/errors.ts";
import { HOST_NAMES, type KnownHost } from "../../../core/host.ts";
import { hostStatuses, removeHooks } from "../../../doors/hook/install/install.ts";
import { changeLines, type ScopeOptions, scopeOf, shownPath } from "../hook-lines.ts";
import { printJson, printLine, printWords } from "../print.ts";

/** `ralph hook uninstall`. */
export async function hookUninstallCommand(
  wanted: KnownHost | "all",
  { json = false, ...options }: ScopeOptions & { json?: boolean },
): Promise<number> {
  const hosts = wanted === "all" ? HOST_NAMES : [wanted];
  const scope = scopeOf(options);
  const reports = await removeHooks(hosts, scope, process.cwd());
  const statuses = (await hostStatuses(process.cwd())).filter(({ host }) => hosts.includes(host));
  const left = statuses.flatMap(({ installed }) => installed);
  if (json) {
    printJson(wanted === "all" ? reports : reports[0]);
    return EXIT.verified;
  }
  const where = scope === "user" ? "for you" : "in this project";
  for (const { host, files } of reports) {
    printLine(files.length === 0 ? `Nothing is installed for ${host} ${where}.` : `Uninstalled for ${host} ${where}:`);
    for (const line of changeLines(files)) printLine(line);
  }
  for (const { host, scope: other, file } of left) {
    printWords(
      `It is still in ${shownPath(file)}: ralph hook uninstall ${host} --${other}${other === "project" ? ", in its folder" : ""}`,
    );
  }
  return EXIT.verified;
}
