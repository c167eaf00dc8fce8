import { closeSync, constants, openSync, readSync } from "node:fs";
import { extname } from "node:path";
import { statAt } from "../../adapters/io/look.ts";

const SHELL = /\.(?:sh|bash|zsh|ksh|fish|bats|ps1|bat|cmd|mk)$/;
const SCRIPT = /\.(?:[cm]?[jt]sx?|py|rb|pl|pm|php|lua|R|jl|exs|groovy|tcl|exp|awk|raku)$/;
const DATA =
  /\.(?:json5?|jsonc|txt|md|markdown|rst|csv|tsv|ya?ml|toml|ini|cfg|conf|xml|html?|css|scss|less|svg|png|jpe?g|gif|pdf|lock|log|env|sql|snap|golden)$/i;

/** What a file is by its name, mode and first bytes. */
export interface Nature {
  /** `program`: it can be run on its own. `script`: an interpreter can run it. */
  is: "program" | "script" | "data";
  /** Whether a shell would run it. */
  shell: boolean;
}

export function natureOf(path: string): Nature {
  const stats = statAt(path);
  if (!stats?.isFile()) return { is: "data", shell: false };
  const interpreter = shebangOf(path);
  const shell = interpreter === null ? SHELL.test(path) : /\b(?:ba|da|z|k|a|fi)?sh\b/.test(interpreter);
  // Some file systems make every file executable.
  const executable = (stats.mode & 0o111) !== 0 && !DATA.test(path) && !SCRIPT.test(path);
  if (interpreter !== null || executable || SHELL.test(path)) return { is: "program", shell };
  return { is: SCRIPT.test(path) ? "script" : "data", shell: shell || (extname(path) === "" && executable) };
}

function shebangOf(path: string): string | null {
  try {
    const file = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const bytes = Buffer.alloc(80);
      const text = bytes.toString("latin1", 0, readSync(file, bytes));
      return text.startsWith("#!") ? (text.split("\n")[0] ?? "") : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

const DECIDER_FOLDER =
  /(?:^|\/)(?:checks?|verif(?:y|iers?|ication)|__tests__|tests?|specs?|e2e|\.?ci|\.github|scripts?|tools?|tooling|qa|acceptance|validat(?:e|ion|ors?)|oracles?|asserts?|assertions?|hack|gates?)(?:\/|$)/i;
const DECIDER_FILE =
  /(?:^|[-_.])(?:checks?|checker|verif\w*|tests?|specs?|validat\w*|assert\w*|acceptance|smoke|e2e|oracle|gate)(?:[-_.]|$)/i;

/** Whether a path is named like something that checks work. */
export const isDeciderName = (path: string): boolean =>
  DECIDER_FOLDER.test(path) || DECIDER_FILE.test(path.slice(path.lastIndexOf("/") + 1));
