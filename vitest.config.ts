import { defineConfig } from 'vitest/config';

/** What needs nothing but Node: files run side by side. */
const unit = ['tests/core/**', 'tests/renderer/**', 'tests/scripts/**'];

export default defineConfig({
  test: {
    testTimeout: 20_000,
    hookTimeout: 20_000,
    maxWorkers: 2,
    setupFiles: ['tests/support/property-seed.ts', 'tests/support/own-config.ts'],
    // The default of a second is short on a machine that is busy with other checks.
    expect: { poll: { timeout: 10_000 } },
    // A golden that is missing fails; `npm run bless` writes them.
    update: 'none',
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: unit.map((folder) => `${folder}/*.test.{ts,tsx}`) },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [...unit, 'tests/e2e/**', 'tests/electron/**'],
          // Real perf, real servers, real timing: one file at a time, so that none starves another.
          fileParallelism: false,
          sequence: { groupOrder: 1 },
          testTimeout: 60_000,
        },
      },
    ],
  },
});
