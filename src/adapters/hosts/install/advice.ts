import type { KnownHost } from "../../../core/host.ts";
import type { Scope } from "./places.ts";

/** What a person has to do before Codex runs a hook; it skips the others without a word. */
export const CODEX_TRUST =
  'Codex skips hooks that nobody has trusted, without a word: open `codex` here once and choose "Trust all and continue", again after every change of the hook.';
export const CODEX_PROJECT =
  "Hooks of a project also need the project to be trusted, which codex asks when it is opened there.";

const EXAMPLE = 'ralph "make the tests pass" --verify "npm test"';

/** What is left to do for a person after an installation. */
export function nextSteps(host: KnownHost, scope: Scope): string[] {
  if (host === "claude") {
    const where = scope === "project" ? " in this very folder (below it the hooks do not count; " : " (";
    return [
      `Start a new Claude Code session${where}open ones keep the hooks that they began with) and type: /${EXAMPLE}`,
    ];
  }
  if (host === "opencode") return [`Start OpenCode anew and type: /${EXAMPLE}`];
  const trust = scope === "project" ? [CODEX_TRUST, CODEX_PROJECT] : [CODEX_TRUST];
  return [...trust, `Then type: $${EXAMPLE}   (codex exec takes it with a slash: /ralph …)`];
}
