import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { functionLabel } from '#core/analyze/function-label.ts';
import { functionStats, functionStatsOfTree } from '#core/analyze/tables/function-stats.ts';
import { heaviestFirst } from '#core/analyze/tree/sibling-order.ts';
import { callersAndCallees, type NeighbourList } from '#core/analyze/tree/neighbours.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { naiveSelf, naiveTotal, sum, weightOf } from '../../support/naive-analysis.ts';
import { functionNamed, profileFromSketch, sketches, type SampleSketch } from '../../support/sketch-profile.ts';

function viewOf(samples: readonly SampleSketch[]) {
  const profile = profileFromSketch(samples);
  return buildStackView(profile, wholeProfile(profile, 1 as ValueTypeIndex));
}

describe('functionStats', () => {
  test('counts recursion once per stack', () => {
    const view = viewOf([
      { stack: ['f', 'g', 'f', 'f'], weight: 3 },
      { stack: ['f', 'g'], weight: 4 },
    ]);
    const stats = functionStats(view);
    expect([...stats.func].map((func) => functionLabel(view.profile, func))).toEqual(['f', 'g']);
    expect([...stats.self]).toEqual([3, 4]);
    expect([...stats.total]).toEqual([7, 7]);
  });

  test('equals a count over the list of samples', () => {
    fc.assert(
      fc.property(sketches, (samples) => {
        const view = viewOf(samples);
        const stats = functionStats(view);
        expect(sum(stats.self)).toBe(view.total - view.withoutStack);
        for (let row = 0; row < stats.length; row++) {
          const name = functionLabel(view.profile, stats.func[row]!);
          expect(stats.self[row]).toBe(naiveSelf(samples, name));
          expect(stats.total[row]).toBe(naiveTotal(samples, name));
        }
        const present = new Set(samples.filter(({ weight }) => weight !== 0).flatMap(({ stack }) => stack));
        expect(stats.length).toBe(present.size);
      }),
    );
  });

  test('equals the statistics of the call tree, whatever the order of its siblings', () => {
    fc.assert(
      fc.property(sketches, (samples) => {
        const view = viewOf(samples);
        const stats = functionStats(view);
        const tree = buildCallTree(view, 'top-down');
        const { length } = view.profile.functions;
        expect(functionStatsOfTree(length, tree)).toEqual(stats);
        expect(functionStatsOfTree(length, heaviestFirst(tree))).toEqual(stats);
      }),
    );
  });
});

describe('callersAndCallees', () => {
  const named = (profile: Profile, list: NeighbourList): [string, number][] =>
    Array.from(list.func, (func, row) => [func < 0 ? '(root)' : functionLabel(profile, func), list.weight[row]!]);

  test('weighs each stack once per caller and callee', () => {
    const view = viewOf([
      { stack: ['main', 'f', 'g', 'f', 'g'], weight: 1 },
      { stack: ['main', 'f', 'f'], weight: 2 },
      { stack: ['f', 'h'], weight: 4 },
    ]);
    const found = callersAndCallees(view, functionNamed(view.profile, 'f'));
    expect(found).toMatchObject({ self: 2, total: 7 });
    expect(named(view.profile, found.callers)).toEqual([
      ['(root)', 4],
      ['main', 3],
      ['f', 2],
      ['g', 1],
    ]);
    expect(named(view.profile, found.callees)).toEqual([
      ['h', 4],
      ['f', 2],
      ['g', 1],
    ]);
  });

  test('equals a count over the list of samples', () => {
    fc.assert(
      fc.property(sketches, (generated) => {
        const samples = [...generated, { stack: ['b', 'a'], weight: 1 }];
        const view = viewOf(samples);
        const found = callersAndCallees(view, functionNamed(view.profile, 'a'));
        expect(found.self).toBe(naiveSelf(samples, 'a'));
        expect(found.total).toBe(naiveTotal(samples, 'a'));
        const calls = (caller: string, callee: string): number =>
          weightOf(
            samples.filter(({ stack }) =>
              ['(root)', ...stack].some((name, place) => name === caller && stack[place] === callee),
            ),
          );
        for (const [caller, weight] of named(view.profile, found.callers)) expect(weight).toBe(calls(caller, 'a'));
        for (const [callee, weight] of named(view.profile, found.callees)) expect(weight).toBe(calls('a', callee));
      }),
    );
  });
});
