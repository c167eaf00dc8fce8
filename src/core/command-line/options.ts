import { isReader } from "./programs.ts";
import { wordSet } from "./words.ts";

/** Options of any program whose value is a file that it loads or obeys. */
const INCLUDES =
  /^--(?:env-file(?:-if-exists)?|require|import|loader|experimental-loader|preload|file|makefile|justfile|taskfile|rcfile|init-file|arg-file|from-file|config|configuration|config-file|project|setup-files?|global-setup|globalSetup|setupFiles|import-map|experimental-config-file|ignore-path|bootstrap|options|settings|init-script|rulesdir)$/;
/** Programs that read a script or patterns by `-f`, although they only read everything else. */
const READS_BY_F = wordSet("grep egrep fgrep zgrep rg ag awk gawk mawk sed gsed jq yq psql mysql kubectl helm");
/** Programs for which `-f` is something else. */
const NO_FILE = wordSet("cp mv ln scp rsync install npm npx pnpm yarn pip pip3 conda mamba poetry uv mkfifo");

/** The program that an option belongs to. */
interface Owner {
  program: string;
  /** The program that starts it, or itself. */
  starter: string;
  /** Whether it reads configuration that its options name. */
  isTool: boolean;
  /** Whether it is an interpreter that has no script yet. */
  interpreter: boolean;
}

/** Whether the value of an option is a file that the program loads or obeys. */
export function isIncludeOption(option: string, owner: Owner): boolean {
  return option.startsWith("--") ? INCLUDES.test(option) : option.length === 2 && loadsBy(option, owner);
}

/** Whether the next word is such a file: `--file x`, `-f x`, or `-qf x`. */
export const includes = (option: string, owner: Owner): boolean =>
  isIncludeOption(option, owner) || (/^-\w+f$/.test(option) && loadsBy("-f", owner));

/** The same for an option of one letter. */
export function loadsBy(option: string, { program, starter, isTool, interpreter }: Owner): boolean {
  if (option === "-f") return isReader(program) ? READS_BY_F.has(program) : !NO_FILE.has(program);
  if (option === "-r") return interpreter || (isTool && !isReader(program));
  if (option === "-a") return starter === "xargs" || starter === "parallel";
  return (option === "-c" || option === "-p") && isTool;
}
