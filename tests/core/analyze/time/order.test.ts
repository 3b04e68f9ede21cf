import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { functionLabel } from '#core/analyze/function-label.ts';
import { typicalInterval } from '#core/analyze/time/sample-widths.ts';
import { timeRangeAt, type TimeOrder } from '#core/analyze/time/order.ts';
import type { ThreadIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { sum, weightOf } from '../../../support/naive-analysis.ts';
import {
  functionNamed,
  profileFromSketch,
  type SampleSketch,
  type FunctionTransform,
} from '../../../support/sketch-profile.ts';
import { at, byWeight, orderOf, timed } from '../timed-samples.ts';

/** Writes `name start+total self` per row, indented by depth. */
function draw({ tree }: TimeOrder, profile: Profile): string[] {
  return Array.from({ length: tree.length }, (_, node) => {
    const name = functionLabel(profile, tree.func[node]!);
    return `${'  '.repeat(tree.depth[node]!)}${name} ${tree.start[node]}+${tree.total[node]} ${tree.self[node]}`;
  });
}

describe('by weight', () => {
  test('merges the common first frames of consecutive samples, in the order of time', () => {
    const profile = profileFromSketch([
      at(30, 'm;b', 4),
      at(10, 'm;a;x', 1),
      at(20, 'm;a', 2),
      at(40, 'm;a;x', 8),
      at(50, '', 16),
      at(60, 'm', 32),
      at(null, 'm', 64),
    ]);
    const order = orderOf(profile, { axis: 'weight' })!;
    expect(draw(order, profile)).toEqual([
      'all 0+127 80',
      '  m 0+15 0',
      '    a 0+3 2',
      '      x 0+1 1',
      '    b 3+4 4',
      '    a 7+8 0',
      '      x 7+8 8',
      '  m 31+32 32',
    ]);
    expect([...order.sample]).toEqual([1, 2, 0, 3, 4, 5]);
    expect([...order.sampleStart]).toEqual([0, 1, 3, 7, 15, 31]);
    expect(order).toMatchObject({ withoutTime: 1, withoutTimeWeight: 64, span: { start: 10, end: 61 } });
  });

  test('gives no width to samples that transforms hide', () => {
    const profile = profileFromSketch([at(1, 'm;a', 1), at(2, 'm;h', 2), at(3, 'm;a', 4)]);
    const hide: FunctionTransform = { kind: 'hide', func: functionNamed(profile, 'h') };
    const order = orderOf(profile, { axis: 'weight' }, byWeight, [hide])!;
    expect(draw(order, profile)).toEqual(['all 0+5 0', '  m 0+5 0', '    a 0+5 5']);
  });
});

describe('by time', () => {
  const options = { axis: 'time', intervalNs: 10 } as const;

  test('extends a sample to the next one, or by one interval if that is far away', () => {
    const profile = profileFromSketch([
      at(100, 'm;a'),
      at(110, 'm;b'),
      at(129, 'm;b'),
      at(200, 'm;b'),
      at(205, ''),
      at(212, 'm'),
    ]);
    const order = orderOf(profile, options)!;
    expect(order.span).toEqual({ start: 100, end: 222 });
    expect(draw(order, profile)).toEqual([
      'all 0+122 68',
      '  m 0+39 0',
      '    a 0+10 10',
      '    b 10+29 29',
      '  m 100+5 0',
      '    b 100+5 5',
      '  m 112+10 10',
    ]);
  });

  test('covers a range from end to end, and ends a sample at the next hidden one', () => {
    const profile = profileFromSketch([at(5, 'm;a'), at(12, 'm;a'), at(17, 'm;h'), at(22, 'm;a'), at(40, 'm;a')]);
    const hide: FunctionTransform = { kind: 'hide', func: functionNamed(profile, 'h') };
    const selection = { ...byWeight, timeRange: { start: 10, end: 25 } };
    const order = orderOf(profile, options, selection, [hide])!;
    expect(order.span).toEqual({ start: 10, end: 25 });
    expect(draw(order, profile)).toEqual(['all 0+15 7', '  m 2+5 0', '    a 2+5 5', '  m 12+3 0', '    a 12+3 3']);
  });

  test('shows one thread, or several merged', () => {
    const profile = profileFromSketch([at(0, 'm;a', 1, 1), at(4, 'm;b', 1, 2), at(10, 'm;a', 1, 1)]);
    expect(draw(orderOf(profile, options)!, profile)).toEqual([
      'all 0+20 0',
      '  m 0+20 0',
      '    a 0+4 4',
      '    b 4+6 6',
      '    a 10+10 10',
    ]);
    const one = orderOf(profile, options, { ...byWeight, threads: [0 as ThreadIndex] })!;
    expect(draw(one, profile)).toEqual(['all 0+20 0', '  m 0+20 0', '    a 0+20 20']);
  });

  test('uses the interval of a thread that keeps running', () => {
    const samples = [0, 10, 20, 31, 500, 510, 2000].flatMap((time) => [at(time, 'a', 1, 1), at(time + 3, 'a', 1, 2)]);
    const profile = profileFromSketch(samples);
    const everything = Int32Array.from(samples.keys());
    expect(typicalInterval(profile, everything)).toBe(10);
    const stated = { ...profile, metadata: { ...profile.metadata, rateHz: 1000 } };
    expect(typicalInterval(stated, everything)).toBe(1_000_000);
    expect(typicalInterval(profile, everything.subarray(0, 1))).toBe(1);
  });
});

test('is null if no sample has a time', () => {
  expect(orderOf(profileFromSketch([at(null, 'a')]), { axis: 'weight' })).toBe(null);
});

interface Block {
  readonly name: string;
  readonly start: number;
  total: number;
  self: number;
  readonly children: Block[];
}

/** Makes blocks by drawing one sample after the other. */
function naiveBlocks(places: readonly { stack: readonly string[] | null; start: number; end: number }[]): Block[] {
  const root: Block = { name: '', start: 0, total: 0, self: 0, children: [] };
  let path: Block[] = [root];
  let lastEnd = Number.NaN;
  for (const { stack, start, end } of places) {
    if (start !== lastEnd || stack === null) path = [root];
    lastEnd = end;
    if (stack === null) continue;
    let shared = 0;
    while (shared < stack.length && path[shared + 1]?.name === stack[shared]) shared += 1;
    path.length = shared + 1;
    for (const name of stack.slice(shared)) {
      const block: Block = { name, start, total: 0, self: 0, children: [] };
      path.at(-1)!.children.push(block);
      path.push(block);
    }
    for (const block of path) block.total += end - start;
    path.at(-1)!.self += end - start;
  }
  return root.children;
}

const drawBlocks = (blocks: readonly Block[], indent = '  '): string[] =>
  blocks.flatMap(({ name, start, total, self, children }) => [
    `${indent}${name} ${start}+${total} ${self}`,
    ...drawBlocks(children, `${indent}  `),
  ]);

const ordered = (samples: readonly SampleSketch[]) =>
  samples
    .filter(({ time }) => typeof time === 'number')
    .map((one) => ({ ...one, time: one.time! }))
    .toSorted((a, b) => a.time - b.time);

test('by weight, equals drawing sample after sample, for any samples', () => {
  fc.assert(
    fc.property(timed, fc.boolean(), (samples, hides) => {
      const all = [...samples, at(50, 'a;b', 7)];
      const profile = profileFromSketch(all);
      const hide: FunctionTransform[] = hides ? [{ kind: 'hide', func: functionNamed(profile, 'b') }] : [];
      const order = orderOf(profile, { axis: 'weight' }, byWeight, hide)!;
      const shown = all.filter(({ stack }) => !hides || !stack.includes('b'));
      let end = 0;
      const places = ordered(shown).map(({ stack, weight }) => {
        const start = end;
        end += weight;
        return { stack, start, end };
      });
      expect(draw(order, profile).slice(1)).toEqual(drawBlocks(naiveBlocks(places)));
      expect(order.tree.total[0]).toBe(weightOf(shown));
      expect(sum(order.tree.self)).toBe(weightOf(shown));
      const untimed = shown.filter(({ time }) => typeof time !== 'number');
      expect(order).toMatchObject({ withoutTime: untimed.length, withoutTimeWeight: weightOf(untimed) });
    }),
  );
});

test('by time, equals drawing sample after sample, for any samples', () => {
  fc.assert(
    fc.property(timed, fc.boolean(), fc.integer({ min: 1, max: 20 }), (samples, hides, intervalNs) => {
      const all = [...samples, at(50, 'a;b', 7)];
      const profile = profileFromSketch(all);
      const hide: FunctionTransform[] = hides ? [{ kind: 'hide', func: functionNamed(profile, 'b') }] : [];
      const order = orderOf(profile, { axis: 'time', intervalNs }, byWeight, hide)!;
      const list = ordered(all);
      const first = list[0]!.time;
      const places = list.map(({ stack, time }, place) => {
        const next = list[place + 1]?.time;
        const end = next !== undefined && next - time <= 2 * intervalNs ? next : time + intervalNs;
        const isHidden = hides && stack.includes('b');
        return { stack: isHidden || stack.length === 0 ? null : stack, start: time - first, end: end - first };
      });
      expect(draw(order, profile).slice(1)).toEqual(drawBlocks(naiveBlocks(places)));
      expect(order.tree.total[0]).toBe(list.at(-1)!.time - first + intervalNs);
      expect(sum(order.tree.self)).toBe(order.tree.total[0]);
    }),
  );
});

test('cuts a tree with too many rows at a depth and keeps its weights', () => {
  fc.assert(
    fc.property(timed, fc.integer({ min: 1, max: 30 }), (samples, maxRows) => {
      const profile = profileFromSketch([...samples, at(50, 'a;b', 7)]);
      const whole = orderOf(profile, { axis: 'weight' })!.tree;
      const cut = orderOf(profile, { axis: 'weight', maxRows })!.tree;
      const limit = cut.cutDepth ?? Infinity;
      const kept = [...whole.depth.keys()].filter((node) => whole.depth[node]! <= limit);
      expect([...cut.func]).toEqual(kept.map((node) => whole.func[node]));
      expect([...cut.total]).toEqual(kept.map((node) => whole.total[node]));
      expect([...cut.start]).toEqual(kept.map((node) => whole.start[node]));
      expect(sum(cut.self)).toBe(cut.total[0]);
      expect(cut.length < whole.length).toBe(cut.cutDepth !== null);
      expect(cut.length <= maxRows || cut.cutDepth === 1 || cut.cutDepth === null).toBe(true);
      for (let node = 0; node < cut.length; node++) {
        const stop = cut.end[node]!;
        expect(stop).toBeGreaterThan(node);
        if (stop < cut.length) expect(cut.depth[stop]).toBeLessThanOrEqual(cut.depth[node]!);
        for (let below = node + 1; below < stop; below++) expect(cut.depth[below]).toBeGreaterThan(cut.depth[node]!);
      }
    }),
  );
});

test('makes a node cover the samples of its time range', () => {
  fc.assert(
    fc.property(timed, fc.nat(), fc.constantFrom('time' as const, 'weight' as const), (samples, pick, axis) => {
      const distinct = new Map([...samples, at(50, 'a;b', 7)].map((sample) => [sample.time, sample]));
      const profile = profileFromSketch([...distinct.values()]);
      const order = orderOf(profile, { axis, intervalNs: 3 })!;
      const { start, total, depth, length } = order.tree;
      if (length === 1) return;
      const node = 1 + (pick % (length - 1));
      const timeRange = timeRangeAt(order, profile, start[node]!, start[node]! + total[node]!)!;
      const inside = [...distinct.values()].filter(
        ({ time }) => typeof time === 'number' && time >= timeRange.start && time < timeRange.end,
      );
      const within = orderOf(profile, { axis: 'weight' }, { ...byWeight, timeRange })!;
      expect(within.tree.total[0]).toBe(weightOf(inside));
      if (axis === 'weight') expect(within.tree.total[0]).toBe(total[node]);
      expect(inside.every(({ stack }) => stack.length >= depth[node]!)).toBe(true);
    }),
  );
});
