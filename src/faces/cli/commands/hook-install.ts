import { EXIT } from "../../../core/errors.ts";
import type { KnownHost } from "../../../core/host.ts";
import { installHooks } from "../../../doors/hook/install.ts";
import type { CliContext } from "../context.ts";
import { paint } from "../output/paint.ts";
import { changeLines, type ScopeOptions, scopeOf } from "../views/hook-lines.ts";

interface Options extends ScopeOptions {
  force?: boolean;
  json?: boolean;
}

/** `ralph hook install`. */
export async function hookInstallCommand(cli: CliContext, host: KnownHost, options: Options): Promise<number> {
  const { force = false, json = false } = options;
  const report = installHooks({ host, scope: scopeOf(options), cwd: cli.cwd(), force });
  if (json) {
    cli.printJson(report);
    return EXIT.verified;
  }
  const { scope, files, starts, notes, next } = report;
  const changed = files.some(({ did }) => did !== "unchanged");
  const where = scope === "user" ? "for you, in all projects" : "in this project (--user: for you, in all projects)";
  cli.printLine(changed ? `Installed for ${host}, ${where}:` : `Installed for ${host} already, ${where}:`);
  for (const line of changeLines(cli.cwd(), files)) cli.printLine(line);
  cli.printLine(`It starts: ${paint("dim", starts)}`);
  for (const note of [...notes, ...next]) cli.printWords(note);
  return EXIT.verified;
}
