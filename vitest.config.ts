import { defineConfig } from 'vitest/config';

const tests = (folders: readonly string[]): string[] => folders.map((folder) => `${folder}/*.test.{ts,tsx}`);

/** Tests of collectors and samples that start nothing: in `integration`, files run one after another. */
const pureCollectors = [
  'tests/collectors/perf/{annotate-text,checks,ending,event-grammar,frame-places,plan}.test.ts',
  'tests/collectors/perf/{script-stats,stack-probe,stream,symbol-name,whole-samples}.test.ts',
  'tests/collectors/target/go-process.test.ts',
  'tests/collectors/target/ssh/{explain-ssh,marked-output,pace,prompt,ssh-argv}.test.ts',
  'tests/collectors/*/{script,explain-failure}.test.ts',
  'tests/samples/*.test.ts',
];
/** Tests that need only Node. */
const unit = [...tests(['tests/core/**', 'tests/renderer/**', 'tests/scripts/**']), ...pureCollectors];
/** Tests of the application that record, use ssh, or measure running processes. */
const recording = [
  ...tests([
    'tests/app/ssh/**',
    'tests/app/cli/{annotate,live,record,targets}/**',
    'tests/app/electron/**',
    'tests/app/engine/{live,loads,source,symbols,targets}/**',
  ]),
  'tests/app/cli/{lines,load,load-experiment,ssh-targets,two-builds}.test.ts',
  'tests/app/cli/convert/perf-script.test.ts',
  'tests/app/engine/{call-graph-auto,call-graph-cgo,recording,recording-experiments}.test.ts',
  'tests/app/engine/server/record.test.ts',
];

/** Real processes may be late on a busy machine: a test of theirs runs again, and the run names it. */
const retry = process.env['CI'] === undefined ? 0 : 1;

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    setupFiles: ['tests/support/property-seed.ts', 'tests/support/own-config.ts'],
    // The default of one second is too short on a busy machine.
    expect: { poll: { timeout: 10_000 } },
    // A missing golden fails; `npm run bless` writes goldens.
    update: 'none',
    projects: [
      { extends: true, test: { name: 'unit', include: unit } },
      {
        extends: true,
        test: {
          name: 'commands',
          include: tests(['tests/app/**']),
          exclude: recording,
          retry,
          // Reports contain the built viewer.
          globalSetup: ['tests/e2e/build.setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: [...tests(['tests/!(app|core|renderer|scripts|e2e|electron|soak|vm)/**']), ...recording],
          exclude: pureCollectors,
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
          name: 'vm',
          include: ['tests/vm/*.test.ts'],
          // All files share one machine.
          fileParallelism: false,
          globalSetup: ['tests/vm/machine.setup.ts'],
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
