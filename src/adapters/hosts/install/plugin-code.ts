import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PLUGIN_BUNDLE, type PluginProgram, pluginFile } from "../opencode/plugin-file.ts";

const IN_PROJECT = "../../node_modules/ralph-engine/dist";

/** The plugin for one machine: it starts these programs. */
export const machinePlugin = (program: PluginProgram): string => pluginFile(program);

/** The plugin for a project that depends on us: it starts the project's own copy, wherever the project lies. */
export const dependencyPlugin = (): string => `import { fileURLToPath } from "node:url";
import { ralphPlugin } from "${IN_PROJECT}/${PLUGIN_BUNDLE}";

export default ralphPlugin({
  node: "node",
  ralph: fileURLToPath(new URL("${IN_PROJECT}/ralph.js", import.meta.url)),
});
`;

/** The plugin for a project whose people have `ralph` on PATH: it stands by itself. */
export const copiedPlugin = (dist: string): string => readFileSync(join(dist, PLUGIN_BUNDLE), "utf8");

const NAMED = /ralphPlugin\((\{.*\})\)/;

/** What a plugin of ours starts. */
export function pluginPrograms(code: string, file: string): string[] {
  if (code.includes(`"${IN_PROJECT}/ralph.js"`)) return ["node", resolve(dirname(file), IN_PROJECT, "ralph.js")];
  const named = code.length < 4_000 ? NAMED.exec(code)?.[1] : undefined;
  if (named === undefined) return ["ralph"];
  const { node, ralph } = JSON.parse(named);
  return [String(node), String(ralph)];
}
