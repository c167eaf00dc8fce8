import { defineConfig } from "vitest/config";

// The real hosts, with a scripted model behind them: `npm run test:hosts`. A host that is missing fails its tests.
export default defineConfig({
  test: {
    globalSetup: "test/support/temporary-folder.ts",
    include: ["test/hosts/**/*.test.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    maxConcurrency: 2,
  },
});
