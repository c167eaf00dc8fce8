import { homedir } from "node:os";
import { join } from "node:path";
import type { HostInstallation } from "../host.ts";
import { EXAMPLE, pathLine } from "../install/hook-line.ts";
import { copiedPlugin, dependencyPlugin, pluginPrograms } from "./plugin-code.ts";
import { pluginFile } from "./plugin-file.ts";

export const opencodeInstallation: HostInstallation = {
  host: "opencode",
  places(scope, { cwd, env = process.env }) {
    const config = env.XDG_CONFIG_HOME || join(homedir(), ".config");
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
