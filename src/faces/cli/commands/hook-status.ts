import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import { claudeAbove, hasClaudePlugin, hostLoops, installations, unseenWords } from "../../../doors/hook/install.ts";
import type { CliContext } from "../context.ts";
import { paint } from "../output/paint.ts";
import { agoOf } from "../output/phrases.ts";
import { shownPath } from "../views/hook-lines.ts";

/** `ralph hook status`. */
export async function hookStatusCommand(cli: CliContext, { json = false }: { json?: boolean }): Promise<number> {
  const cwd = cli.cwd();
  const installed = installations(cwd);
  const claudePlugin = hasClaudePlugin(cwd);
  const unseen = claudePlugin ? null : claudeAbove(cwd);
  const loops = await hostLoops(cwd);
  if (json) {
    cli.printJson({ installed, unseen, claudePlugin, loops });
    return EXIT.verified;
  }
  if (unseen) cli.printWords(`${paint("red", "✗")} claude    ${unseenWords(unseen)}`);
  else if (installed.length === 0 && !claudePlugin) {
    cli.printLine("Not installed for any host. Install it: ralph hook install claude");
  }
  if (claudePlugin) cli.printLine(`${paint("green", "✓")} claude    plugin   switched on: /ralph:ralph`);
  for (const one of installed) showInstalled(cli, one);
  cli.printLine(loops.length === 0 ? "No loop is running in a session of a host here." : "Loops in sessions of hosts:");
  for (const { id, holder, iteration, maxIterations, createdAtMs, title } of loops) {
    const progress = `iteration ${iteration}${maxIterations === null ? "" : `/${maxIterations}`}`;
    cli.printLine(`  ${id}: ${progress}, started ${agoOf(createdAtMs)}, ${printable(holder)}  ${printable(title)}`);
  }
  return EXIT.verified;
}

function showInstalled(cli: CliContext, { host, scope, file, starts, gone, fault, missing }: Installed): void {
  const mark = gone === null && fault === null && missing.length === 0 ? paint("green", "✓") : paint("red", "✗");
  cli.printLine(`${mark} ${host.padEnd(9)} ${scope.padEnd(8)} ${shownPath(cli.cwd(), file)}  ${paint("dim", starts)}`);
  if (fault !== null) cli.printWords(`  it cannot be read: ${fault}. Fix it by hand`);
  const again = `ralph hook install ${host} --${scope}`;
  if (gone !== null) cli.printWords(`  its program is missing: ${gone}. Reinstall it: ${again}`);
  if (missing.length > 0)
    cli.printWords(
      `  missing: ${missing.map((path) => shownPath(cli.cwd(), path)).join(", ")}. Reinstall it: ${again}`,
    );
}

type Installed = ReturnType<typeof installations>[number];
