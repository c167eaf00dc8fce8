import { defineConfig } from "vitest/config";

// End-to-end tests start real processes and kill some of them: they run after the unit tests, with longer limits.
const report = process.env.VITEST_REPORT;
// Only for what hangs: a machine that is many times slower than usual comes to the same results.
const expect = { poll: { timeout: 60_000, interval: 20 } };

export default defineConfig({
  test: {
    reporters: report ? ["default", ["json", { outputFile: report }]] : ["default"],
    globalSetup: "test/support/temporary-folder.ts",
    projects: [
      {
        test: {
          name: "unit",
          include: ["src/**/*.test.ts"],
          testTimeout: 120_000,
          sequence: { groupOrder: 1 },
          expect,
        },
      },
      {
        test: {
          name: "e2e",
          include: ["test/**/*.test.ts"],
          // The real hosts have a command of their own: npm run test:hosts.
          exclude: ["test/hosts/**"],
          testTimeout: 240_000,
          hookTimeout: 240_000,
          expect,
          // The built command runs as it is, also inside the tests.
          server: { deps: { external: [/\/dist\//] } },
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
