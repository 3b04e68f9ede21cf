import fc from 'fast-check';
import { expect, test } from 'vitest';
import { functionLabel } from '#core/analyze/function-label.ts';
import type { TimeOrder } from '#core/analyze/time/order.ts';
import type { Profile } from '#core/model/profile.ts';
import { profileFromSketch, type SampleSketch } from '../../../support/sketch-profile.ts';
import { at, orderOf, timed } from '../timed-samples.ts';

/** Writes `a;b 3 2` (path, start, length) for each stretch drawn without a break for one stack, from left to right. */
function stretches({ tree }: TimeOrder, profile: Profile): string[] {
  const rows: [number, string][] = [];
  const paths: string[] = [];
  for (let node = 1; node < tree.length; node++) {
    const above = tree.parent[node] === 0 ? '' : `${paths[tree.parent[node]!]};`;
    paths[node] = above + functionLabel(profile, tree.func[node]!);
    if (tree.self[node]! > 0) rows.push([tree.start[node]!, `${paths[node]} ${tree.start[node]} ${tree.self[node]}`]);
  }
  return rows.toSorted((a, b) => a[0] - b[0]).map(([, text]) => text);
}

test('merges alternating stacks within a bucket', () => {
  const samples = Array.from({ length: 12 }, (_, index) => at(index * 10, index % 2 === 0 ? 'm;b' : 'm;a;x'));
  const profile = profileFromSketch(samples);
  const near = orderOf(profile, { axis: 'time', intervalNs: 10 })!;
  expect(stretches(near, profile)).toHaveLength(12);
  const far = orderOf(profile, { axis: 'time', intervalNs: 10, buckets: 2 })!;
  expect(stretches(far, profile)).toEqual(['m;a;x 0 30', 'm;b 30 30', 'm;a;x 60 30', 'm;b 90 30']);
  expect(far.tree.total[1]).toBe(120);
  expect(far.sampleStart).toEqual(near.sampleStart);
});

test('moves gaps to the end of a bucket', () => {
  const profile = profileFromSketch([at(0, 'b'), at(40, 'a'), at(50, 'a'), at(55, ''), at(100, 'a'), at(110, 'a')]);
  const order = orderOf(profile, { axis: 'time', intervalNs: 10, buckets: 2 })!;
  expect(order.span).toEqual({ start: 0, end: 120 });
  expect(stretches(order, profile)).toEqual(['a 0 15', 'b 15 10', 'a 100 20']);
});

test('keeps a bucket with a gap apart from the next one', () => {
  const profile = profileFromSketch([0, 35, 45, 55, 65, 75, 80].map((time) => at(time, 'm')));
  const near = orderOf(profile, { axis: 'time', intervalNs: 10 })!;
  expect(stretches(near, profile)).toEqual(['m 0 10', 'm 35 55']);
  const far = orderOf(profile, { axis: 'time', intervalNs: 10, buckets: 2 })!;
  expect(stretches(far, profile)).toEqual(['m 0 20', 'm 45 45']);
});

/** Compares stacks frame by frame. A stack precedes those that begin with it. */
function compareStacks(a: readonly string[], b: readonly string[]): number {
  for (let depth = 0; depth < Math.min(a.length, b.length); depth++) {
    if (a[depth] !== b[depth]) return a[depth]! < b[depth]! ? -1 : 1;
  }
  return a.length - b.length;
}

test('holds the samples of each bucket, ordered by stack', () => {
  fc.assert(
    fc.property(timed, fc.integer({ min: 1, max: 12 }), (generated, buckets) => {
      const samples: SampleSketch[] = [...generated, at(50, 'a;b', 7)].filter(({ stack }) => stack.length > 0);
      const profile = profileFromSketch(samples);
      const order = orderOf(profile, { axis: 'weight', buckets })!;
      const length = order.tree.total[0]!;
      let end = 0;
      const places = samples
        .filter(({ time }) => typeof time === 'number')
        .toSorted((a, b) => a.time! - b.time!)
        .map(({ stack, weight }) => {
          const start = end;
          end += weight;
          return { stack, weight, bucket: Math.floor((start * buckets) / length) };
        })
        .toSorted((a, b) => a.bucket - b.bucket || compareStacks(a.stack, b.stack));
      // The same samples in this order do not need buckets.
      const expected = profileFromSketch(places.map(({ stack, weight }, time) => ({ stack, weight, time })));
      const untimed = samples.filter(({ time }) => typeof time !== 'number');
      const plain = orderOf(expected, { axis: 'weight' })!;
      expect(stretches(order, profile)).toEqual(stretches(plain, expected));
      expect(order.withoutTime).toBe(untimed.length);
    }),
  );
});
