import { expect, test } from 'vitest';
import { judgePtrace, judgePySpy, type PtraceFacts } from '#collectors/python/checks.ts';
import { explainFailure, missedSamples, readReport } from '#collectors/python/messages.ts';

const AS_ROOT = 'record as root';
const facts: PtraceFacts = {
  ownUids: '1000 1000 1000',
  processUids: '1000 1000 1000',
  isCapable: false,
  yamaScope: 0,
};
const ROOT = { ownUids: '0 0 0', isCapable: true };

test.each<[string, Partial<PtraceFacts>, string, RegExp]>([
  ['one’s own process', {}, 'ok', /processes of web/],
  ['root', ROOT, 'ok', /every process/],
  ['another user’s', { processUids: '33 33 33' }, 'failed', /belongs to web/],
  ['one that changed its user', { processUids: '1000 0 0' }, 'failed', /belongs to web/],
  ['with Yama', { yamaScope: 1 }, 'failed', /ptrace_scope is 1: only root/],
  ['with Yama, as root', { ...ROOT, yamaScope: 2 }, 'ok', /every process/],
  ['with Yama, for nobody', { ...ROOT, yamaScope: 3 }, 'failed', /ptrace_scope is 3/],
  ['root of a container', { ...ROOT, isCapable: false }, 'failed', /lacks CAP_SYS_PTRACE/],
  [
    'root of a container, its own process',
    { ...ROOT, isCapable: false, processUids: '0 0 0' },
    'ok',
    /processes of web/,
  ],
])('judges ptrace: %s', (_name, more, status, found) => {
  const check = judgePtrace({ ...facts, ...more }, { pid: 7, user: 'web' }, AS_ROOT);
  expect(check.status).toBe(status);
  expect(check.found).toMatch(found);
  expect(check.remedy === null).toBe(status === 'ok');
});

test('accepts py-spy 0.4 and later', () => {
  const statusOf = (version: string | null) => judgePySpy({ path: '/usr/bin/py-spy', version }).status;
  expect(['0.4.0', '0.4.3', '1.0.0'].map(statusOf)).toEqual(['ok', 'ok', 'ok']);
  expect(['0.3.14', null].map(statusOf)).toEqual(['failed', 'failed']);
  expect(judgePySpy(null)).toMatchObject({ status: 'failed', remedy: expect.stringMatching(/--send-py-spy$/) });
});

test('reads what py-spy says of its samples', () => {
  const text = `py-spy> Sampling process 1000 times a second for 3 seconds. Press Control-C to exit.

py-spy> 1.10s behind in sampling, results may be inaccurate. Try reducing the sampling rate
py-spy> 2.23s behind in sampling, results may be inaccurate. Try reducing the sampling rate
py-spy> Wrote speedscope file to '/dev/fd/3'. Samples: 7668 Errors: 2
`;
  const report = readReport(text);
  expect(report).toEqual({ samples: 7668, errors: 2, secondsBehind: 2.23 });
  expect(missedSamples(report, 770, 3)).toBe(2230);
  expect(readReport('')).toEqual({ samples: null, errors: 0, secondsBehind: 0 });
  expect(missedSamples(readReport(''), 770, 3)).toBe(0);
});

test.each([
  ["Permission Denied: Try running again with elevated permissions by going 'sudo …'", 'refused'],
  ['Error: Failed to find python version from target process', 'not-python'],
  ['Error: Failed to get process executable name. Check that the process is running.', 'process-ended'],
  ['sh: 1: exec: /proc/self/fd/9: Permission denied', 'not-executable'],
  ['Error: the \u001b[1mmoon\n  is wrong', 'py-spy-failed'],
])('explains %j', (text, code) => {
  const failure = explainFailure(text, 7, 1);
  expect(failure.code).toBe(code);
  expect(failure.message).not.toMatch(/[\p{Cc}]/u);
});
