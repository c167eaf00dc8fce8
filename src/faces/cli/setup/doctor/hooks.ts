import { CODEX_PROJECT, CODEX_TRUST } from "../../../../adapters/hosts/install/advice.ts";
import { CAP_VARIABLE, type ClaudeFacts, claudeFacts } from "../../../../adapters/hosts/install/claude-settings.ts";
import { distrusted } from "../../../../adapters/hosts/install/codex-trust.ts";
import type { Installed } from "../../../../adapters/hosts/install/installed.ts";
import type { KnownHost } from "../../../../core/host.ts";
import { claudeAbove, installations, unseenWords } from "../../../../doors/hook/install.ts";
import type { DoctorFinding } from "./finding.ts";

/** How loops in sessions of hosts stand; nothing of a host where nothing is installed. */
export function hookFindings(cwd: string): DoctorFinding[] {
  const all = installations(cwd);
  const claude = claudeFacts(cwd);
  const hosts = [...new Set(all.map(({ host }) => host))];
  const found = hosts.map((host) =>
    hostFinding(
      host,
      all.filter((one) => one.host === host),
      { cwd, claude },
    ),
  );
  const isInClaude = hosts.includes("claude") || claude.hasPlugin;
  const unseen = isInClaude ? null : claudeAbove(cwd);
  return [
    ...found,
    ...(unseen ? [{ name: "claude hook", is: "warning" as const, says: unseenWords(unseen) }] : []),
    ...(isInClaude ? [capFinding(claude)] : []),
  ];
}

function hostFinding(
  host: KnownHost,
  installed: readonly Installed[],
  { cwd, claude }: { cwd: string; claude: ClaudeFacts },
): DoctorFinding {
  const name = `${host} hook`;
  const says = installed.map(({ scope, file, starts }) => `${scope}: ${file} starts ${starts}`).join("\n");
  const again = ({ scope }: Installed) => `\`ralph hook install ${host} --${scope}\``;
  const faulty = installed.find(({ fault }) => fault !== null);
  if (faulty) return { name, is: "problem", says, hint: `${faulty.fault}: fix it by hand` };
  const gone = installed.find((one) => one.gone !== null);
  if (gone) return { name, is: "problem", says, hint: `${gone.gone} is missing: reinstall it, ${again(gone)}` };
  const partial = installed.find(({ missing }) => missing.length > 0);
  if (partial) return { name, is: "warning", says, hint: `missing: ${partial.missing.join(", ")}; ${again(partial)}` };
  if (host === "claude" && claude.hooksOffIn !== null) {
    return { name, is: "problem", says, hint: `disableAllHooks in ${claude.hooksOffIn} switches it off` };
  }
  if (host === "claude" && claude.hasPlugin) {
    const hint =
      "the plugin is switched on as well: harmless, but every event starts two programs; one of them is enough";
    return { name, is: "warning", says, hint };
  }
  const trust = host === "codex" ? trustHint(installed, cwd) : null;
  if (trust !== null) return { name, is: "warning", says, hint: trust };
  const hint = installed.length > 1 ? "in both places, which is harmless: every event is answered once" : undefined;
  return { name, is: "ok", says, ...(hint === undefined ? {} : { hint }) };
}

function trustHint(installed: readonly Installed[], cwd: string): string | null {
  const doubts = installed.map(({ file }) => distrusted(file, cwd));
  if (doubts.includes(null)) return null;
  return doubts.includes("project") ? `${CODEX_PROJECT} ${CODEX_TRUST}` : CODEX_TRUST;
}

function capFinding({ cap, capFrom }: ClaudeFacts): DoctorFinding {
  const name = "claude cap";
  const from = capFrom === null ? "its own limit" : `${CAP_VARIABLE} in ${capFrom}`;
  if (cap === null) return { name, is: "ok", says: `Claude Code continues as long as the loop does (${from})` };
  return {
    name,
    is: "ok",
    says: `Claude Code ends a turn after continuing ${cap} times in a row without a tool call (${from}): a loop that would need one more stops as interrupted`,
    hint: `to raise it: "env": { "${CAP_VARIABLE}": "100" } in .claude/settings.json, or "0" for no limit; \`ralph resume\` continues the loop`,
  };
}
