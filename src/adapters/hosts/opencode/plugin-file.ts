import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/**
 * Set by Ralph's plugin for the tools that OpenCode's agents run. OpenCode's own mark is on everything it starts,
 * including Ralph.
 */
export const OPENCODE_SESSION = "RALPH_OPENCODE_SESSION";

/** The programs that an installed plugin starts: Node, and the `ralph.js` that it runs. */
export interface PluginProgram {
  node: string;
  ralph: string;
}

/** The name of the plugin beside the program: a bundle of its own that works wherever it is copied to. */
export const PLUGIN_BUNDLE = "opencode.js";

/**
 * The file that makes OpenCode load the plugin from where Ralph is installed, in every project. A project's own
 * file, which has to work on other machines too, is a copy of the bundle instead: that starts the `ralph` on PATH.
 */
export function pluginFile({ node, ralph }: PluginProgram): string {
  const bundle = pathToFileURL(join(dirname(ralph), PLUGIN_BUNDLE)).href;
  return `import { ralphPlugin } from ${JSON.stringify(bundle)};

export default ralphPlugin(${JSON.stringify({ node, ralph })});
`;
}
