import { basename, relative, resolve } from "node:path";
import { isRunner, type UsedCommand } from "./called-program.ts";
import { namedIn } from "./imports.ts";
import { calledScripts, nearestPackage } from "./package-scripts.ts";
import { pinsOf } from "./pins.ts";
import { usedBy } from "./referenced-files.ts";

interface CommandFiles {
  /** Scripts and the files they name, and the configuration of the tools they call. */
  files: string[];
  values: string[];
  runners: string[];
  git: boolean;
}

/** Programs that run the work with certain arguments. */
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

/** The files that a command line and its scripts use. Paths are relative to `root`. */
export function commandFiles(command: string, root: string): CommandFiles {
  // What belongs to the work counts, too: agents may have written it.
  const used = usedBy([{ command, dir: root }], root, { isWork: () => false, exact: false });
  const pins = pinsOf(used, root);
  const installs = used.commands.filter((one) => calledScripts(one.words).includes("prepare"));
  return {
    files: [...new Set([...named([...used.files], root), ...pins.files, ...(installs.length > 0 ? LOCKS : [])])].sort(),
    values: [...new Set([...pins.values, ...installs.flatMap(({ dir }) => dependenciesOf(dir, root))])].sort(),
    runners: [...new Set(used.commands.flatMap(runnersOf))],
    git: used.commands.some(({ words }) => words[0] === "git"),
  };
}

/** The programs by which a command runs the work, such as its tests. */
export function runnersOf({ words }: UsedCommand): string[] {
  const [path = "", ...rest] = words;
  const program = basename(path).replace(/@.*$/, "");
  const module = /^python/.test(program) ? rest.find((_, i) => rest[i - 1] === "-m") : undefined;
  if (isRunner(module ?? program)) return [module ?? program];
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
    for (const next of namedIn(resolve(root, path), root, root)) found.add(relative(root, next));
  }
  return found;
}
