import { inlineOptionOf, interpreterOf } from "./interpreters.ts";
import { isTester, nameOf, starterOptions } from "./programs.ts";
import { wordSet } from "./words.ts";

/** What an agent may run: this command, with any further arguments unless it is exact. */
export interface CommandRule {
  command: string;
  exact?: true;
}

const ASSIGNMENT = /^\w+=/;
const GIT_VALUES = wordSet("-C -c --git-dir --work-tree --namespace --exec-path --config-env");
/** What they run is decided by their input, or they give rights that a check does not need. */
const OPEN = wordSet("xargs parallel eval source . env sudo su doas");
const RISKY = wordSet(
  "rm rmdir dd mv ln tee find sed awk truncate shred mkfs curl wget ssh scp rsync nc chmod chown kill pkill killall crontab " +
    "docker podman kubectl helm terraform psql mysql sqlite3 ralph busybox",
);
const GIT_READS = wordSet("status diff log show ls-files rev-parse blame");

/** The words of a command without its assignments, starters (`timeout 5`) and options of git, and with a plain name. */
export function barePlain(words: readonly string[]): string[] {
  const [first = "", ...others] = words;
  if (ASSIGNMENT.test(first)) return barePlain(others);
  const program = nameOf(first);
  if (program === "git") return [program, ...withoutOptions(others, GIT_VALUES)];
  const values = OPEN.has(program) && program !== "env" ? undefined : starterOptions(program);
  if (!values) return first === "" ? [] : [program, ...others];
  const [next = "", ...rest] = withoutOptions(others, values);
  const started = barePlain(/^\d[\d.]*[smhd]?$/.test(next) ? rest : [next, ...rest]);
  return started.length > 0 ? started : [program];
}

function withoutOptions(words: readonly string[], values: ReadonlySet<string>): string[] {
  let at = 0;
  while (words[at]?.startsWith("-")) at += values.has(words[at] ?? "") ? 2 : 1;
  return words.slice(at);
}

/** The rule for a part of a check; null if it would allow anything. */
export function ruleOfCheck(command: string): CommandRule | null {
  const [program = "", ...args] = barePlain(command.split(" "));
  if (program === "" || OPEN.has(program)) return null;
  if (RISKY.has(program) || (program === "git" && !GIT_READS.has(args[0] ?? ""))) return { command, exact: true };
  const interpreter = interpreterOf(program);
  return interpreter === null || interpreter === "go" ? { command } : ruleOfScript(command, interpreter, args);
}

function ruleOfScript(command: string, interpreter: string, args: readonly string[]): CommandRule | null {
  const [first = "-"] = args;
  if (args.every((arg) => arg.startsWith("-") || arg === "/dev/stdin"))
    return interpreter === "node" && args.includes("--test") ? { command } : asOnlyText(command, interpreter, args);
  const isScript = !first.startsWith("-") || first === "--test";
  const isModule = inlineOptionOf(interpreter, first)?.is === "module";
  return isScript || isModule ? { command } : { command, exact: true };
}

/** Without a script an interpreter reads its input, unless its option is the text, a check or a question. */
const asOnlyText = (command: string, interpreter: string, args: readonly string[]): CommandRule | null =>
  args.some((arg) => inlineOptionOf(interpreter, arg)?.value || /^--?v(ersion)?$/i.test(arg))
    ? { command, exact: true }
    : null;

/** Build and test programs, with the arguments that say which of their work is harmless. */
const KNOWN: readonly [RegExp, RegExp][] = [
  [/^(npm|pnpm|yarn|bun)$/, /^(run (test|build|lint|check|type-?check|format|fmt|tsc)\S*|test|t|ci|lint|build|check)$/],
  [/^(cargo|go|dotnet|deno)$/, /^(test|build|check|clippy|fmt|vet|lint|nextest)$/],
  [/^(gradlew?|mvnw?)$/, /^(test|build|check|verify|compile)$/],
  [/^(make|just)$/, /^(tests?|check|build|lint|all)$/],
  [/^git$/, /^(status|diff|log|show|ls-files)$/],
  [/^node$/, /^--test$/],
  [/^python[\d.]*$/, /^-m (pytest|unittest|mypy|ruff)$/],
];
const LINTERS = wordSet("tsc eslint biome prettier ruff mypy black flake8 pyright shellcheck rubocop golangci-lint");

/** The rule for a command that an agent was refused: only for a known build or test program; null for any other. */
export function ruleOfAsked(command: string): CommandRule | null {
  const words = command.split(" ");
  const bare = barePlain(words);
  const length = harmlessWords(bare);
  if (length === 0) return null;
  // As the agent types it, with what stands before the program.
  const before = words.length - bare.length;
  return { command: words.slice(0, before + length).join(" ") };
}

/** How many words of the command name a known build or test; 0 if it is none. */
function harmlessWords([program = "", ...args]: readonly string[]): number {
  if (isTester(program) || LINTERS.has(program)) return 1;
  const [, form] = KNOWN.find(([name]) => name.test(program)) ?? [];
  const count = [1, 2].find((one) => form?.test(args.slice(0, one).join(" ")));
  return count === undefined ? 0 : count + 1;
}
