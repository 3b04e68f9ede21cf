import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { checkImports } from './check-imports.ts';
import { checkLinks } from './check-links.ts';
import type { ComponentId } from './components.mjs';
import { root, runCommand } from './run-command.ts';

/** What a step found. A check that could not run counts as failed, and `problems` names it. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly problems: readonly string[];
}

export interface Step {
  readonly id: string;
  readonly checks: string;
  /** What it can't run without. */
  readonly needs: readonly ComponentId[];
  run(): Promise<Outcome>;
}

const one = (problem: string | null): Outcome =>
  problem === null ? { passed: 1, failed: 0, problems: [] } : { passed: 0, failed: 1, problems: [problem] };

const sum = (outcomes: readonly Outcome[]): Outcome => ({
  passed: outcomes.reduce((total, { passed }) => total + passed, 0),
  failed: outcomes.reduce((total, { failed }) => total + failed, 0),
  problems: outcomes.flatMap(({ problems }) => problems),
});

const command = async (...argv: string[]): Promise<Outcome> => one(await runCommand(argv));

/** One check over many files: it fails where one of them is at fault, or where there was none. */
function overFiles(files: number, faults: readonly string[]): Outcome {
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  if (files === 0) return one('no files were found to check');
  return one(faults.length === 0 ? null : `${faults.length} faults in ${files} files`);
}

const typeProjects = ['.', 'core', 'renderer', 'tests/e2e'];

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
    run: () => command('oxlint', '--type-aware', '.'),
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
    id: 'integration',
    checks: 'real perf, processes, files and servers',
    needs: ['perf', 'compiler'],
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
    needs: ['perf', 'chromium'],
    run: () => playwright('tests/e2e'),
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

const vitestReport = z.object({
  numTotalTests: z.number(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** Runs one project of vitest.config.ts. A test that was skipped, and a file that failed before its first test, count as failed. */
function vitest(project: string): Promise<Outcome> {
  return withReport(vitestReport, async (file) => ({
    problem: await runCommand([
      'vitest',
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${file}`,
    ]),
    count: (report) => {
      const problems = report.testResults.flatMap(({ name, status, assertionResults }) => {
        const faults = assertionResults
          .filter((test) => test.status !== 'passed')
          .map(
            (test) =>
              `${path.relative(root, name)}: ${test.fullName}: ${test.status === 'failed' ? 'failed' : 'not run'}`,
          );
        return status === 'failed' && faults.length === 0 ? [`${path.relative(root, name)}: did not load`] : faults;
      });
      return { passed: report.numPassedTests, failed: problems.length, problems };
    },
  }));
}

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  errors: z.array(z.object({ message: z.string().optional() })),
});

/** Runs a folder of Playwright tests, on a display of its own where Electron needs one and there is none. */
function playwright(folder: string, name?: string): Promise<Outcome> {
  const words = [
    'playwright',
    'test',
    '-c',
    path.join(folder, 'playwright.config.ts'),
    ...(name === undefined ? [] : [name]),
  ];
  const display = ['xvfb-run', '-a', '-s', '-screen 0 1600x1000x24'];
  const headless = name === undefined || process.platform !== 'linux' || process.env['DISPLAY'] !== undefined;
  return withReport(playwrightReport, async (file) => ({
    problem: await runCommand([...(headless ? [] : display), ...words, '--reporter=list,json'], {
      env: { PLAYWRIGHT_JSON_OUTPUT_NAME: file },
    }),
    count: ({ stats, errors }) => ({
      passed: stats.expected,
      failed: stats.unexpected + stats.flaky + stats.skipped + errors.length,
      problems: [
        ...(stats.skipped > 0 ? [`${folder}: ${stats.skipped} not run`] : []),
        ...(stats.flaky > 0 ? [`${folder}: ${stats.flaky} passed only when tried again`] : []),
        ...(stats.unexpected > 0 ? [`${folder}: ${stats.unexpected} failed`] : []),
        ...errors.map(({ message }) => `${folder}: ${message?.split('\n')[0] ?? 'error'}`),
      ],
    }),
  }));
}

interface Reported<Report> {
  readonly problem: string | null;
  readonly count: (report: Report) => Outcome;
}

/** Runs a test runner that writes a JSON report, and counts that. No report, no test and a silent failure are failures too. */
async function withReport<Report>(
  schema: z.ZodType<Report>,
  run: (file: string) => Promise<Reported<Report>>,
): Promise<Outcome> {
  const folder = mkdtempSync(path.join(tmpdir(), 'flamebench-test-'));
  try {
    const file = path.join(folder, 'report.json');
    const { problem, count } = await run(file);
    if (!existsSync(file)) return one(problem ?? 'no report was written');
    const outcome = count(schema.parse(JSON.parse(readFileSync(file, 'utf8'))));
    if (outcome.passed + outcome.failed === 0) return one(problem ?? 'no test ran');
    return problem !== null && outcome.failed === 0 ? sum([outcome, one(problem)]) : outcome;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
