import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";

/** The programs that an installed plugin starts: a Node, and the `ralph.js` that it is to run. */
export interface PluginProgram {
  node: string;
  ralph: string;
}

/** What the plugin is called beside the program: a bundle of its own that works wherever it is copied to. */
export const PLUGIN_BUNDLE = "opencode.js";

/**
 * The file that makes OpenCode load our plugin from where Ralph is installed, whatever project it is in. A project's own
 * file, which has to work on other machines too, is a copy of the bundle instead: that starts the `ralph` on PATH.
 */
export function pluginFile({ node, ralph }: PluginProgram): string {
  const bundle = pathToFileURL(join(dirname(ralph), PLUGIN_BUNDLE)).href;
  return `import { ralphPlugin } from ${JSON.stringify(bundle)};

export default ralphPlugin(${JSON.stringify({ node, ralph })});
`;
}
