import { basename, join, relative } from "node:path";
import { checkoutRoot } from "../../adapters/io/checkout.ts";
import { foldersUpTo } from "../../adapters/io/inside.ts";
import { jsonAt } from "../../adapters/io/look.ts";
import { wordSet } from "../../core/command-line/words.ts";
import { fieldOf } from "../../core/field.ts";
import { matcherOf } from "./globs.ts";
import { selectionIn } from "./workspaces.ts";

const SCRIPT_RUNNERS = wordSet("npm pnpm yarn bun composer");
/** Where the scripts of other programs are. */
const SCRIPTS: Readonly<Record<string, readonly [file: string, key: string]>> = {
  composer: ["composer.json", "scripts"],
  deno: ["deno.json", "tasks"],
};
export const RUN = wordSet("run run-script rum urn");
const RUN_ALL = wordSet("npm-run-all npm-run-all2 run-s run-p concurrently wireit turbo");
/** Installing runs the repository's own scripts, with those before and after them. */
const INSTALL = wordSet("ci install i clean-install install-ci-test it cit");
const INSTALL_SCRIPTS = ["install", "prepare", "prepublish"];
/** A name that only the shell knows may be that of any script. */
const ANY = "**";
/** The command that a short form of npm stands for. */
export const fullName = (word: string): string => (word === "t" || word === "tst" ? "test" : word);

/** Whether a program runs scripts by their names. */
export const runsScripts = (program: string): boolean => SCRIPT_RUNNERS.has(program) || RUN_ALL.has(program);

/** The scripts of package.json, or of another such file, that a command runs. */
export function calledScripts(words: readonly string[]): string[] {
  const [path = "", ...rest] = selectionIn(words).words;
  const program = basename(path);
  const plain = rest.filter((word) => !word.startsWith("-"));
  const [first = "", second] = plain;
  const prefixed = plain.flatMap((word) => /^npm:(.+)/.exec(word)?.[1] ?? []);
  if (RUN_ALL.has(program)) return [...plain.filter((word) => !word.includes(":") || !/^npm:/.test(word)), ...prefixed];
  if (program === "node") return rest.flatMap((word, i) => (rest[i - 1] === "--run" ? [word] : []));
  if (program === "deno") return first === "task" && second ? [second] : [];
  if (!SCRIPT_RUNNERS.has(program)) return prefixed;
  if (INSTALL.has(first)) return INSTALL_SCRIPTS;
  const name = RUN.has(first) ? second : fullName(first);
  if (name === "" && RUN.has(first)) return [ANY];
  return name ? [name] : [];
}

interface PackageScript {
  /** Such as `package.json#scripts.test`. */
  key: string;
  /** Null if there is no such script; adding one would be a change. */
  text: string | null;
}

/** The scripts with these names, with those that run before and after them. */
export function scriptTexts(program: string, names: readonly string[], dir: string, root: string): PackageScript[] {
  const [manifest, field] = SCRIPTS[program] ?? ["package.json", "scripts"];
  const file = names.length === 0 ? null : nearestPackage(dir, root, manifest);
  if (file === null) return [];
  const scripts = scriptsIn(file, field);
  const wanted = names.flatMap((name) =>
    name.includes("*") ? Object.keys(scripts).filter((script) => globOf(name)(script.replaceAll(":", "/"))) : [name],
  );
  return wanted.flatMap((name) =>
    ["", "pre", "post"].map((when) => ({
      key: `${relative(root, file)}#${field}.${when}${name}`,
      text: scripts[when + name] ?? null,
    })),
  );
}

/** As in npm-run-all: `*` matches up to the next colon. */
const globOf = (name: string): ((script: string) => boolean) => matcherOf(name.replaceAll(":", "/"));

/** npm also searches the folders above, up to the root of the checkout. */
export function nearestPackage(dir: string, root: string, manifest = "package.json"): string | null {
  for (const at of foldersUpTo(dir, checkoutRoot(root) ?? root)) {
    const file = join(at, manifest);
    if (jsonAt(file) !== undefined) return file;
  }
  return null;
}

function scriptsIn(file: string, field: string): Record<string, string> {
  const scripts = fieldOf(jsonAt(file), field);
  if (typeof scripts !== "object" || scripts === null) return {};
  return Object.fromEntries(
    Object.entries(scripts).flatMap(([name, text]) => {
      const lines = (Array.isArray(text) ? text : [text]).filter((line) => typeof line === "string");
      return lines.length > 0 ? [[name, lines.map(inShell).join("\n")] as const] : [];
    }),
  );
}

/** In composer.json, `@php x` runs PHP, and `@name` another script. */
const inShell = (line: string): string => line.replace(/^@php\b/, "php").replace(/^@(?=[\w-]+)/, "composer run ");
