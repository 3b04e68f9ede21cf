import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sortByTime } from '#core/analyze/time/sort.ts';

test('sorts by time stably', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 60 }), fc.nat(), (times, seed) => {
      const time = Float64Array.from(times);
      const samples = Int32Array.from(times.keys()).filter((one) => (one * 31 + seed) % 5 > 0);
      const before = samples.slice();
      expect([...sortByTime(samples, time)]).toEqual([...samples].toSorted((a, b) => time[a]! - time[b]! || a - b));
      expect(samples).toEqual(before);
    }),
  );
});
