import { expect, test } from 'vitest';
import { answerText } from '../../../../renderer/features/read-by-perf/read-by-perf-dialog.tsx';
import { canPerfResolve } from '../../../../renderer/state/read-by-perf/perf-sources.ts';

const answer = { samples: 1234, recorded: 1234, unresolved: 0.008, lost: 0 };

test('describes the result of reading with perf in one line', () => {
  expect(answerText(answer)).toBe('perf read 1,234 samples; 0.8 % of the weight has no symbol.');
  expect(answerText({ ...answer, recorded: null, samples: 1, unresolved: null })).toBe('perf read 1 sample.');
});

test('counts samples that perf omitted', () => {
  expect(answerText({ ...answer, recorded: 1300 })).toBe(
    'perf read 1,234 of 1,300 samples; 0.8 % of the weight has no symbol.',
  );
});

test('offers perf where it may resolve more', () => {
  expect(canPerfResolve('user-stack-not-unwound', 'perf-data')).toBe(true);
  expect(canPerfResolve('unresolved-frames', 'perf-data')).toBe(true);
  expect(canPerfResolve('unresolved-frames', 'jfr')).toBe(false);
  expect(canPerfResolve('skipped-line', 'perf-data')).toBe(false);
});
