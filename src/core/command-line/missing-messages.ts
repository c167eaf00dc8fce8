/** What a program prints if it was asked to run something that does not exist. The first group is the name, if any. */
interface Message {
  by: RegExp;
  says: RegExp;
  what: (name: string) => string;
}

const script = (name: string): string => `the package script "${name}" does not exist`;
const noPackage = (): string => "there is no package.json";
const target = (name: string): string => `the target "${name}" does not exist`;
const tool = (name: string): string => `the program ${name} was not found`;
const subcommand = (name: string): string => `the subcommand "${name}" does not exist`;

/** Recorded from the programs themselves. A name counts only if the check's own command contains it. */
export const MESSAGES: readonly Message[] = [
  { by: /^npm$/, says: /^npm (?:error|ERR!) Missing script: "?([^"]+?)"?$/, what: script },
  { by: /^pnpm$/, says: /^\s*ERR_PNPM_NO_SCRIPT\s+Missing script: (.+)$/, what: script },
  { by: /^(?:pnpm|yarn)$/, says: /^\s*(?:error|ERR_PNPM_\w+)\s+Command "(.+?)" not found/, what: script },
  { by: /^yarn$/, says: /Couldn't find a script named "(.+?)"/, what: script },
  { by: /^bun$/, says: /^error: Script not found "(.+?)"/, what: script },
  { by: /^bun$/, says: /^note: a package\.json script "(.+?)" was not found/, what: script },
  { by: /^deno$/, says: /^Task not found: (.+)$/, what: script },
  { by: /^node$/, says: /^Missing script: "(.+?)"/, what: script },
  { by: /^npm$/, says: /^npm (?:error|ERR!) enoent Could not read package\.json/, what: noPackage },
  { by: /^pnpm$/, says: /^\s*ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND\b/, what: noPackage },
  { by: /^yarn$/, says: /Couldn't find a package\.json file in|Usage Error: No project found in/, what: noPackage },
  { by: /^composer$/, says: /^\s*(?:Command|Script) "(.+?)" is not defined/, what: script },
  { by: /^g?make$/, says: /^\S*make: \*\*\* No rule to make target ['`‘](.+?)['’]\.?(?:\s+Stop\.)?$/, what: target },
  { by: /^b?make$/, says: /^b?make: don't know how to make (\S+?)\.?(?: Stop)?$/, what: target },
  { by: /^g?make$/, says: /^\S*make: \*\*\* No targets\b.*Stop\.$/, what: () => "there are no make targets" },
  { by: /^just$/, says: /^error: Justfile does not contain recipe [`'](.+?)[`']/, what: target },
  { by: /^(?:go-)?task$/, says: /^task: Task "(.+?)" does not exist/, what: target },
  { by: /^(?:rake|bundle)$/, says: /^Don't know how to build task '(.+?)'/, what: target },
  { by: /^ninja$/, says: /^ninja: error: unknown target '(.+?)'/, what: target },
  { by: /^gradlew?$/, says: /\b[Tt]ask '(.+?)' not found in (?:root )?project/, what: target },
  { by: /^mvnw?$/, says: /Unknown lifecycle phase "(.+?)"/, what: target },
  { by: /^cargo$/, says: /^error: no such (?:sub)?command: [`'](.+?)[`']/, what: subcommand },
  { by: /^deno$/, says: /^error: unrecognized subcommand '(.+?)'/, what: subcommand },
  { by: /^npm$/, says: /^Unknown command: "(.+?)"$/, what: subcommand },
  { by: /^git$/, says: /^git: '(.+?)' is not a git command/, what: subcommand },
  { by: /^go$/, says: /^go (\S+): unknown command$/, what: subcommand },
  { by: /^docker$/, says: /^docker: unknown command: docker (\S+)$/, what: subcommand },
  { by: /^np[mx]$/, says: /^npm (?:error|ERR!) 404\s+The requested resource '(.+?)@[^@]*' could not/, what: tool },
  { by: /^np[mx]$/, says: /^npm (?:error|ERR!) request to https?:\/\/[^/]+\/(\S+) failed/, what: tool },
  { by: /^np[mx]$/, says: /npx canceled due to missing packages and no YES option: \["(.+?)(?:@[^@"]*)?"/, what: tool },
  { by: /^uv$/, says: /^error: Failed to spawn: `(.+?)`/, what: tool },
  { by: /^(?:bundle|poetry)$/, says: /^(?:bundler: )?[Cc]ommand not found: (.+)$/, what: tool },
];

/** Whether a shell's exit code means that a command is missing or cannot be run: it says nothing about the work. */
export const isNotRun = (code: number): boolean => code === 126 || code === 127;

/** How an interpreter reports that the module of `-m` is missing. A traceback of a test looks different. */
export const NO_MODULE = [
  /^\S*(?:python|pypy)[\w.-]*: No module named ([\w.]+?)(?:\.__main__)?(?:;|$)/,
  /^\S*(?:python|pypy)[\w.-]*: Error while finding module specification for '([\w.]+)'/,
];

/** How a shell, or a program that starts others, reports a program that is missing or cannot be run. */
export const NO_PROGRAM = [
  /^\S+: (?:line )?\d+: (?:exec: )?(.+?): (?:command not found|not found|No such file or directory|Permission denied|cannot execute.*)$/,
  /^\S+: (.+?): command not found$/,
  /^(?:\S+: )?command not found: (.+)$/,
  /^\S+: (?:failed to (?:run command|execute)|cannot run) ['‘]?(.+?)['’]?: (?:No such file or directory|Permission denied)$/,
  /^(?:\S*\/)?(?:env|nice|xargs|sudo): ['‘]?(.+?)['’]?: (?:No such file or directory|Permission denied)$/,
  /^(?:\S*\/)?(?:ba|z|k)?sh: (.+?): No such file or directory$/,
  /^\S+: \d+: (?:\.: )?cannot open (.+?): No such file$/,
];

/** The lines of an output that may match one of these; all others are skipped. */
export const TELLING =
  /not found|no such|cannot (?:open|run|execute)|permission denied|missing script|make target|how to (?:make|build)|no targets|no module|module specification|not contain recipe|does not exist|unknown|unrecognized|is not |could not|canceled due|script named|package\.json|no project|failed/i;
