import path from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../scripts/run-command.ts';
import { slowestFiles } from '../../scripts/slowest-files.ts';

test('adds up a file’s tests in reports of both runners, and names the longest first', () => {
  const ran = (name: string, startTime: number, endTime: number) => ({
    status: 'passed',
    assertionResults: [],
    name: path.join(root, name),
    startTime,
    endTime,
  });
  expect(
    slowestFiles({ numPassedTests: 2, testResults: [ran('tests/a.ts', 1000, 1500), ran('tests/b.ts', 0, 2000)] }),
  ).toEqual(['tests/b.ts 2.0 s', 'tests/a.ts 0.5 s']);
  const spec = (file: string, ...durations: number[]) => ({
    file,
    title: 'a test',
    tests: [{ status: 'expected', results: durations.map((duration) => ({ duration })) }],
  });
  const suites = [{ specs: [spec('a.spec.ts', 100, 300)], suites: [{ specs: [spec('b.spec.ts', 500)] }] }];
  expect(slowestFiles({ stats: { expected: 2, unexpected: 0, flaky: 0, skipped: 0 }, suites, errors: [] })).toEqual([
    'b.spec.ts 0.5 s',
    'a.spec.ts 0.4 s',
  ]);
  expect(slowestFiles({ other: 1 })).toEqual([]);
});
