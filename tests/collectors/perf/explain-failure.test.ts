import { expect, test } from 'vitest';
import { cleanMessage } from '#collectors/message-log.ts';
import { explainPerfFailure } from '#collectors/perf/explain-failure.ts';

const refused = `Error:
Access to performance monitoring and observability operations is limited.
Consider adjusting /proc/sys/kernel/perf_event_paranoid setting to open
perf_event_paranoid setting is 2:
  -1: Allow use of (almost) all events by all users`;

test('names the version of a perf that lacks an option, and the one that has it', () => {
  const stderr = "  Error: unknown option `control'\n\n Usage: perf record [<options>] [<command>]\n";
  expect(explainPerfFailure(stderr, { code: 129, signal: null }, '5.4.0')).toEqual({
    code: 'perf-too-old',
    message: 'perf 5.4.0 has no option --control',
    remedy: 'install the perf of Linux 5.9 or later, or check which perf is first on the PATH',
  });
});

test.each([
  [refused, 'perf-refused'],
  [`You may not have permission to collect stats.`, 'perf-refused'],
  [`Couldn't create thread/CPU maps: No such process`, 'no-such-process'],
  [`WARNING: Ignored open failure for pid 14264`, 'no-such-process'],
  [`Failed to collect 'cpu-clock' for the './x' workload: No such file or directory`, 'command-not-found'],
  [`Failed to collect 'cpu-clock' for the './x' workload: Permission denied`, 'command-not-executable'],
  [`Error:\ncpu-clock: PMU Hardware or event type doesn't support branch stack sampling.`, 'no-lbr'],
  [`event syntax error: 'nosuch'\n                     \\___ parser error`, 'unknown-event'],
  [`Error:\nThe instructions event is not supported.`, 'unsupported-event'],
  [`Error:\nToo many events are opened.\nProbably the maximum number of open file descriptors`, 'too-many-files'],
  [`Permission error mapping pages.\nConsider increasing /proc/sys/kernel/perf_event_mlock_kb`, 'ring-too-large'],
  [`WARNING: perf not found for kernel 6.5.0-44\n  You may need to install linux-tools-6.5.0-44`, 'perf-missing'],
  [`error: Maximum frequency rate (100,000 Hz) exceeded.`, 'rate-too-high'],
])('explains %j as %s', (stderr, code) => {
  const failure = explainPerfFailure(stderr, { code: 255, signal: null });
  expect(failure.code).toBe(code);
  expect(failure.message).not.toContain('\n');
  expect(failure.remedy).toBeTruthy();
});

test('quotes unknown messages of perf, cleaned', () => {
  expect(explainPerfFailure('Error:\n\u001b[31mstrange\u0007 thing\u001b[0m\nmore', { code: 7, signal: null })).toEqual(
    {
      code: 'perf-failed',
      message: 'perf: strange thing (exit code 7)',
      remedy: null,
    },
  );
  expect(explainPerfFailure('', { code: null, signal: 'SIGSEGV' }).message).toBe(
    'perf ended without recording (killed by SIGSEGV)',
  );
});

test('contains nothing that controls a terminal', () => {
  expect(cleanMessage('\u001b[1;31mred\u001b[0m \u001b]0;title\u0007x\r\u202ey\u0000')).toBe('red ]0;title x y');
});
