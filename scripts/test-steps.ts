import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkImports } from './check-imports.ts';
import { checkLinks } from './check-links.ts';
import type { ComponentId } from './components.mjs';
import type { Sources } from './full-run.ts';
import { root, runCommand } from './run-command.ts';
import type { CommandOptions } from './run-command.ts';
import { slowestFiles } from './slowest-files.ts';
import { countPlaywright, countVitest, one, sum } from './test-outcome.ts';
import type { Outcome } from './test-outcome.ts';

export interface Step {
  readonly id: string;
  readonly checks: string;
  /** The components without which the step cannot run. */
  readonly needs: readonly ComponentId[];
  /** Runs only if `--only` names it, for this reason, which is printed after `not run: `. */
  readonly onRequest?: string;
  /**
   * Patterns of what the step exercises. A run leaves it out if it passed a full run with the same files; `CI_FULL=1` and
   * `--only` run it.
   */
  readonly sources?: Sources;
  /**
   * Steps in `pairs` start processes and mostly wait for them: two of them run at a time, each begun when another ends.
   * Those in `spare` run in turn meanwhile, in the CPU time that is left. `first` runs before: others use what it makes.
   * Steps without a lane run after all lanes, each alone.
   */
  readonly lane?: 'first' | 'pairs' | 'spare';
  /** Whether its test files are run in two halves, of which each takes a place of its lane. */
  readonly halves?: true;
  /** `shard` names the half, as Vitest does: `1/2`. */
  run(options: CommandOptions, shard?: string): Promise<Outcome>;
}

const command = async (options: CommandOptions, ...argv: string[]): Promise<Outcome> =>
  one(await runCommand(argv, options));

/** Returns the outcome of one check over many files: failed if any is at fault, or if there were none. */
function overFiles(files: number, faults: readonly string[]): Outcome {
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  if (files === 0) return one('no files were found to check');
  return one(faults.length === 0 ? null : `${faults.length} faults in ${files} files`);
}

/** Components of the hosts that tests create as targets. */
const sshHosts: readonly ComponentId[] = ['ssh', 'sshd', 'namespaces', 'sudo', 'shells', 'locales'];

/** Components of tests that record real processes, servers and hosts. */
const realProcesses: readonly ComponentId[] = [
  'perf',
  'objdump',
  'compiler',
  'bpftrace',
  'jdk',
  'maven',
  'gperftools',
  'podman',
  'wrk',
  'nginx',
  ...sshHosts,
];

/** Components of the machine in which SystemTap runs. */
const emulatedMachine: readonly ComponentId[] = ['emulator', 'ssh', 'namespaces'];

/** Ordered so that the most common faults are reported first. */
export const steps: readonly Step[] = [
  {
    id: 'build',
    lane: 'first',
    checks: 'renderer, engine, Electron shell and command line build',
    needs: [],
    run: (options) => command(options, 'node', 'scripts/build.ts'),
  },
  {
    id: 'format',
    lane: 'spare',
    checks: 'the code is formatted (`npm run format` does it)',
    needs: [],
    run: (options) => command(options, 'oxfmt', '--check', '.'),
  },
  {
    id: 'lint',
    lane: 'spare',
    checks: 'oxlint, with the rules that need types; TypeScript, each file by the tsconfig.json next above it',
    needs: [],
    // One program a project serves both; each run of tsc would read the types that projects share once more.
    run: (options) =>
      command(
        options,
        'oxlint',
        '--type-aware',
        '--type-check',
        '--report-unused-disable-directives-severity=error',
        '.',
      ),
  },
  {
    id: 'shell',
    lane: 'spare',
    checks: 'shellcheck, with the checks of .shellcheckrc, over the scripts that run on targets',
    needs: ['shellcheck'],
    run: (options) => command(options, 'shellcheck', ...globSync('collectors/**/*.sh', { cwd: root })),
  },
  {
    id: 'imports',
    lane: 'spare',
    checks: 'imports follow the layers and the order of rooms, whose lines the docs state',
    needs: [],
    run: () => {
      const { files, violations } = checkImports(root);
      return Promise.resolve(overFiles(files, violations));
    },
  },
  {
    id: 'links',
    lane: 'spare',
    checks: 'links and anchors of the docs exist',
    needs: [],
    run: () => {
      const { files, broken } = checkLinks(root);
      return Promise.resolve(overFiles(files, broken));
    },
  },
  // Use one CPU, so they do not come last, when the other lanes may have ended.
  {
    id: 'fuzz',
    lane: 'spare',
    checks:
      'a minute of damaged inputs, binaries and documents, and of hostile calls, the same each time: they are read or refused, in time and memory',
    needs: [],
    sources: [
      '{app/engine,collectors,core}/**',
      'scripts/fuzz*.ts',
      'tests/fixtures/{fuzz,import}/**',
      'package-lock.json',
    ],
    run: (options) => command(options, 'node', 'scripts/fuzz.ts', '--seconds', '60', '--seed', '1'),
  },
  {
    id: 'long',
    lane: 'spare',
    checks: 'verdicts over hundreds of real and simulated comparisons, and the worst case of each importer',
    needs: [],
    sources: [
      'core/**',
      'scripts/fuzz-values.ts',
      'tests/**/*.long.test.ts',
      'tests/core/compare/*.ts',
      'tests/{fixtures,support}/**',
      'package-lock.json',
    ],
    run: (options) => vitest(options, 'long'),
  },
  {
    id: 'unit',
    lane: 'spare',
    checks: 'pure code, without a system',
    needs: ['minisign'],
    run: (options) => vitest(options, 'unit'),
  },
  {
    id: 'commands',
    lane: 'spare',
    checks: 'the command line, the engine and its files, without recordings',
    needs: ['objdump', 'compiler'],
    run: (options) => vitest(options, 'commands'),
  },
  {
    id: 'components',
    lane: 'spare',
    checks: 'tables, graphs and the terminal, each alone in Chromium',
    needs: ['chromium'],
    run: (options) => playwright(options, 'tests/e2e/components'),
  },
  {
    id: 'integration',
    lane: 'pairs',
    halves: true,
    checks: 'real perf, processes and servers',
    needs: realProcesses,
    run: (options, shard) => vitest(options, 'integration', shard),
  },
  {
    id: 'hosts',
    lane: 'pairs',
    halves: true,
    checks: 'commands and engine with hosts over ssh, whose links and processes fail',
    needs: ['perf', 'compiler', 'jdk', 'podman', 'wrk', ...sshHosts],
    run: (options, shard) => vitest(options, 'hosts', shard),
  },
  {
    id: 'collectors',
    lane: 'pairs',
    halves: true,
    checks: 'the collectors with real perf, runtimes, servers and hosts over ssh',
    needs: [...realProcesses, 'debootstrap'],
    // Some of them also start the command line, whose faults are found by tests of its own.
    sources: [
      'collectors/**',
      'core/{contract,import,model,symbols,units,wire}/**',
      'tests/collectors/**',
      'tests/support/**',
      'package-lock.json',
    ],
    run: (options, shard) => vitest(options, 'collectors', shard),
  },
  {
    id: 'fleet',
    lane: 'pairs',
    checks: 'the commands of the fleet with the engine of ClickHouse',
    needs: [],
    sources: [
      'app/{cli,engine}/fleet/**',
      'app/engine/http/**',
      'core/{compare,export,fleet,import,model,wire}/**',
      'tests/app/cli/fleet/**',
      'tests/support/**',
      'package-lock.json',
    ],
    run: (options) => vitest(options, 'fleet'),
  },
  {
    id: 'vm',
    lane: 'pairs',
    checks: 'SystemTap and bpftrace, over ssh in an emulated machine; the image is cached',
    needs: emulatedMachine,
    sources: [
      'collectors/*.ts',
      'collectors/{bpftrace,effects,stap,target}/**',
      'core/contract/{bpftrace,recipes,stap,target-id}.ts',
      'core/import/{bpftrace,recipes,stap}/**',
      'tests/vm/**',
    ],
    run: (options) => vitest(options, 'vm'),
  },
  {
    id: 'vm-all',
    checks: 'everything that is tested in an emulated machine',
    needs: emulatedMachine,
    onRequest: 'it emulates a machine for most of an hour; run npm test -- --only vm-all',
    run: (options) => vitest(options, 'vm-all'),
  },
  {
    id: 'soak',
    lane: 'pairs',
    checks: 'minutes of random actions in the workbench and in a live view: no error, no wrong number, no leak',
    needs: ['perf', 'chromium', ...sshHosts],
    // The rest of core and engine runs as well, but their faults are found by tests of their own.
    sources: [
      'renderer/**',
      'app/engine/live/**',
      'core/{analyze,live,model}/**',
      'tests/soak/**',
      'tests/e2e/workbench.ts',
      'package-lock.json',
    ],
    run: (options) => playwright(options, 'tests/soak'),
  },
  {
    id: 'e2e',
    checks: 'the workbench in Chromium',
    needs: ['perf', 'objdump', 'compiler', 'bpftrace', 'jdk', 'chromium', 'firefox', 'wrk', ...sshHosts],
    run: (options) => playwright(options, 'tests/e2e'),
  },
  {
    id: 'electron',
    lane: 'pairs',
    checks: 'the workbench in a real Electron',
    needs: ['perf', 'bpftrace', 'wrk', 'xvfb', 'electron-libraries', 'pip'],
    run: (options) => playwright(options, 'tests/electron', 'smoke'),
  },
  {
    id: 'package',
    lane: 'pairs',
    checks: 'the packaged app starts; the npm package and those of Linux install, do their main job and leave nothing',
    needs: ['perf', 'xvfb', 'electron-libraries', 'pip', 'chromium', 'podman', 'desktop-files', 'debootstrap'],
    sources: [
      'electron-builder.yml',
      'package{,-lock}.json',
      'vite.config.ts',
      'scripts/{build,file-associations,package*,page-aliases,report-viewer,supply-chain,xterm-globals}.ts',
      'scripts/{components,provision}.mjs',
      'scripts/licences/**',
      'app/electron/**',
      'app/node-20.ts',
      'app/cli/{commands,main}.ts',
      'app/cli/flamebench.mjs',
      'tests/electron/{build.setup,electron-for-tests,fuse-wire,launch-*,package.spec,playwright.config}.ts',
      'tests/electron/old/**',
      'tests/package/**',
      'tests/support/{clean-root,podman,utility-process}.ts',
    ],
    run: async (options) =>
      sum([await playwright(options, 'tests/package'), await playwright(options, 'tests/electron', 'package')]),
  },
];

/** Runs one project of vitest.config.ts. */
function vitest(options: CommandOptions, project: string, shard?: string): Promise<Outcome> {
  const words = ['vitest', 'run', '--project', project, ...(shard === undefined ? [] : ['--shard', shard])];
  return withReport(countVitest, (file) =>
    runCommand([...words, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`], options),
  );
}

/** Runs a folder of Playwright tests, with a virtual display if Electron needs one and there is none. */
function playwright(options: CommandOptions, folder: string, name?: string): Promise<Outcome> {
  const config = path.join(folder, 'playwright.config.ts');
  const words = ['playwright', 'test', '-c', config, ...(name === undefined ? [] : [name]), '--reporter=list,json'];
  const display = ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24'];
  const headless = name === undefined || process.platform !== 'linux' || process.env['DISPLAY'] !== undefined;
  return withReport(countPlaywright, (file) =>
    runCommand([...(headless ? [] : display), ...words], { ...options, env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file } }),
  );
}

/**
 * Runs a test runner that writes a JSON report, and counts its results. A missing report, no tests, and a failure
 * without a message count as failed too.
 */
async function withReport(
  count: (report: unknown) => Outcome,
  run: (file: string) => Promise<string | null>,
): Promise<Outcome> {
  const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-test-'));
  try {
    const file = path.join(folder, 'report.json');
    const problem = await run(file);
    if (!existsSync(file)) return one(problem ?? 'no report was written');
    const report: unknown = JSON.parse(readFileSync(file, 'utf8'));
    process.stdout.write(`slowest: ${slowestFiles(report).join(', ')}\n`);
    const outcome = count(report);
    if (outcome.passed + outcome.failed === 0) return one(problem ?? 'no test ran');
    return problem !== null && outcome.failed === 0 ? sum([outcome, one(problem)]) : outcome;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
