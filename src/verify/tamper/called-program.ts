import { basename } from "node:path";
import { interpreterOf } from "../../core/command-line/interpreters.ts";
import { isBuiltin, isReader, packageRunner } from "../../core/command-line/programs.ts";
import { wordSet } from "../../core/command-line/words.ts";
import { TOOLS } from "../../core/tamper/tools.ts";
import { isMaker } from "./makefiles.ts";
import { runsScripts } from "./package-scripts.ts";

/** One program with its arguments, and the folder it runs in. */
export interface UsedCommand {
  words: readonly string[];
  /** The programs in front that start it, such as `npx` or `timeout`. */
  before: readonly string[];
  dir: string;
}

const RUNNERS = wordSet(
  "vitest jest mocha ava tap jasmine karma playwright cypress c8 nyc pytest py.test unittest tox nox coverage rspec rake phpunit pest mvn mvnw gradle gradlew sbt mix make gmake just cmake ctest ninja meson bats bazel bazelisk flutter lein zig",
);

export const isRunner = (program: string): boolean => RUNNERS.has(program);

const STARTS = wordSet("npx bunx pnpx uvx cross-env dotenv");
/** Programs that run tests or scripts themselves, in addition to the tools whose configuration is known. */
const isDriver = (word: string): boolean => {
  const name = basename(word).replace(/(.)@[^@]*$/, "$1");
  return RUNNERS.has(name) || isMaker(name) || runsScripts(name) || Object.hasOwn(TOOLS, name);
};

/** A command without what starts it: `npx vitest` is `vitest`, and so is `docker compose run app vitest`. */
export function withoutRunners({ words, dir }: UsedCommand, starters: readonly string[]): UsedCommand {
  const place = driverIn(words);
  if (place <= 0) return { words, before: starters, dir };
  return withoutRunners({ words: words.slice(place), before: [], dir }, [...starters, ...words.slice(0, place)]);
}

/** The place of the program that a command is about. */
function driverIn([path = "", ...rest]: readonly string[]): number {
  const program = basename(path);
  const skips = packageRunner(program);
  const isPlain = (word: string) => !word.startsWith("-") && !skips?.has(word) && !/^\w+=/.test(word);
  const isScript = rest[0] === "run" && runsScripts(program);
  if (STARTS.has(program) || (skips?.has(rest[0] ?? "") && !isScript)) return rest.findIndex(isPlain) + 1;
  if (isDriver(program) || isReader(program) || isBuiltin(program) || interpreterOf(program) !== null) return 0;
  return rest.findIndex((word) => isPlain(word) && isDriver(word)) + 1;
}
