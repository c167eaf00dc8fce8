import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** Set by our plugin for the tools of OpenCode's agents: OpenCode marks everything it starts, including Ralph. */
export const OPENCODE_SESSION = "RALPH_OPENCODE_SESSION";

/** The programs that an installed plugin starts: Node, and the `ralph.js` that it runs. */
export interface PluginProgram {
  node: string;
  ralph: string;
}

/** The file name of the plugin next to the program: a separate bundle that works wherever it is copied. */
export const PLUGIN_BUNDLE = "opencode.js";

/** Loads the plugin from Ralph's installation. A project's file, for any machine, is a copy of the bundle. */
export function pluginFile({ node, ralph }: PluginProgram): string {
  const bundle = pathToFileURL(join(dirname(ralph), PLUGIN_BUNDLE)).href;
  return `import { ralphPlugin } from ${JSON.stringify(bundle)};

export default ralphPlugin(${JSON.stringify({ node, ralph })});
`;
}
