import type { Installed } from "../../../adapters/hosts/host.ts";
import { printable } from "../../../core/ansi.ts";
import { EXIT } from "../../../core/errors.ts";
import { hostLoops, hostStatuses } from "../../../doors/hook/install/install.ts";
import { shownPath } from "../hook-lines.ts";
import { paint } from "../paint.ts";
import { agoOf, printJson, printLine, printWords } from "../print.ts";

/** `ralph hook status`. */
export async function hookStatusCommand({ json = false }: { json?: boolean }): Promise<number> {
  const cwd = process.cwd();
  const statuses = await hostStatuses(cwd);
  const installed = statuses.flatMap((status) => status.installed);
  const plugins = statuses.filter(({ hasOwnPlugin }) => hasOwnPlugin);
  const [unused = null] = statuses.flatMap((status) => (status.hasOwnPlugin ? [] : (status.unused ?? [])));
  const loops = await hostLoops(cwd);
  if (json) {
    printJson({ installed, unseen: unused?.installed ?? null, claudePlugin: plugins.length > 0, loops });
    return EXIT.verified;
  }
  if (unused) printWords(`${paint("red", "✗")} ${unused.installed.host.padEnd(9)} ${unused.why}`);
  else if (installed.length === 0 && plugins.length === 0) {
    printLine("Not installed for any host. Install it: ralph hook install claude");
  }
  for (const { host } of plugins)
    printLine(`${paint("green", "✓")} ${host.padEnd(9)} plugin   switched on: /ralph:ralph`);
  for (const one of installed) showInstalled(one);
  printLine(loops.length === 0 ? "No loop goes on in a session of a host here." : "Loops in sessions of hosts:");
  for (const { id, holder, iteration, maxIterations, createdAtMs, title } of loops) {
    const progress = `iteration ${iteration}${maxIterations === null ? "" : `/${maxIterations}`}`;
    printLine(`  ${id}: ${progress}, started ${agoOf(createdAtMs)}, ${printable(holder)}  ${printable(title)}`);
  }
  return EXIT.verified;
}

function showInstalled({ host, scope, file, starts, gone, fault, missing }: Installed): void {
  const mark = gone === null && fault === null && missing.length === 0 ? paint("green", "✓") : paint("red", "✗");
  printLine(`${mark} ${host.padEnd(9)} ${scope.padEnd(8)} ${shownPath(file)}  ${paint("dim", starts)}`);
  if (fault !== null) printWords(`  it cannot be read: ${fault}. Mend it by hand`);
  const again = `ralph hook install ${host} --${scope}`;
  if (gone !== null) printWords(`  its program is not there: ${gone}. Install it anew: ${again}`);
  if (missing.length > 0) printWords(`  missing: ${missing.map(shownPath).join(", ")}. Install it anew: ${again}`);
}
