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
    expect(countVitest(report)).toEqual({ passed: 2, failed: 0, problems: [] });
  });

  it('takes a skipped test, a todo and a file that did not load for failures', () => {
    const report = {
      numPassedTests: 0,
      testResults: [
        {
          name: file,
          status: 'passed',
          assertionResults: [
            { fullName: 'skipped', status: 'skipped' },
            { fullName: 'later', status: 'todo' },
            { fullName: 'broken', status: 'failed' },
          ],
        },
        { name: file, status: 'failed', assertionResults: [] },
      ],
    };
    expect(countVitest(report)).toEqual({
      passed: 0,
      failed: 4,
      problems: [
        `${relative}: skipped: not run`,
        `${relative}: later: not run`,
        `${relative}: broken: failed`,
        `${relative}: did not load`,
      ],
    });
  });
});

describe('countPlaywright', () => {
  it('takes skipped, flaky and load errors for failures', () => {
    const report = {
      stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 },
      errors: [{ message: 'no config\nat …' }, {}],
    };
    expect(countPlaywright(report)).toEqual({
      passed: 3,
      failed: 6,
      problems: ['1 failed', '1 passed only when tried again', '2 not run', 'no config', 'an error'],
    });
  });
});
