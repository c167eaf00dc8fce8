import { defineConfig } from "vitest/config";

// End-to-end tests start real processes and kill some of them: they run after the unit tests, with longer limits.
const report = process.env.VITEST_REPORT;
// A poll ends as soon as it can; how long it may take is a matter of the machine, not of the test.
const patient = { poll: { timeout: 30_000, interval: 20 } };

export default defineConfig({
  test: {
    reporters: report ? ["default", ["json", { outputFile: report }]] : ["default"],
    globalSetup: "test/support/temporary-folder.ts",
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts"],
          expect: patient,
          testTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/**/*.test.ts"],
          // The real hosts have a command of their own: npm run test:hosts.
          exclude: ["test/hosts/**"],
          expect: patient,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
          // They mostly wait for processes: two at a time leave a quarter of two cores idle.
          maxWorkers: 3,
          // Of tests that say they can run at the same time; each is a handful of processes.
          maxConcurrency: 3,
        },
      },
    ],
  },
});
