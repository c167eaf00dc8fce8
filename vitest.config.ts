import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { HANG_MS, PATIENT } from "./test/support/patience.ts";

const report = process.env.VITEST_REPORT;

// `npm test` is plain `vitest run`; `npm run test:full` is `vitest run --mode full`: see test/README.md.
export default defineConfig(({ mode }) => {
  const isFull = mode === "full";
  const common = {
    env: { TEST_EFFORT: isFull ? "full" : "sample" },
    testTimeout: HANG_MS,
    hookTimeout: HANG_MS,
    expect: { poll: PATIENT },
  };
  return {
    test: {
      reporters: report ? ["default", ["json", { outputFile: report }]] : ["default"],
      globalSetup: "test/support/temporary-folder.ts",
      projects: [
        {
          test: {
            ...common,
            name: "unit",
            include: isFull ? sampledIn("src") : ["src/**/*.test.ts"],
            sequence: { groupOrder: 1 },
          },
        },
        {
          test: {
            ...common,
            name: "e2e",
            include: isFull ? ["test/full/**/*.test.ts", ...sampledIn("test")] : ["test/*.test.ts"],
            // The built command runs as it is, also inside the tests.
            server: { deps: { external: [/\/dist\//] } },
            // They start real processes and kill some of them: alone, after the unit tests.
            sequence: { groupOrder: 2 },
            // They mostly wait for processes: two at a time leave a quarter of two cores idle.
            maxWorkers: 3,
            // Of tests that say they can run at the same time; each is a handful of processes.
            maxConcurrency: 3,
          },
        },
      ],
    },
  };
});

/** The test files of which `npm test` runs a part: those that ask how much to run. */
function sampledIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".test.ts"))
    .map((name) => join(folder, name))
    .filter((path) => readFileSync(path, "utf8").includes("support/effort.ts"));
}
