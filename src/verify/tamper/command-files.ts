import { readFileSync } from "node:fs";
import { basename, dirname, extname, relative, resolve } from "node:path";
import { isBelow } from "../../adapters/io/inside.ts";
import { statAt } from "./file-state.ts";
import { calledScripts, nearestPackage } from "./package-scripts.ts";
import { pinsOf } from "./pins.ts";
import { usedBy } from "./referenced-files.ts";
import { type SimpleCommand, wordSet } from "./simple-commands.ts";

interface CommandFiles {
  /** Scripts and the files they name, and the configuration of the tools they call. */
  files: string[];
  values: string[];
  runners: string[];
  git: boolean;
}

const RUNNERS = wordSet(
  "vitest jest mocha ava tap jasmine karma playwright cypress c8 nyc pytest py.test unittest tox nox coverage rspec rake phpunit mvn mvnw gradle gradlew sbt mix make gmake just cmake ctest ninja bats",
);
/** Programs that do so with certain arguments. */
const RUNNING: Readonly<Record<string, RegExp>> = {
  node: /^--test$/,
  bun: /^(?:test|build)$/,
  deno: /^(?:test|bench|task)$/,
  cargo: /^(?:test|t|run|r|build|b|check|c|bench|nextest|clippy)$/,
  go: /^(?:test|run|generate)$/,
  dotnet: /^(?:test|run|build|msbuild)$/,
  swift: /^(?:test|run|build)$/,
};
const DEPENDENCIES = ["dependencies", "devDependencies", "optionalDependencies", "overrides", "workspaces"];
const LOCKS = ["package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock"];
const MOST_FILES = 200;
const MOST_BYTES = 256 << 10;
const CODE = /\.(?:[cm]?[jt]sx?|py|sh|bash|rb|pl|php|lua|mk)$/;
const ENDINGS = ["", ".js", ".mjs", ".cjs", ".ts", ".mts", ".py", ".sh", "/index.js", "/index.ts", "/__init__.py"];

/** The files that a command line and its scripts use. Paths are relative to `root`. */
export function commandFiles(command: string, root: string): CommandFiles {
  const used = usedBy([{ command: runText(command), dir: root }], root);
  const pins = pinsOf(used, root, false);
  const installs = used.commands.filter((one) => calledScripts(one).includes("prepare"));
  return {
    files: [...new Set([...named([...used.files], root), ...pins.files, ...(installs.length > 0 ? LOCKS : [])])].sort(),
    values: [...new Set([...pins.values, ...installs.flatMap(({ dir }) => dependenciesOf(dir, root))])].sort(),
    runners: [...new Set(used.commands.flatMap(runnersOf))],
    git: used.commands.some(({ words }) => words[0] === "git"),
  };
}

function runnersOf({ words }: SimpleCommand): string[] {
  const [path = "", ...rest] = words;
  const program = basename(path).replace(/@.*$/, "");
  const module = /^python/.test(program) ? rest.find((_, i) => rest[i - 1] === "-m") : undefined;
  if (RUNNERS.has(module ?? program)) return [module ?? program];
  const running = Object.hasOwn(RUNNING, program) ? RUNNING[program] : undefined;
  return running && rest.some((word) => running.test(word)) ? [program] : [];
}

/** What an install would fetch and may run: packages can be folders of the checkout. */
function dependenciesOf(dir: string, root: string): string[] {
  const manifest = nearestPackage(dir, root);
  return manifest === null ? [] : DEPENDENCIES.map((key) => `${relative(root, manifest)}#${key}`);
}

function named(files: readonly string[], root: string): Set<string> {
  const found = new Set(files);
  for (const path of found) {
    if (found.size >= MOST_FILES) break;
    for (const next of namedIn(resolve(root, path), root)) found.add(next);
  }
  return found;
}

function namedIn(file: string, root: string): string[] {
  const stats = statAt(file);
  if (!stats?.isFile() || stats.size > MOST_BYTES) return [];
  const text = readFileSync(file, "utf8");
  const words = [...new Set(text.match(/[\w@.~/-]+/g))].filter((word) => /[/.]/.test(word));
  const modules = extname(file) === ".py" ? pythonModules(text) : [];
  const places = [...words, ...modules].flatMap((word) => [resolve(dirname(file), word), resolve(root, word)]);
  return [...new Set(places)].flatMap((place) => codeAt(place, root));
}

const pythonModules = (text: string): string[] =>
  [...text.matchAll(/^\s*(?:from|import)\s+([\w.]+)/gm)].map(([, name = ""]) => name.replaceAll(".", "/"));

/** The code file that a name refers to, with an extension that may be omitted. */
function codeAt(place: string, root: string): string[] {
  if (!isBelow(place, root) || /\/(?:node_modules|\.git)(?:\/|$)/.test(place)) return [];
  const file = ENDINGS.map((ending) => place + ending).find((path) => statAt(path)?.isFile());
  return file !== undefined && CODE.test(file) ? [relative(root, file)] : [];
}

const SHELLS = /\b(?:(?:sh|bash|dash|zsh|ksh)(?:\s+-\w+)*\s+-\w*c|eval|concurrently(?:\s+-\S+)*)\s+$/;
const READS_SCRIPT = /^\s*(?:\w+=\S*\s+)*(?:sh|bash|dash|zsh|ksh|node|python3?|ruby|perl|php)\b/;
const HEREDOC = /^(.*)<<-?[ \t]*(["']?)(\w+)\2(.*)\n([\s\S]*?)^[ \t]*\3[ \t]*$/gm;
const QUOTED = /'[^']*'|"(?:\\.|[^"\\])*"/g;

/** A command line without the texts it only writes: it does not run what `echo` prints or `cat > file` receives. */
export function runText(command: string): string {
  const text = command.replace(HEREDOC, (all, head: string, _quote, _word, tail: string) =>
    READS_SCRIPT.test(head) ? all : `${head}${tail}`,
  );
  return text.replace(QUOTED, (quoted, place: number) => {
    const isRun = SHELLS.test(text.slice(0, place));
    return isRun || !/[\s;&|()`]/.test(quoted) ? quoted : "_";
  });
}
