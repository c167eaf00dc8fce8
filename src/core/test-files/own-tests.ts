import type { CheckResult } from "../loop/events.ts";

interface TestFiles {
  tests: readonly string[];
  added: ReadonlySet<string>;
}

/** Whether new tests alone decided each check: those its command names, otherwise all. */
export const decidedByNewTests = (checks: readonly CheckResult[], files: TestFiles): boolean =>
  checks.length > 0 && checks.every((check) => isDecidedByNew(check, files));

function isDecidedByNew({ command, tests: counts }: CheckResult, { tests, added }: TestFiles): boolean {
  const named = namedBy(command, tests);
  const runsTests = named.length > 0 || (counts?.ran ?? 0) > 0 || RUNNERS.test(command);
  const decisive = named.length > 0 ? named : tests;
  return runsTests && decisive.length > 0 && decisive.every((path) => added.has(path));
}

const RUNNERS =
  /(?:^|[\s;&|(])(?:(?:npm|pnpm|yarn|bun|deno|go|cargo|make|mvn|gradle|\.\/gradlew|\.\/mvnw|dotnet|swift|mix)\s+(?:run\s+)?(?:test|check|verify)\b|pytest|phpunit|rspec|ctest|tox|nox)/;

/** Test files that a command line names, directly or by a folder that contains them. */
function namedBy(command: string, tests: readonly string[]): string[] {
  const words = command
    .split(/[\s"'`;&|()<>=]+/)
    .filter((word) => /[./]/.test(word) && !word.startsWith("-"))
    // For a pattern, the folder before it counts.
    .map((word) =>
      word
        .replace(/[*?[{].*$/, "")
        .replace(/^(?:\.\/)+/, "")
        .replace(/\/+$|::.*$/g, ""),
    )
    .filter((word) => word !== "" && !/^\.+$/.test(word) && word !== "...");
  return tests.filter((path) => words.some((word) => `/${path}/`.includes(`/${word}/`)));
}
