import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countPlaywright, countVitest } from '../../scripts/test-outcome.ts';
import { root } from '../../scripts/run-command.ts';

const file = path.join(root, 'tests', 'a.test.ts');
const relative = path.join('tests', 'a.test.ts');

describe('countVitest', () => {
  it('counts passed tests', () => {
    const report = {
      numPassedTests: 2,
      testResults: [
        {
          name: file,
          status: 'passed',
          assertionResults: [
            { fullName: 'one', status: 'passed' },
            { fullName: 'two', status: 'passed' },
          ],
        },
      ],
    };
    expect(countVitest(report)).toEqual({ passed: 2, failed: 0, problems: [], unsteady: [] });
  });

  it('names a test that passed only on a retry', () => {
    const shaky = { fullName: 'shaky', status: 'passed', failureMessages: ['late\nat …'] };
    const report = { numPassedTests: 1, testResults: [{ name: file, status: 'passed', assertionResults: [shaky] }] };
    expect(countVitest(report)).toEqual({
      passed: 1,
      failed: 0,
      problems: [],
      unsteady: [`${relative}: shaky\n    late\n    at …`],
    });
  });

  it('counts a skipped test, a todo and a file that did not load as failures', () => {
    const report = {
      numPassedTests: 0,
      testResults: [
        {
          name: file,
          status: 'passed',
          assertionResults: [
            { fullName: 'skipped', status: 'skipped' },
            { fullName: 'later', status: 'todo' },
            {
              fullName: 'broken',
              status: 'failed',
              failureMessages: ['\u001b[31mone\u001b[0m\n\n  two\n3\n4\n5\n6\n7\n8\n9'],
            },
          ],
        },
        { name: file, status: 'failed', message: 'no such module', assertionResults: [] },
      ],
    };
    expect(countVitest(report)).toEqual({
      passed: 0,
      failed: 4,
      problems: [
        `${relative}: skipped: not run`,
        `${relative}: later: not run`,
        `${relative}: broken: failed\n    one\n      two\n    3\n    4\n    5\n    6\n    7\n    8`,
        `${relative}: did not load\n    no such module`,
      ],
      unsteady: [],
    });
  });
});

describe('countPlaywright', () => {
  const spec = (title: string, status: string, message?: string) => ({
    title,
    file: 'a.spec.ts',
    tests: [{ status, results: [message === undefined ? {} : { error: { message } }] }],
  });

  it('counts skipped tests and load errors as failures, and names a test that passed only on a retry', () => {
    const report = {
      stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 1 },
      suites: [
        {
          specs: [spec('good', 'expected')],
          suites: [
            { specs: [spec('bad', 'unexpected', 'why'), spec('shaky', 'flaky', 'late'), spec('left', 'skipped')] },
          ],
        },
      ],
      errors: [{ message: 'no config\nat …' }, {}],
    };
    expect(countPlaywright(report)).toEqual({
      passed: 4,
      failed: 4,
      problems: [
        'a.spec.ts: bad: failed\n    why',
        'a.spec.ts: left: not run',
        'an error\n    no config\n    at …',
        'an error',
      ],
      unsteady: ['a.spec.ts: shaky\n    late'],
    });
  });
});
