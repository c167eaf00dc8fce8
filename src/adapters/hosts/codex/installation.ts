import type { HostInstallation, Installed } from "../host.ts";
import { EXAMPLE } from "../install/hook-line.ts";
import { codexPlaces, distrusted } from "./trust.ts";

/** Codex skips a hook that was not trusted, and reports nothing. */
const TRUST =
  'Codex skips hooks that were not trusted, and reports nothing: open `codex` here once and choose "Trust all and continue", again after every change of the hook.';
const PROJECT_TRUST =
  "Hooks of a project also need the project to be trusted, which codex asks when it is opened there.";

export const codexInstallation: HostInstallation = {
  host: "codex",
  places: codexPlaces,
  commandHead: () => [],
  dependencyLine: null,
  plugin: null,
  nextSteps: (scope) => [
    TRUST,
    ...(scope === "project" ? [PROJECT_TRUST] : []),
    `Then type: $${EXAMPLE}   (codex exec takes it with a slash: /ralph …)`,
  ],
  unusedBelow: null,
  hasOwnPlugin: () => false,
  doubt(installed: readonly Installed[], cwd: string) {
    const doubts = installed.map(({ file }) => distrusted(file, cwd));
    if (doubts.includes(null)) return null;
    return { is: "warning", hint: doubts.includes("project") ? `${PROJECT_TRUST} ${TRUST}` : TRUST };
  },
  limits: () => [],
};
