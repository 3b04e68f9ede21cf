import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { checkImports } from './check-imports.ts';
import { checkLinks } from './check-links.ts';
import type { ComponentId } from './components.mjs';
import { root, runCommand } from './run-command.ts';
import { countPlaywright, countVitest, one, sum } from './test-outcome.ts';
import type { Outcome } from './test-outcome.ts';

export interface Step {
  readonly id: string;
  readonly checks: string;
  /** What it can't run without. */
  readonly needs: readonly ComponentId[];
  run(): Promise<Outcome>;
}

const command = async (...argv: string[]): Promise<Outcome> => one(await runCommand(argv));

/** One check over many files: it fails where one of them is at fault, or where there was none. */
function overFiles(files: number, faults: readonly string[]): Outcome {
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  if (files === 0) return one('no files were found to check');
  return one(faults.length === 0 ? null : `${faults.length} faults in ${files} files`);
}

/** What targets that tests make are made of. */
const sshHosts: readonly ComponentId[] = ['ssh', 'sshd', 'namespaces', 'sudo', 'shells', 'locales'];

const typeProjects = ['.', 'core', 'renderer/analysis', 'renderer', 'tests/e2e'];

/** Each in the order that tells of the commonest faults first. */
export const steps: readonly Step[] = [
  {
    id: 'format',
    checks: 'the code is formatted (`npm run format` does it)',
    needs: [],
    run: () => command('oxfmt', '--check', '.'),
  },
  {
    id: 'lint',
    checks: 'oxlint, with the rules that need types',
    needs: [],
    run: () => command('oxlint', '--type-aware', '--report-unused-disable-directives-severity=error', '.'),
  },
  {
    id: 'shell',
    checks: 'shellcheck over the scripts that run on targets',
    needs: ['shellcheck'],
    run: () => command('shellcheck', '--shell=sh', ...globSync('collectors/**/*.sh', { cwd: root })),
  },
  {
    id: 'types',
    checks: `TypeScript over ${typeProjects.join(', ')}`,
    needs: [],
    run: async () => {
      const outcomes: Outcome[] = [];
      for (const project of typeProjects) outcomes.push(await command('tsc', '-p', project));
      return sum(outcomes);
    },
  },
  {
    id: 'imports',
    checks: 'no folder imports what is not beneath it',
    needs: [],
    run: () => {
      const { files, violations } = checkImports(root);
      return Promise.resolve(overFiles(files, violations));
    },
  },
  {
    id: 'links',
    checks: 'links and anchors of the docs lead somewhere',
    needs: [],
    run: () => {
      const { files, broken } = checkLinks(root);
      return Promise.resolve(overFiles(files, broken));
    },
  },
  { id: 'unit', checks: 'pure code, without a system', needs: [], run: () => vitest('unit') },
  {
    id: 'fuzz',
    checks:
      'a minute of damaged inputs and documents, the same each time: they are read or refused, in time and memory',
    needs: [],
    run: () => command('node', 'scripts/fuzz.ts', '--seconds', '60', '--seed', '1'),
  },
  {
    id: 'integration',
    checks: 'real perf, processes, files and servers',
    needs: ['perf', 'objdump', 'compiler', ...sshHosts],
    run: () => vitest('integration'),
  },
  {
    id: 'build',
    checks: 'renderer, engine and Electron shell build',
    needs: [],
    run: () => command('node', 'scripts/build.ts'),
  },
  {
    id: 'e2e',
    checks: 'the workbench in Chromium',
    needs: ['perf', 'objdump', 'compiler', 'chromium', ...sshHosts],
    run: () => playwright('tests/e2e'),
  },
  {
    id: 'soak',
    checks: 'three minutes of random actions in the workbench: no error, no wrong number, no leak',
    needs: ['perf', 'chromium'],
    run: () => playwright('tests/soak'),
  },
  {
    id: 'electron',
    checks: 'the workbench in a real Electron',
    needs: ['perf', 'xvfb', 'electron-libraries', 'pip'],
    run: () => playwright('tests/electron', 'smoke'),
  },
  {
    id: 'package',
    checks: 'the packaged app starts',
    needs: ['perf', 'xvfb', 'electron-libraries', 'pip'],
    run: () => playwright('tests/electron', 'package'),
  },
];

/** Runs one project of vitest.config.ts. */
function vitest(project: string): Promise<Outcome> {
  return withReport(countVitest, (file) =>
    runCommand([
      'vitest',
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ]),
  );
}

/** Runs a folder of Playwright tests, on a display of its own where Electron needs one and there is none. */
function playwright(folder: string, name?: string): Promise<Outcome> {
  const config = path.join(folder, 'playwright.config.ts');
  const words = ['playwright', 'test', '-c', config, ...(name === undefined ? [] : [name]), '--reporter=list,json'];
  const display = ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24'];
  const headless = name === undefined || process.platform !== 'linux' || process.env['DISPLAY'] !== undefined;
  return withReport(countPlaywright, (file) =>
    runCommand([...(headless ? [] : display), ...words], { env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file } }),
  );
}

/** Runs a test runner that writes a JSON report, and counts that. No report, no test and a silent failure are failures too. */
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
