import { expect, test } from 'vitest';
import { checkProfile } from '#core/model/check-profile.ts';
import { joinEvents } from '#core/model/join-events.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import type { Profile } from '#core/model/profile.ts';
import { sampleWeights } from '#core/model/weights.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';

interface Row {
  readonly name: string;
  readonly tid: number;
  readonly thread: string;
  /** Nanoseconds after the origin. */
  readonly time: number;
}

function profileOf(type: string, timeOrigin: bigint | null, rows: readonly Row[]): Profile {
  const builder = new ProfileBuilder(1);
  for (const { name, tid, thread, time } of rows) {
    const stack = builder.stack(-1 as never, builder.frame({ func: builder.function({ name }) }));
    builder.sample({ stack, thread: builder.thread(7, tid, thread), time }, 10);
  }
  return builder.finish([{ type, unit: 'count', event: -1, column: 0 }], { format: 'folded', timeOrigin });
}

const own = profileOf('own', 5000n, [
  { name: 'js', tid: 7, thread: 'main', time: 0 },
  { name: 'js', tid: -1, thread: 'worker', time: 100 },
]);
const native = profileOf('native', 4000n, [
  { name: 'early', tid: 7, thread: 'node', time: 900 },
  { name: 'c', tid: 7, thread: 'node', time: 1050 },
  { name: 'c', tid: 9, thread: 'pool', time: 1100 },
]);

test('puts the times of both on one axis and counts one thread by its ID once', () => {
  const joined = joinEvents(
    [
      { event: 'a', profile: own },
      { event: 'b', profile: native, within: { from: 1000, to: 1100 } },
    ],
    { format: 'folded' },
  );
  checkProfile(joined);
  const { samples, threads, strings, metadata } = joined;
  expect(metadata.timeOrigin).toBe(4000n);
  expect([...samples.time!]).toEqual([1000, 1100, 1050, 1100]);
  expect([...threads.tid]).toEqual([7, -1, 9]);
  expect([...threads.name].map((row) => strings[row])).toEqual(['main', 'worker', 'pool']);
  expect([...samples.thread]).toEqual([0, 1, 0, 2]);
  expect(joined.valueTypes.map(({ type }) => type)).toEqual(['own', 'native']);
  expect([...sampleWeights(joined, 0 as ValueTypeIndex)]).toEqual([10, 10, 0, 0]);
  expect([...sampleWeights(joined, 1 as ValueTypeIndex)]).toEqual([0, 0, 10, 10]);
});

test('a profile of several events keeps them', () => {
  const two = joinEvents(
    [
      { event: 'a', profile: own },
      { event: 'b', profile: native },
    ],
    { format: 'folded' },
  );
  const third = profileOf('more', 5000n, [{ name: 'x', tid: 7, thread: 'main', time: 5 }]);
  const joined = joinEvents(
    [
      { event: 'both', profile: two },
      { event: 'c', profile: third },
    ],
    { format: 'folded' },
  );
  checkProfile(joined);
  expect(joined.valueTypes.map(({ type, event }) => `${joined.events[event]} ${type}`)).toEqual([
    'a own',
    'b native',
    'c more',
  ]);
  expect([...sampleWeights(joined, 1 as ValueTypeIndex)]).toEqual([0, 0, 10, 10, 10, 0]);
});

test('joins profiles without times', () => {
  const untimed = { ...own, samples: { ...own.samples, time: null }, metadata: { ...own.metadata, timeOrigin: null } };
  const joined = joinEvents([{ event: 'a', profile: untimed }], { format: 'folded' });
  expect(joined.samples.time).toBeNull();
  expect(joined.metadata.timeOrigin).toBeNull();
});
