import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RoundQueue } from '#core/import/perf-data/order.ts';

/** Makes a queue and the list of what it released: the first byte of each record. */
function queue(maxHeldBytes?: number): { queue: RoundQueue; out: number[] } {
  const out: number[] = [];
  return { queue: new RoundQueue((bytes, _, start) => void out.push(bytes[start]!), maxHeldBytes), out };
}

describe('records in rounds', () => {
  it('are released one round late, in order of time, equal times as they arrived', () => {
    const { queue: rounds, out } = queue();
    const add = (time: number, value: number): void => rounds.add(time, Uint8Array.of(0, value, value), 1, 3, 0);
    add(5, 1);
    add(3, 2);
    add(3, 3);
    rounds.endRound();
    expect(out).toEqual([]);
    add(4, 4);
    add(9, 5);
    rounds.endRound();
    expect(out).toEqual([2, 3, 4, 1]);
    rounds.finish();
    expect([out, rounds.lateRecords]).toEqual([[2, 3, 4, 1, 5], 0]);
  });

  it('are counted if they arrive after later ones', () => {
    const { queue: rounds, out } = queue();
    const add = (time: number): void => rounds.add(time, Uint8Array.of(time), 0, 1, 0);
    for (const times of [[7], [9], [1]]) {
      times.forEach(add);
      rounds.endRound();
    }
    rounds.finish();
    expect([out, rounds.lateRecords]).toEqual([[7, 1, 9], 1]);
  });

  it('are released half at a time, without rounds, if too many are held', () => {
    const { queue: rounds, out } = queue(4);
    for (const time of [4, 1, 3, 2, 9]) rounds.add(time, Uint8Array.of(time), 0, 1, 0);
    expect(out).toEqual([1, 2, 3]);
    rounds.finish();
    expect(out).toEqual([1, 2, 3, 4, 9]);
  });

  it('are sorted, whatever their times', () => {
    const times = fc.array(fc.oneof(fc.nat(1000), fc.integer({ min: -(2 ** 53), max: 2 ** 53 })), { maxLength: 60 });
    fc.assert(
      fc.property(times, (all) => {
        const { queue: rounds, out } = queue();
        all.forEach((time, index) => rounds.add(time, Uint8Array.of(index), 0, 1, 0));
        rounds.finish();
        const sorted = all.map((time, index) => ({ time, index })).toSorted((a, b) => a.time - b.time);
        expect(out).toEqual(sorted.map(({ index }) => index));
      }),
    );
  });
});
