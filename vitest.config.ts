import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config';

const tests = (folders: readonly string[]): string[] => folders.map((folder) => `${folder}/*.test.{ts,tsx}`);

/** Tests of collectors and samples that start nothing: in `integration`, files run one after another. */
const pureCollectors = [
  'tests/collectors/live/recipe-cutter.test.ts',
  'tests/collectors/node/inspect-options.test.ts',
  'tests/collectors/perf/{annotate-text,checks,data-quality,ending,event-grammar,frame-places,late-names}.test.ts',
  'tests/collectors/perf/{plan,script-stats,stack-probe,stream,symbol-name,whole-samples}.test.ts',
  'tests/collectors/stap/{availability,luajit}.test.ts',
  'tests/collectors/target/{circumstances,containers,go-process,proc-files,runtime}.test.ts',
  'tests/collectors/target/ssh/{explain-ssh,marked-output,pace,prompt,queues,ssh-argv}.test.ts',
  'tests/collectors/*/{script,explain-failure}.test.ts',
  'tests/samples/*.test.ts',
];
/** Tests that need only Node. */
const unit = [...tests(['tests/core/**', 'tests/renderer/**', 'tests/scripts/**']), ...pureCollectors];
/** Tests on hosts that they make themselves and reach by ssh. */
const hosts = [
  ...tests(['tests/app/ssh/**', 'tests/app/engine/targets/**', 'tests/collectors/target/ssh/**']),
  'tests/app/cli/ssh-targets.test.ts',
  'tests/collectors/**/ssh{,-*}.test.ts',
];
/** Other tests of the application that record or measure running processes. */
const recording = [
  ...tests([
    'tests/app/cli/{annotate,bisect,ci,live,record,targets}/**',
    'tests/app/electron/**',
    'tests/app/engine/{live,loads,source,symbols}/**',
  ]),
  'tests/app/cli/{lines,load,load-experiment,two-builds}.test.ts',
  'tests/app/cli/convert/perf-script.test.ts',
  'tests/app/engine/{call-graph-auto,call-graph-cgo,recording,recording-experiments}.test.ts',
  'tests/app/engine/server/record.test.ts',
];

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
    sequence: { groupOrder: 3 },
  },
});

export default defineConfig({
  test: {
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Files share the modules that they import, so a test leaves none of them changed.
    isolate: false,
    setupFiles: ['tests/support/property-seed.ts'],
    globalSetup: ['tests/support/own-config.ts'],
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
          exclude: [...recording, ...hosts],
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
          exclude: [...pureCollectors, ...hosts],
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
          include: hosts,
          exclude: pureCollectors,
          fileParallelism: false,
          retry,
          sequence: { groupOrder: 2 },
        },
      },
      machine('vm', 'core'),
      machine('vm-all', '*'),
    ],
  },
});
