import { isMap } from "../field.ts";
import { jsonIn } from "../json-text.ts";
import type { FoundCommand, Project, Role } from "./project.ts";

const FILE = "package.json";

const NAMES: Record<Role, readonly string[]> = {
  test: ["test", "test:run", "test:ci", "test:unit"],
  lint: ["lint"],
  check: ["typecheck", "type-check", "check-types", "check:types", "types:check", "tsc", "check"],
  build: ["build"],
};
const ROLES: readonly Role[] = ["test", "lint", "check", "build"];

const LOCK_FILES = {
  "pnpm-lock.yaml": "pnpm",
  "yarn.lock": "yarn",
  "bun.lock": "bun",
  "bun.lockb": "bun",
  "package-lock.json": "npm",
  "npm-shrinkwrap.json": "npm",
} as const;
type Manager = (typeof LOCK_FILES)[keyof typeof LOCK_FILES];

export function packageScripts(project: Project): FoundCommand[] {
  const content = jsonIn(project.read(FILE));
  if (!isMap(content)) return [];
  const scripts = isMap(content.scripts) ? content.scripts : {};
  const manager = managerOf(project, content.packageManager);
  return ROLES.flatMap((role) => {
    const name = NAMES[role].find((candidate) => isUsable(scripts[candidate]));
    return name === undefined ? [] : [{ role, command: scriptCommand(manager, name), from: FILE }];
  });
}

/** The message for a package.json that cannot be parsed; null otherwise. */
export function packageProblem(project: Project): string | null {
  if (!project.has(FILE) || isMap(jsonIn(project.read(FILE)))) return null;
  return "package.json is not a JSON object: its scripts were not read";
}

/** The package manager that the project declares, else the one of its lock file. */
function managerOf(project: Project, declared: unknown): Manager {
  const [, named] = typeof declared === "string" ? (/^(\w+)@/.exec(declared) ?? []) : [];
  const known = Object.entries(LOCK_FILES);
  const byName = known.find(([, manager]) => manager === named);
  return (byName ?? known.find(([file]) => project.hasAbove(file)))?.[1] ?? "npm";
}

/** Only `test` has a safe short form, except in bun: `bun test` and `yarn check` do not run scripts of these names. */
function scriptCommand(manager: Manager, name: string): string {
  return name === "test" && manager !== "bun" ? `${manager} test` : `${manager} run ${name}`;
}

/** A placeholder proves nothing, and a watcher never ends. */
const isUsable = (script: unknown): script is string =>
  typeof script === "string" &&
  script.trim() !== "" &&
  !isPlaceholder(script) &&
  !/--watch(All)?(?![\w=-])/.test(script);

/** Scripts that only print, such as `echo "Error: no test specified" && exit 1` of `npm init`. */
const isPlaceholder = (script: string): boolean =>
  script
    .replace(/"[^"]*"|'[^']*'/g, "words")
    .split(/&&|\|\||;/)
    .every((part) => /^\s*(echo|exit|true|false|:)(\s|$)/.test(part));
