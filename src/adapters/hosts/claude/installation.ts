import { dirname } from "node:path";
import type { HostInstallation } from "../host.ts";
import { EXAMPLE, PROJECT_PROGRAM } from "../install/hook-line.ts";
import { CAP_VARIABLE } from "./dialect.ts";
import { claudeFacts, claudePlaces } from "./settings.ts";

const ARGUMENT_HINT =
  '"<task> [--verify <command>] [--max-iterations <n>] [--completion-promise <text>] [--max-cost <usd>] [--timeout <time>] [--resume <loop>]"';

export const claudeInstallation: HostInstallation = {
  host: "claude",
  places: claudePlaces,
  // Only users may run a command: Claude Code offers them to its model otherwise.
  commandHead: (command) => [
    ...(command === "ralph" ? [`argument-hint: ${ARGUMENT_HINT}`] : []),
    "disable-model-invocation: true",
  ],
  dependencyLine: `node "$CLAUDE_PROJECT_DIR/${PROJECT_PROGRAM}" hook event claude`,
  plugin: null,
  nextSteps(scope) {
    const where = scope === "project" ? " in this very folder (below it the hooks do not count; " : " (";
    return [
      `Start a new Claude Code session${where}open ones keep the hooks that they began with) and type: /${EXAMPLE}`,
    ];
  },
  unusedBelow: ({ file }) =>
    `${file} does not count here: Claude Code takes the hooks of the folder that it is started in. Start it in ${dirname(dirname(file))}, or install it here, or with --user: ralph hook install claude`,
  hasOwnPlugin: (cwd) => claudeFacts(cwd).hasPlugin,
  doubt(_installed, cwd) {
    const { hooksOffIn, hasPlugin } = claudeFacts(cwd);
    if (hooksOffIn !== null) return { is: "problem", hint: `disableAllHooks in ${hooksOffIn} switches it off` };
    if (!hasPlugin) return null;
    const hint =
      "the plugin is switched on as well: harmless, but every event starts two programs; one of them is enough";
    return { is: "warning", hint };
  },
  limits(cwd) {
    const { cap, capFrom } = claudeFacts(cwd);
    const name = "claude cap";
    const from = capFrom === null ? "its own limit" : `${CAP_VARIABLE} in ${capFrom}`;
    if (cap === null) return [{ name, is: "ok", says: `Claude Code continues for as long as a loop does (${from})` }];
    return [
      {
        name,
        is: "ok",
        says: `Claude Code ends a turn after continuing ${cap} times in a row without a tool call (${from}): a loop that would need one more stops as interrupted`,
        hint: `to raise it: "env": { "${CAP_VARIABLE}": "100" } in .claude/settings.json, or "0" for no limit; \`ralph resume\` continues the loop`,
      },
    ];
  },
};
