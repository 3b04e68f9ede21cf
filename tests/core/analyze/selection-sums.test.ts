import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { sumOfFunctions, sumOfNodes } from '#core/analyze/tables/selection-sums.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { sum, weightOf } from '../../support/naive-analysis.ts';
import { functionNamed, profileFromSketch, sketches, type SampleSketch } from '../../support/sketch-profile.ts';

function viewOf(samples: readonly SampleSketch[]) {
  const profile = profileFromSketch(samples);
  return buildStackView(profile, wholeProfile(profile, 1 as ValueTypeIndex));
}

describe('sumOfFunctions', () => {
  test('counts a stack with several of the functions once', () => {
    const view = viewOf([
      { stack: ['a', 'b', 'a'], weight: 1 },
      { stack: ['a', 'c'], weight: 2 },
      { stack: ['c', 'b'], weight: 4 },
      { stack: ['c'], weight: 8 },
      { stack: [], weight: 16 },
    ]);
    const chosen = ['a', 'b'].map((name) => functionNamed(view.profile, name));
    expect(sumOfFunctions(view, chosen)).toEqual({ self: 5, total: 7 });
    expect(sumOfFunctions(view, [])).toEqual({ self: 0, total: 0 });
  });

  test('equals a count over the list of samples', () => {
    fc.assert(
      fc.property(sketches, fc.subarray(['a', 'b', 'c', '__proto__']), (generated, names) => {
        const samples = [...generated, { stack: ['a', 'b', 'c', '__proto__'], weight: 1 }];
        const view = viewOf(samples);
        const found = sumOfFunctions(
          view,
          names.map((name) => functionNamed(view.profile, name)),
        );
        expect(found.self).toBe(weightOf(samples.filter(({ stack }) => names.includes(stack.at(-1)!))));
        expect(found.total).toBe(weightOf(samples.filter(({ stack }) => stack.some((name) => names.includes(name)))));
      }),
    );
  });
});

describe('sumOfNodes', () => {
  test.each(['top-down', 'bottom-up'] as const)('%s: nodes below another selected node add nothing', (direction) => {
    fc.assert(
      fc.property(sketches, fc.array(fc.nat(), { maxLength: 6 }), (samples, picks) => {
        const tree = buildCallTree(viewOf(samples), direction);
        const nodes = picks.map((pick) => pick % tree.length);
        const isBelow = (node: number): boolean => {
          for (let at = tree.parent[node]!; at >= 0; at = tree.parent[at]!) if (nodes.includes(at)) return true;
          return false;
        };
        const distinct = [...new Set(nodes)];
        expect(sumOfNodes(tree, nodes)).toEqual({
          self: sum(distinct.map((node) => tree.self[node]!)),
          total: sum(distinct.filter((node) => !isBelow(node)).map((node) => tree.total[node]!)),
        });
      }),
    );
  });
});
