import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

// A test's name says what it needs: `NAME.live.test.ts` real processes here, `NAME.host.test.ts` hosts that it makes and
// reaches by ssh; `NAME.long.test.ts` only computes, but for long. The others need only Node; those of tests/app also the
// built viewer, which reports contain.
const live = 'tests/**/*.live.test.{ts,tsx}';
const host = 'tests/**/*.host.test.{ts,tsx}';
const long = 'tests/**/*.long.test.ts';
const app = 'tests/app/**/*.test.{ts,tsx}';
/** Real processes and hosts, by the collectors alone. */
const collectors = 'tests/collectors/**/*.{live,host}.test.{ts,tsx}';

/** The engine of ClickHouse, and others that the fleet talks to. */
const fleet = 'tests/app/cli/fleet/*.live.test.ts';

/** Real processes may be late on a busy machine: a test of theirs runs again, and the run names it. */
const retry = process.env['CI'] === undefined ? 0 : 1;

/** Tests in an emulated machine, which all files share. */
const machine = (name: string, files: string): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    include: [`tests/vm/${files}.test.ts`],
    fileParallelism: false,
    retry,
    globalSetup: ['tests/vm/machine.setup.ts'],
    sequence: { groupOrder: 5 },
  },
});

export default defineConfig({
  test: {
    // Far more than a test takes on a busy machine; it ends those that wait for what never comes.
    testTimeout: 180_000,
    hookTimeout: 180_000,
    maxWorkers: 2,
    // Files share the modules that they import, so a test leaves none of them changed.
    isolate: false,
    setupFiles: ['tests/support/property-seed.ts', 'tests/support/own-environment.ts'],
    globalSetup: ['tests/support/own-config.ts'],
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    // A missing golden fails; `npm run bless` writes goldens.
    update: 'none',
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [live, host, long, app, 'tests/vm/**'],
        },
      },
      { extends: true, test: { name: 'long', include: [long] } },
      {
        extends: true,
        test: {
          name: 'commands',
          include: [app],
          exclude: [live, host],
          retry,
          globalSetup: ['tests/e2e/build.setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: [live],
          exclude: [collectors, fleet],
          // Real perf, real servers and real timing: files run one after another, so that they do not slow each other
          // down.
          fileParallelism: false,
          retry,
          sequence: { groupOrder: 1 },
        },
      },
      {
        extends: true,
        test: {
          name: 'hosts',
          include: [host],
          exclude: [collectors],
          fileParallelism: false,
          retry,
          sequence: { groupOrder: 2 },
        },
      },
      {
        extends: true,
        test: {
          name: 'collectors',
          include: [collectors],
          fileParallelism: false,
          retry,
          sequence: { groupOrder: 3 },
        },
      },
      {
        extends: true,
        test: { name: 'fleet', include: [fleet], fileParallelism: false, retry, sequence: { groupOrder: 4 } },
      },
      machine('vm', 'core'),
      machine('vm-all', '*'),
    ],
  },
});
