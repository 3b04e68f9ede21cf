import path from 'node:path';
import { root } from './run-command.ts';
import { playwrightReport, vitestReport, type PlaywrightSuite } from './test-outcome.ts';

const COUNT = 8;

/** Returns the test files that took longest by a JSON report of Vitest or Playwright, as `FILE SECONDS s`, longest first. */
export function slowestFiles(report: unknown): string[] {
  const seconds = new Map<string, number>();
  const add = (file: string, ms: number): void => void seconds.set(file, (seconds.get(file) ?? 0) + ms / 1000);
  const walk = ({ specs = [], suites = [] }: PlaywrightSuite): void => {
    for (const { file, tests } of specs)
      for (const { results } of tests) for (const { duration = 0 } of results) add(file, duration);
    for (const inner of suites) walk(inner);
  };
  for (const { name, startTime = 0, endTime = 0 } of vitestReport.safeParse(report).data?.testResults ?? [])
    add(path.relative(root, name), endTime - startTime);
  for (const one of playwrightReport.safeParse(report).data?.suites ?? []) walk(one);
  return [...seconds]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, COUNT)
    .map(([file, duration]) => `${file} ${duration.toFixed(1)} s`);
}
