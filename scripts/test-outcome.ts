import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import * as z from 'zod';
import { root } from './run-command.ts';

/** The result of a step. A check that could not run counts as failed, and `problems` names it. */
export interface Outcome {
  readonly passed: number;
  readonly failed: number;
  readonly problems: readonly string[];
  /** Tests that passed only when retried, with the reason for the failure; they count as passed. */
  readonly unsteady: readonly string[];
}

/** Returns the outcome of a single check; null means that it passed. */
export const one = (problem: string | null): Outcome =>
  problem === null
    ? { passed: 1, failed: 0, problems: [], unsteady: [] }
    : { passed: 0, failed: 1, problems: [problem], unsteady: [] };

export const sum = (outcomes: readonly Outcome[]): Outcome => ({
  passed: outcomes.reduce((total, { passed }) => total + passed, 0),
  failed: outcomes.reduce((total, { failed }) => total + failed, 0),
  problems: outcomes.flatMap(({ problems }) => problems),
  unsteady: outcomes.flatMap(({ unsteady }) => unsteady),
});

/**
 * Number of lines of a failure's message repeated at the end of a run, so that a truncated log still contains the
 * reason.
 */
const SAID_LINES = 8;

/** Parts of Vitest's JSON report. Times are in milliseconds. */
export const vitestReport = z.object({
  numPassedTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      startTime: z.number().exactOptional(),
      endTime: z.number().exactOptional(),
      message: z.string().exactOptional(),
      assertionResults: z.array(
        z.object({ fullName: z.string(), status: z.string(), failureMessages: z.array(z.string()).exactOptional() }),
      ),
    }),
  ),
});

/**
 * Counts the results in Vitest's JSON report. A skipped test, and a file that failed before its first test, count as
 * failed.
 */
export function countVitest(report: unknown): Outcome {
  const { numPassedTests, testResults } = vitestReport.parse(report);
  const problems = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(root, name);
    const faults = assertionResults
      .filter((test) => test.status !== 'passed')
      .map(({ fullName, status: outcome, failureMessages }) =>
        outcome === 'failed'
          ? `${file}: ${fullName}: failed${reason(failureMessages?.[0])}`
          : `${file}: ${fullName}: not run`,
      );
    return status === 'failed' && faults.length === 0 ? [`${file}: did not load${reason(message)}`] : faults;
  });
  const unsteady = testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status, failureMessages = [] }) => status === 'passed' && failureMessages.length > 0)
      .map(
        ({ fullName, failureMessages }) => `${path.relative(root, name)}: ${fullName}${reason(failureMessages?.[0])}`,
      ),
  );
  return { passed: numPassedTests, failed: problems.length, problems, unsteady };
}

const playwrightSpec = z.object({
  title: z.string(),
  file: z.string(),
  tests: z.array(
    z.object({
      status: z.string(),
      results: z.array(
        z.object({
          duration: z.number().exactOptional(),
          error: z.object({ message: z.string().exactOptional() }).exactOptional(),
        }),
      ),
    }),
  ),
});

export interface PlaywrightSuite {
  specs?: z.infer<typeof playwrightSpec>[];
  suites?: PlaywrightSuite[];
}

const playwrightSuite: z.ZodType<PlaywrightSuite> = z.lazy(() =>
  z.object({
    specs: z.array(playwrightSpec).exactOptional(),
    suites: z.array(playwrightSuite).exactOptional(),
  }),
);

/** Parts of Playwright's JSON report. Durations are in milliseconds. */
export const playwrightReport = z.object({
  stats: z.object({ expected: z.number(), unexpected: z.number(), flaky: z.number(), skipped: z.number() }),
  suites: z.array(playwrightSuite).default([]),
  errors: z.array(z.object({ message: z.string().exactOptional() })),
});

const PLAYWRIGHT_FAULTS: ReadonlyMap<string, string> = new Map([
  ['unexpected', 'failed'],
  ['skipped', 'not run'],
]);

/** Counts the results in Playwright's JSON report. A skipped test counts as failed. */
export function countPlaywright(report: unknown): Outcome {
  const { stats, suites, errors } = playwrightReport.parse(report);
  const tests = suites.flatMap(playwrightTests);
  return {
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected + stats.skipped + errors.length,
    problems: [
      ...tests.flatMap(({ name, status, error }) => {
        const fault = PLAYWRIGHT_FAULTS.get(status);
        return fault === undefined ? [] : [`${name}: ${fault}${reason(error)}`];
      }),
      ...errors.map(({ message }) => `an error${reason(message)}`),
    ],
    unsteady: tests.filter(({ status }) => status === 'flaky').map(({ name, error }) => `${name}${reason(error)}`),
  };
}

interface PlaywrightTest {
  readonly name: string;
  readonly status: string;
  /** Message of its first failure. */
  readonly error: string | undefined;
}

function playwrightTests({ specs = [], suites = [] }: PlaywrightSuite): PlaywrightTest[] {
  const own = specs.flatMap(({ file, title, tests }) =>
    tests.map(({ status, results }) => ({
      name: `${file}: ${title}`,
      status,
      error: results.find((result) => result.error !== undefined)?.error?.message,
    })),
  );
  return [...own, ...suites.flatMap(playwrightTests)];
}

function reason(message: string | undefined): string {
  const lines = stripVTControlCharacters(message ?? '')
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '');
  return lines
    .slice(0, SAID_LINES)
    .map((line) => `\n    ${line}`)
    .join('');
}
