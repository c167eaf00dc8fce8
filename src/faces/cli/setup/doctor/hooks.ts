import type { Installed } from "../../../../adapters/hosts/host.ts";
import { type HostStatus, hostStatuses } from "../../../../doors/hook/install/install.ts";
import type { DoctorFinding } from "./finding.ts";

/** Findings about installed hooks; none for a host without an installation. */
export async function hookFindings(cwd: string): Promise<DoctorFinding[]> {
  const statuses = await hostStatuses(cwd);
  return [
    ...statuses.filter(({ installed }) => installed.length > 0).map(hostFinding),
    ...statuses.flatMap(({ host, unused, hasOwnPlugin }) =>
      unused && !hasOwnPlugin ? [{ name: `${host} hook`, is: "warning" as const, says: unused.why }] : [],
    ),
    ...statuses.flatMap(({ installed, hasOwnPlugin, limits }) => (installed.length > 0 || hasOwnPlugin ? limits : [])),
  ];
}

function hostFinding({ host, installed, doubt }: HostStatus): DoctorFinding {
  const name = `${host} hook`;
  const says = installed.map(({ scope, file, starts }) => `${scope}: ${file} starts ${starts}`).join("\n");
  const again = ({ scope }: Installed) => `\`ralph hook install ${host} --${scope}\``;
  const faulty = installed.find(({ fault }) => fault !== null);
  if (faulty) return { name, is: "problem", says, hint: `${faulty.fault}: fix it by hand` };
  const gone = installed.find((one) => one.gone !== null);
  if (gone) return { name, is: "problem", says, hint: `${gone.gone} is missing: reinstall it, ${again(gone)}` };
  const partial = installed.find(({ missing }) => missing.length > 0);
  if (partial) return { name, is: "warning", says, hint: `missing: ${partial.missing.join(", ")}; ${again(partial)}` };
  if (doubt) return { name, says, ...doubt };
  const hint = installed.length > 1 ? "in both places, which is harmless: every event is answered once" : undefined;
  return { name, is: "ok", says, ...(hint === undefined ? {} : { hint }) };
}
