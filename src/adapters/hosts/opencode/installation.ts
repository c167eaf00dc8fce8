import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import type { HostInstallation } from "../host.ts";
import { EXAMPLE, pathLine } from "../install-files/hook-line.ts";
import { PLUGIN_BUNDLE, pluginFile } from "./plugin-file.ts";

const IN_PROJECT = "../../node_modules/ralph-engine/dist";

/** The plugin for a project that depends on ralph-engine: it starts the project's own copy, wherever the project is. */
const dependencyPlugin = (): string => `import { fileURLToPath } from "node:url";
import { ralphPlugin } from "${IN_PROJECT}/${PLUGIN_BUNDLE}";

export default ralphPlugin({
  node: "node",
  ralph: fileURLToPath(new URL("${IN_PROJECT}/ralph.js", import.meta.url)),
});
`;

/** The plugin for a project whose users have `ralph` on PATH: a copy that needs no other file. */
const copiedPlugin = (dist: string): string => readFileSync(join(dist, PLUGIN_BUNDLE), "utf8");

const NAMED = /ralphPlugin\((\{.*\})\)/;

function pluginPrograms(code: string, file: string): string[] {
  if (code.includes(`"${IN_PROJECT}/ralph.js"`)) return ["node", resolve(dirname(file), IN_PROJECT, "ralph.js")];
  const named = code.length < 4_000 ? NAMED.exec(code)?.[1] : undefined;
  if (named === undefined) return ["ralph"];
  const { node, ralph } = JSON.parse(named);
  return [String(node), String(ralph)];
}

export const opencodeInstallation: HostInstallation = {
  host: "opencode",
  commandHead: () => [],
  // Its plugin starts the program.
  dependencyLine: pathLine("opencode"),
  plugin: { machine: pluginFile, dependency: dependencyPlugin, copied: copiedPlugin, programs: pluginPrograms },
  nextSteps: () => [`Restart OpenCode and type: /${EXAMPLE}`],
  unusedBelow: null,
  hasOwnPlugin: () => false,
  doubt: () => null,
  limits: () => [],
};
