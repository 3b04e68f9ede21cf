import { describe, expect, it } from 'vitest';
import { visibleThreads } from '../../../renderer/profile/thread-picker.tsx';
import { movedRange } from '../../../renderer/profile/time-strip.tsx';
import { valueTypeText } from '../../../renderer/profile/toolbar.tsx';

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

describe('movedRange', () => {
  const whole = { start: 100, end: 200 };

  it('begins with the first tenth', () => {
    expect(movedRange(null, whole, 5, false)).toEqual({ start: 100, end: 110 });
  });

  it('moves and stays inside', () => {
    expect(movedRange({ start: 110, end: 120 }, whole, 5, false)).toEqual({ start: 115, end: 125 });
    expect(movedRange({ start: 185, end: 200 }, whole, 5, false)).toEqual({ start: 185, end: 200 });
    expect(movedRange({ start: 102, end: 120 }, whole, -5, false)).toEqual({ start: 100, end: 118 });
  });

  it('sizes at its end and never vanishes', () => {
    expect(movedRange({ start: 110, end: 120 }, whole, 5, true)).toEqual({ start: 110, end: 125 });
    expect(movedRange({ start: 110, end: 112 }, whole, -5, true)).toEqual({ start: 110, end: 111 });
  });
});

describe('valueTypeText', () => {
  it('names the unit only where types are called alike', () => {
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
