import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '#core/model/diagnostics.ts';
import type { ProfileMetadata } from '#core/model/profile.ts';
import { fileMoments, groupMoments } from '../../../../renderer/features/time/file-moments.ts';

const diagnostic = (code: string, moments: Diagnostic['moments']): Diagnostic => ({
  code,
  severity: 'info',
  message: code,
  count: 1,
  first: null,
  remedy: null,
  ...(moments === undefined ? {} : { moments }),
});
const metadata = (timeOrigin: bigint | null) => ({ timeOrigin }) as ProfileMetadata;
const diagnostics = [
  diagnostic('other-record', [{ clock: '9007199254740995', text: 'FORK' }]),
  diagnostic('lost-samples', [{ clock: '9007199254740994', text: 'LOST lost 8' }]),
  diagnostic('skipped-line', undefined),
];

describe('fileMoments', () => {
  test('are exact in the profile’s own time, in order', () => {
    expect(fileMoments({ metadata: metadata(9_007_199_254_740_993n), diagnostics })).toEqual([
      { time: 1, text: 'LOST lost 8', isLoss: true },
      { time: 2, text: 'FORK', isLoss: false },
    ]);
  });

  test('are empty without a clock to relate them to', () => {
    expect(fileMoments({ metadata: metadata(null), diagnostics })).toEqual([]);
  });
});

test('groups events that are close together, as a loss if any is', () => {
  const at = (time: number, isLoss = false) => ({ time, text: String(time), isLoss });
  const groups = groupMoments([at(0), at(4, true), at(9), at(10), at(30)], 10);
  expect(groups.map(({ time, more, isLoss }) => [time, more, isLoss])).toEqual([
    [0, 2, true],
    [10, 0, false],
    [30, 0, false],
  ]);
});
