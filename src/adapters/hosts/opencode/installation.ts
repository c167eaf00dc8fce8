import { join } from "node:path";
import { environment, homeFolder } from "../../io/environment.ts";
import type { HostInstallation } from "../host.ts";
import { EXAMPLE, pathLine } from "../install/hook-line.ts";
import { copiedPlugin, dependencyPlugin, pluginPrograms } from "./plugin-code.ts";
import { pluginFile } from "./plugin-file.ts";

export const opencodeInstallation: HostInstallation = {
  host: "opencode",
  places(scope, { cwd, env = environment() }) {
    const config = env.XDG_CONFIG_HOME || join(homeFolder(), ".config");
    const root = scope === "user" ? join(config, "opencode") : join(cwd, ".opencode");
    const [plugin, commands] = [join(root, "plugin", "ralph.js"), join(root, "command")];
    return { host: "opencode", scope, hooks: null, plugin, commands, skill: null };
  },
  commandHead: () => [],
  // Its plugin starts the program.
  dependencyLine: pathLine("opencode"),
  plugin: { machine: pluginFile, dependency: dependencyPlugin, copied: copiedPlugin, programs: pluginPrograms },
  nextSteps: () => [`Start OpenCode anew and type: /${EXAMPLE}`],
  unusedBelow: null,
  hasOwnPlugin: () => false,
  doubt: () => null,
  limits: () => [],
};
