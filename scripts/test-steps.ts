import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkImports } from './check-imports.ts';
import { checkLinks } from './check-links.ts';
import type { ComponentId } from './components.mjs';
import { root, runCommand } from './run-command.ts';
import type { CommandOptions } from './run-command.ts';
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
   * Steps of one lane run in turn, and the lanes at the same time: `here` and `elsewhere` start processes and mostly
   * wait for them, `spare` takes the CPU time that they leave. `first` runs before: others use what it makes. Steps
   * without a lane run after all lanes, each alone.
   */
  readonly lane?: 'first' | 'here' | 'elsewhere' | 'spare';
  run(options: CommandOptions): Promise<Outcome>;
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

/** Components of the machine in which SystemTap runs. */
const emulatedMachine: readonly ComponentId[] = ['emulator', 'ssh', 'namespaces'];

const typeProjects = ['.', 'core', 'renderer/analysis', 'renderer', 'tests/e2e'];

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
    checks: 'oxlint, with the rules that need types',
    needs: [],
    run: (options) =>
      command(options, 'oxlint', '--type-aware', '--report-unused-disable-directives-severity=error', '.'),
  },
  {
    id: 'shell',
    lane: 'spare',
    checks: 'shellcheck, with the checks of .shellcheckrc, over the scripts that run on targets',
    needs: ['shellcheck'],
    run: (options) => command(options, 'shellcheck', ...globSync('collectors/**/*.sh', { cwd: root })),
  },
  {
    id: 'types',
    lane: 'spare',
    checks: `TypeScript over ${typeProjects.join(', ')}`,
    needs: [],
    run: async (options) => {
      const outcomes: Outcome[] = [];
      // Each further checker would check the types that files share once more.
      for (const project of typeProjects) {
        outcomes.push(await command(options, 'tsc', '--singleThreaded', '-p', project));
      }
      return sum(outcomes);
    },
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
  // Uses one CPU, so it does not come last, when the other lanes may have ended.
  {
    id: 'fuzz',
    lane: 'spare',
    checks:
      'a minute of damaged inputs, binaries and documents, and of hostile calls, the same each time: they are read or refused, in time and memory',
    needs: [],
    run: (options) => command(options, 'node', 'scripts/fuzz.ts', '--seconds', '60', '--seed', '1'),
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
    id: 'integration',
    lane: 'here',
    checks: 'real perf, processes and servers',
    needs: ['perf', 'objdump', 'compiler', 'bpftrace', 'jdk', 'gperftools', 'podman', 'wrk', ...sshHosts],
    run: (options) => vitest(options, 'integration'),
  },
  {
    id: 'hosts',
    lane: 'elsewhere',
    checks: 'recordings on hosts over ssh, whose links and processes fail',
    needs: ['perf', 'compiler', 'jdk', 'podman', 'wrk', ...sshHosts],
    run: (options) => vitest(options, 'hosts'),
  },
  {
    id: 'vm',
    lane: 'elsewhere',
    checks: 'SystemTap and bpftrace, over ssh in an emulated machine; the image is cached',
    needs: emulatedMachine,
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
    lane: 'elsewhere',
    checks: 'minutes of random actions in the workbench and in a live view: no error, no wrong number, no leak',
    needs: ['perf', 'chromium', ...sshHosts],
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
    lane: 'elsewhere',
    checks: 'the workbench in a real Electron',
    needs: ['perf', 'bpftrace', 'wrk', 'xvfb', 'electron-libraries', 'pip'],
    run: (options) => playwright(options, 'tests/electron', 'smoke'),
  },
  {
    id: 'package',
    lane: 'elsewhere',
    checks: 'the packaged app starts; the npm package and those of Linux install, do their main job and leave nothing',
    needs: ['perf', 'xvfb', 'electron-libraries', 'pip', 'chromium', 'podman', 'desktop-files', 'debootstrap'],
    run: async (options) =>
      sum([await playwright(options, 'tests/package'), await playwright(options, 'tests/electron', 'package')]),
  },
];

/** Runs one project of vitest.config.ts. */
function vitest(options: CommandOptions, project: string): Promise<Outcome> {
  return withReport(countVitest, (file) =>
    runCommand(
      ['vitest', 'run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`],
      options,
    ),
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
    const outcome = count(JSON.parse(readFileSync(file, 'utf8')));
    if (outcome.passed + outcome.failed === 0) return one(problem ?? 'no test ran');
    return problem !== null && outcome.failed === 0 ? sum([outcome, one(problem)]) : outcome;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
