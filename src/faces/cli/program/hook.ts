import { Argument, type Command, Option } from "commander";
import { placesText } from "../../../adapters/hosts/places.ts";
import { HOST_NAMES } from "../../../core/host.ts";
import { type Action, add } from "./action.ts";

/** Declares `ralph hook`: loops inside the sessions of other programs. */
export function addHookCommands(program: Command, action: Action): void {
  const hook = add(program, "hook", "loops inside a session of Claude Code, Codex or OpenCode");
  hook.addHelpText("after", EXAMPLES);
  // For hosts; `bin.ts` takes a shorter way to it.
  hook
    .command("event <host>", { hidden: true })
    .description("answer an event of a host's session, from standard input")
    .action(action(async () => (await import("../commands/hook.ts")).hookEventCommand));
  withScope(hook.command("install"))
    .description("install Ralph's hooks and the /ralph command in a host")
    .addArgument(new Argument("<host>", "the host").choices(HOST_NAMES))
    .option("--force", "replace commands of the same name; the old ones are kept as .bak")
    .option("--json", "as JSON")
    .addHelpText("after", INSTALL)
    .action(action(async () => (await import("../commands/hook.ts")).hookInstallCommand));
  withScope(hook.command("uninstall"))
    .description("remove Ralph from a host")
    .addArgument(new Argument("<host>", "the host, or all of them").choices([...HOST_NAMES, "all"]))
    .option("--json", "as JSON")
    .addHelpText("after", UNINSTALL)
    .action(action(async () => (await import("../commands/hook.ts")).hookUninstallCommand));
  add(hook, "status", "show what is installed, and the loops that run in sessions of hosts")
    .option("--json", "as JSON")
    .addHelpText("after", "\nExample:\n  ralph hook status")
    .action(action(async () => (await import("../commands/hook.ts")).hookStatusCommand));
}

const withScope = (command: Command): Command =>
  command
    .addOption(new Option("--project", "in this folder, for all who work in it (the default)").conflicts("user"))
    .addOption(new Option("--user", "in your home folder, for all your projects"));

const EXAMPLES = `
Examples:
  ralph hook install claude            then, in Claude Code: /ralph "make the tests pass" --verify "npm test"
  ralph hook install codex --user
  ralph hook status
  ralph hook uninstall all`;

const INSTALL = `
What is written (--project | --user):
${HOST_NAMES.map((host) => `  ${host.padEnd(11)}${placesText(host)}`).join("\n")}

Other content of these files is kept. Installing again changes nothing, or updates paths that have moved.

Examples:
  ralph hook install claude
  ralph hook install opencode --user`;

const UNINSTALL = `
Unchanged files are restored byte for byte; from changed files only Ralph's entries are removed.

Examples:
  ralph hook uninstall claude
  ralph hook uninstall all --user`;
