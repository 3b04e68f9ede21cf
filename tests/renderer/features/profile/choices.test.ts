import { describe, expect, it } from 'vitest';
import { visibleThreads } from '../../../../renderer/features/profile/thread-picker.tsx';
import { valueTypeText } from '../../../../renderer/state/value-type-text.ts';

describe('visibleThreads', () => {
  const threads = [
    { pid: 10, tid: 10, name: 'main', samples: 1 },
    { pid: 10, tid: 11, name: 'Worker', samples: 5 },
    { pid: 20, tid: 20, name: 'other', samples: 5 },
  ];

  it('offers all threads first, then the heaviest', () => {
    expect(visibleThreads(threads, ' ')).toEqual([-1, 1, 2, 0]);
  });

  it('finds by name, PID or TID', () => {
    expect(visibleThreads(threads, 'work')).toEqual([1]);
    expect(visibleThreads(threads, '10')).toEqual([1, 0]);
    expect(visibleThreads(threads, '11')).toEqual([1]);
    expect(visibleThreads(threads, 'none')).toEqual([]);
  });
});

describe('valueTypeText', () => {
  it('names the unit only if types share a name', () => {
    const valueTypes = [
      { type: 'cpu-clock', unit: 'nanoseconds' },
      { type: 'cpu-clock', unit: 'count' },
      { type: 'faults', unit: 'count' },
    ];
    expect(valueTypes.map((_, index) => valueTypeText(valueTypes, index))).toEqual([
      'cpu-clock, ns',
      'cpu-clock, count',
      'faults',
    ]);
  });
});
