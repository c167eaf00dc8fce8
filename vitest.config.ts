import { defineConfig } from "vitest/config";

// End-to-end tests start real processes and kill some of them: they get their own, longer limits.
export default defineConfig({
  test: {
    projects: [
      { test: { name: "unit", include: ["src/**/*.test.ts"] } },
      {
        test: { name: "e2e", include: ["test/**/*.test.ts"], testTimeout: 60_000, hookTimeout: 60_000, maxWorkers: 2 },
      },
    ],
  },
});
