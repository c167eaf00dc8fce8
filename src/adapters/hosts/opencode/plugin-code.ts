import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { PLUGIN_BUNDLE } from "./plugin-file.ts";

const IN_PROJECT = "../../node_modules/ralph-engine/dist";

/** The plugin for a project that depends on ralph-engine: it starts the project's own copy, wherever the project is. */
export const dependencyPlugin = (): string => `import { fileURLToPath } from "node:url";
import { ralphPlugin } from "${IN_PROJECT}/${PLUGIN_BUNDLE}";

export default ralphPlugin({
  node: "node",
  ralph: fileURLToPath(new URL("${IN_PROJECT}/ralph.js", import.meta.url)),
});
`;

/** The plugin for a project whose users have `ralph` on PATH: a copy that needs no other file. */
export const copiedPlugin = (dist: string): string => readFileSync(join(dist, PLUGIN_BUNDLE), "utf8");

const NAMED = /ralphPlugin\((\{.*\})\)/;

/** What a plugin that Ralph installed starts. */
export function pluginPrograms(code: string, file: string): string[] {
  if (code.includes(`"${IN_PROJECT}/ralph.js"`)) return ["node", resolve(dirname(file), IN_PROJECT, "ralph.js")];
  const named = code.length < 4_000 ? NAMED.exec(code)?.[1] : undefined;
  if (named === undefined) return ["ralph"];
  const { node, ralph } = JSON.parse(named);
  return [String(node), String(ralph)];
}
