import { type Command, Help } from "commander";

/** The groups of `ralph help`, with the usual commands first. */
export const GROUPS: Readonly<Record<string, readonly string[]>> = {
  "Start and stop:": ["init", "run", "resume", "cancel", "demo"],
  "Look:": ["status", "board", "logs", "why", "diff", "report", "list", "notes", "stats", "receipt"],
  "Tasks:": ["task", "execute", "spec", "worktrees"],
  "Workflows:": ["workflow"],
  "Inside other programs:": ["hook", "serve"],
  "Maintenance:": ["doctor", "relink", "backtest", "completion", "help"],
};

const AFTER = `
Options:
  -h, --help     this help
  -V, --version  the version

Examples:
  ralph run "Make the tests pass" --verify "npm test"
  ralph help run`;

/** Shows the commands in their groups. Each one's own help shows its arguments and options. */
export function inGroups(program: Command): void {
  const plain = new Help();
  const order = Object.values(GROUPS).flat();
  for (const [heading, names] of Object.entries(GROUPS))
    for (const command of program.commands) if (names.includes(command.name())) command.helpGroup(heading);
  const place = (command: Command): number =>
    order.includes(command.name()) ? order.indexOf(command.name()) : order.length;
  (program.commands as Command[]).sort((one, other) => place(one) - place(other));
  program
    .usage("<command> [options]")
    .configureHelp({
      subcommandTerm: (command) => command.name(),
      // Its two options are below the commands.
      formatHelp: (command, helper) =>
        plain.formatHelp(command, Object.assign(Object.create(helper), { visibleOptions: () => [] })),
    })
    .addHelpText("after", AFTER)
    .helpCommand("help [command]", "show a command's options, with examples");
  const help = plain.visibleCommands(program).find((command) => command.name() === "help");
  help?.helpGroup("Maintenance:");
}

/** What `ralph` alone prints: the first commands to type. */
export const firstSteps = (ralph: string): string => `Run a coding agent in a loop until its work is proven done.

  ${ralph} demo      see it work, without an API key
  ${ralph} init      set up this repository
  ${ralph} run "Make the tests pass" --verify "npm test"
  ${ralph} status    what is running
  ${ralph} why       why a loop stopped, or continues

All commands: ${ralph} help
`;
