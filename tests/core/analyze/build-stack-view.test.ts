import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ThreadIndex, ValueTypeIndex } from '#core/model/brand.ts';
import type { Selection } from '#core/analyze/view/stack-view.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { naiveFolded, sum, viewFolded, weightOf } from '../../support/naive-analysis.ts';
import {
  functionNamed,
  profileFromSketch,
  resolved,
  sketches,
  type SampleSketch,
} from '../../support/sketch-profile.ts';

const WEIGHT = 1 as ValueTypeIndex;
const byWeight: Selection = { valueType: WEIGHT, threads: null, timeRange: null };

type NaiveKind = 'focus' | 'hide' | 'merge' | 'collapse-recursion';

function viewOf(samples: readonly SampleSketch[], kinds: readonly [NaiveKind, string][] = []) {
  const profile = profileFromSketch(samples);
  return buildStackView(
    profile,
    byWeight,
    resolved(
      profile,
      kinds.map(([kind, name]) => ({ kind, func: functionNamed(profile, name) })),
    ),
  );
}

const stacks = (...lines: string[]): SampleSketch[] =>
  lines.map((line) => {
    const cut = line.lastIndexOf(' ');
    return { stack: line.slice(0, cut).split(';').filter(Boolean), weight: Number(line.slice(cut + 1)) };
  });

const folded = (...lines: string[]): Map<string, number> => naiveFolded(stacks(...lines));

describe('selection', () => {
  test('folds frames of one function into one row', () => {
    const view = viewOf([
      { stack: ['a', 'b'], weight: 1, line: 1 },
      { stack: ['a', 'b'], weight: 2, line: 2 },
    ]);
    expect(viewFolded(view)).toEqual(folded('a;b 3'));
    expect(view.length).toBe(2);
    expect(view.sampleCount).toBe(2);
  });

  test('leaves out other events for a value type of one event', () => {
    const profile = profileFromSketch([
      { stack: ['a'], weight: 5, event: 'cycles' },
      { stack: ['b'], weight: 7, event: 'faults' },
    ]);
    const view = buildStackView(profile, wholeProfile(profile, 3 as ValueTypeIndex));
    expect(viewFolded(view)).toEqual(folded('b 7'));
    expect(view.sampleCount).toBe(1);
  });

  test('refuses a value type that does not exist', () => {
    const profile = profileFromSketch(stacks('a 1'));
    expect(() => buildStackView(profile, wholeProfile(profile, 9 as ValueTypeIndex))).toThrow(RangeError);
  });

  test('treats a time range as half-open, and excludes and counts samples without a time', () => {
    const profile = profileFromSketch([
      { stack: ['a'], weight: 1, time: 10 },
      { stack: ['b'], weight: 2, time: 20 },
      { stack: ['c'], weight: 4, time: null },
      { stack: [], weight: 8, time: 15 },
    ]);
    const view = buildStackView(profile, { ...byWeight, timeRange: { start: 10, end: 20 } });
    expect(viewFolded(view)).toEqual(folded('a 1', ' 8'));
    expect(view).toMatchObject({ total: 9, withoutStack: 8, sampleCount: 2, withoutTime: 1 });
  });

  test('shows nothing for a time range of a profile without times, and says why', () => {
    const profile = profileFromSketch(stacks('a 1', 'b 1'));
    const view = buildStackView(profile, { ...byWeight, timeRange: { start: 0, end: 1e9 } });
    expect(view).toMatchObject({ length: 0, total: 0, withoutTime: 2 });
  });

  test('shows the stack of samples that cancel out', () => {
    const view = viewOf(stacks('a;b 3', 'a;b -3', 'a 1'));
    expect(view.length).toBe(2);
    expect(view.total).toBe(1);
  });

  test('selects threads and times like a filter over a list', () => {
    fc.assert(
      fc.property(sketches, fc.subarray([1, 2, 3]), fc.nat(100), fc.nat(100), (samples, tids, start, length) => {
        const profile = profileFromSketch(samples);
        const threads = [...profile.threads.tid.keys()].filter((row) => tids.includes(profile.threads.tid[row]!));
        const timeRange = { start, end: start + length };
        const view = buildStackView(profile, { valueType: WEIGHT, threads: threads as ThreadIndex[], timeRange });
        const expected = samples.filter(
          ({ tid, time }) =>
            tids.includes(tid!) && time !== undefined && time !== null && time >= start && time < start + length,
        );
        expect(viewFolded(view)).toEqual(naiveFolded(expected));
        expect(view.total).toBe(weightOf(expected));
        expect(view.sampleCount).toBe(expected.filter(({ weight }) => weight !== 0).length);
      }),
    );
  });
});

describe('transforms', () => {
  const samples = stacks('a;b;c 1', 'a;b 2', 'd;b;d 4', 'a 8', ' 16');

  test('re-root at the outermost occurrence with focus', () => {
    const view = viewOf(stacks('a;b;c;b;d 1', 'a 2'), [['focus', 'b']]);
    expect(viewFolded(view)).toEqual(folded('b;c;b;d 1'));
    expect(view.hidden).toBe(2);
  });

  test('leave out every stack that contains the function with hide', () => {
    const view = viewOf(samples, [['hide', 'b']]);
    expect(viewFolded(view)).toEqual(folded('a 8', ' 16'));
    expect(view.hidden).toBe(7);
  });

  test('give the self weight to the caller with merge, at the root to (no stack)', () => {
    expect(viewFolded(viewOf(samples, [['merge', 'b']]))).toEqual(folded('a;c 1', 'a 10', 'd;d 4', ' 16'));
    const view = viewOf(samples, [['merge', 'a']]);
    expect(viewFolded(view)).toEqual(folded('b;c 1', 'b 2', 'd;b;d 4', ' 24'));
    expect(view.withoutStack).toBe(24);
  });

  test('fold inner calls and the frames between into the outermost call with collapse-recursion', () => {
    const view = viewOf(stacks('m;f;g;f;h 1', 'm;f;f 2', 'm;f;g 4', 'g;f;g 8'), [['collapse-recursion', 'f']]);
    expect(viewFolded(view)).toEqual(folded('m;f;h 1', 'm;f 2', 'm;f;g 4', 'g;f;g 8'));
  });

  test('remove rows that only led to folded ones', () => {
    const view = viewOf(stacks('f;g;f;h 1'), [['collapse-recursion', 'f']]);
    expect(view.length).toBe(2);
  });

  test('depend on their order', () => {
    const mergedFirst = viewOf(samples, [
      ['merge', 'b'],
      ['focus', 'b'],
    ]);
    expect(mergedFirst).toMatchObject({ total: 0, hidden: 31 });
    const focusedFirst = viewOf(samples, [
      ['focus', 'b'],
      ['merge', 'b'],
    ]);
    expect(focusedFirst).toMatchObject({ total: 7, hidden: 24, withoutStack: 2 });
  });

  const oneTransform = fc.tuple(
    fc.constantFrom<NaiveKind>('focus', 'hide', 'merge', 'collapse-recursion'),
    fc.constantFrom('a', 'b', '__proto__'),
  );

  test('keep total + hidden equal to the whole, parents first, and every row on a sample’s stack', () => {
    fc.assert(
      fc.property(sketches, fc.array(oneTransform, { maxLength: 4 }), (generated, kinds) => {
        const all = [...generated, { stack: ['a', 'b', '__proto__'], weight: 1 }];
        const view = viewOf(all, kinds);
        expect(view.total + view.hidden).toBe(weightOf(all));
        expect(view.total).toBe(sum(view.self) + view.withoutStack);
        const leads = new Uint8Array(view.length);
        for (let row = view.length - 1; row >= 0; row--) {
          expect(view.parent[row]).toBeLessThan(row);
          if (view.self[row] !== 0) leads[row] = 1;
          expect(leads[row]).toBe(1);
          if (view.parent[row]! >= 0) leads[view.parent[row]!] = 1;
        }
      }),
    );
  });

  test('hide nothing with merge and collapse-recursion; focus and hide split the whole', () => {
    fc.assert(
      fc.property(sketches, (generated) => {
        const all = [...generated, { stack: ['a'], weight: 1 }];
        const whole = weightOf(all);
        expect(viewOf(all, [['merge', 'a']])).toMatchObject({ total: whole, hidden: 0 });
        expect(viewOf(all, [['collapse-recursion', 'a']])).toMatchObject({ total: whole, hidden: 0 });
        const focused = viewOf(all, [['focus', 'a']]);
        const without = viewOf(all, [['hide', 'a']]);
        expect(focused.total).toBe(without.hidden);
        expect(focused.total + without.total).toBe(whole);
      }),
    );
  });

  test('have the same effect on the view as on a list of stacks', () => {
    const naive: Record<NaiveKind, (stack: readonly string[], name: string) => readonly string[] | null> = {
      focus: (stack, name) => (stack.includes(name) ? stack.slice(stack.indexOf(name)) : null),
      hide: (stack, name) => (stack.includes(name) ? null : stack),
      merge: (stack, name) => stack.filter((frame) => frame !== name),
      'collapse-recursion': (stack, name) =>
        stack.includes(name)
          ? [...stack.slice(0, stack.indexOf(name)), ...stack.slice(stack.lastIndexOf(name))]
          : stack,
    };
    fc.assert(
      fc.property(sketches, fc.array(oneTransform, { maxLength: 3 }), (generated, kinds) => {
        const all = [...generated, { stack: ['a', 'b', '__proto__'], weight: 1 }];
        let expected: SampleSketch[] = all;
        for (const [kind, name] of kinds) {
          expected = expected.flatMap(({ stack, weight }) => {
            const moved = naive[kind](stack, name);
            return moved === null ? [] : [{ stack: moved, weight }];
          });
        }
        expect(viewFolded(viewOf(all, kinds))).toEqual(naiveFolded(expected));
      }),
    );
  });
});
