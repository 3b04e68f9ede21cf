import path from 'node:path';
import { z } from 'zod';
import { root } from './run-command.ts';

/** What a step found. A check that could not run counts as failed, and `problems` names it. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly problems: readonly string[];
}

/** The outcome of a single check: null where it held, else what was wrong. */
export const one = (problem: string | null): Outcome =>
  problem === null ? { passed: 1, failed: 0, problems: [] } : { passed: 0, failed: 1, problems: [problem] };

export const sum = (outcomes: readonly Outcome[]): Outcome => ({
  passed: outcomes.reduce((total, { passed }) => total + passed, 0),
  failed: outcomes.reduce((total, { failed }) => total + failed, 0),
  problems: outcomes.flatMap(({ problems }) => problems),
});

const vitestReport = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      assertionResults: z.array(z.object({ fullName: z.string(), status: z.string() })),
    }),
  ),
});

/** Counts Vitest's JSON report. A test that was skipped, and a file that failed before its first test, count as failed. */
export function countVitest(report: unknown): Outcome {
  const { numPassedTests, testResults } = vitestReport.parse(report);
  const problems = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = path.relative(root, name);
    const faults = assertionResults
      .filter((test) => test.status !== 'passed')
      .map((test) => `${file}: ${test.fullName}: ${test.status === 'failed' ? 'failed' : 'not run'}`);
    return status === 'failed' && faults.length === 0 ? [`${file}: did not load`] : faults;
  });
  return { passed: numPassedTests, failed: problems.length, problems };
}

const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  errors: z.array(z.object({ message: z.string().exactOptional() })),
});

/** Counts Playwright's JSON report. What was skipped, or passed only when tried again, counts as failed. */
export function countPlaywright(report: unknown): Outcome {
  const { stats, errors } = playwrightReport.parse(report);
  const counted: [number, string][] = [
    [stats.unexpected, 'failed'],
    [stats.flaky, 'passed only when tried again'],
    [stats.skipped, 'not run'],
  ];
  const problems = counted.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return {
    passed: stats.expected,
    failed: stats.unexpected + stats.flaky + stats.skipped + errors.length,
    problems: [...problems, ...errors.map(({ message }) => message?.split('\n')[0] ?? 'an error')],
  };
}
