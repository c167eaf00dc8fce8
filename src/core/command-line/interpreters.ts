import { isShell } from "./programs.ts";
import { wordSet } from "./words.ts";

/** Interpreters by family: programs whose first argument that is no option is a script. */
const FAMILIES: Readonly<Record<string, ReadonlySet<string>>> = {
  sh: wordSet("fish pwsh powershell xonsh nu"),
  node: wordSet("node nodejs bun deno tsx ts-node ts-node-esm esno jiti vite-node tsimp babel-node swc-node qjs zx"),
  python: wordSet("python pypy ipython coverage"),
  ruby: wordSet("ruby jruby"),
  perl: wordSet("perl raku"),
  php: wordSet("php"),
  go: wordSet("go gorun"),
  other: wordSet(
    "lua luajit Rscript julia elixir escript groovy java tclsh expect osascript guile racket sbcl clojure bb",
  ),
};

/** The family of an interpreter, with or without a version in its name; null if it is none. */
export function interpreterOf(name: string): string | null {
  const plain = name.replace(/[\d.]+$/, "");
  if (isShell(name)) return "sh";
  for (const [family, names] of Object.entries(FAMILIES)) if (names.has(name) || names.has(plain)) return family;
  return null;
}

interface Inline {
  is: "code" | "module" | "check";
  form: RegExp;
}

/** Options that make an interpreter run no file: a text, a module, or only a check of the syntax. */
const INLINE: Readonly<Record<string, readonly Inline[]>> = {
  sh: [
    { is: "code", form: /^-\w*c$/ },
    { is: "check", form: /^-[a-z]*n$/ },
  ],
  node: [
    { is: "code", form: /^(?:-e|-p|-pe|--eval|--print)(?:=(.*))?$/s },
    { is: "check", form: /^(?:-c|--check)$/ },
  ],
  python: [
    { is: "code", form: /^-[bBdEiIOqsSuvx]*c(.*)$/s },
    { is: "module", form: /^-[bBdEiIOqsSuvx]*m(.*)$/s },
  ],
  ruby: [
    { is: "code", form: /^-[wnpliaT]*e$/ },
    { is: "check", form: /^-[wnpliaT]*c$/ },
  ],
  perl: [
    { is: "code", form: /^-[wnpliaT0-9]*[eE]$/ },
    { is: "check", form: /^-[wnpliaT]*c$/ },
  ],
  php: [
    { is: "code", form: /^-r$/ },
    { is: "check", form: /^-l$/ },
  ],
};

/** What an option makes an interpreter run instead of a file, with the part of the option after its letter. */
export function inlineOptionOf(interpreter: string, option: string): { is: Inline["is"]; value: string } | null {
  for (const { is, form } of INLINE[interpreter] ?? []) {
    const match = form.exec(option);
    if (match) return { is, value: match[1] ?? "" };
  }
  return null;
}

/** Modules of Python that run the script that follows. */
const RUNNING_MODULES = wordSet("coverage cProfile profile trace pdb runpy timeit debugpy");

export const runsModules = (name: string): boolean => RUNNING_MODULES.has(name);
