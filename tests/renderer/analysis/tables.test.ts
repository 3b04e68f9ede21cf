import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import type { RowOrder } from '#core/analyze/tree/sorted-children.ts';
import { sumOfFunctions, sumOfNodes } from '#core/analyze/tables/selection-sums.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { FunctionIndex, ValueTypeIndex } from '#core/model/brand.ts';
import { createTables, type TableSubject } from '../../../renderer/analysis/profile/tables.ts';
import { textRanks } from '../../../renderer/analysis/session.ts';
import { arbitraryProfile } from '../../support/arbitrary-profile.ts';
import { functionNamed, profileFromSketch, sketches, type SampleSketch } from '../../support/sketch-profile.ts';

const HEAVIEST: RowOrder = { by: 'total', descending: true };
const newTables = () => createTables();

function subjectOf(samples: readonly SampleSketch[], id = 1): TableSubject {
  const profile = profileFromSketch(samples);
  const view = buildStackView(profile, wholeProfile(profile, 1 as ValueTypeIndex));
  return {
    id,
    view,
    tree: buildCallTree(view, 'top-down'),
    profile,
    transforms: [],
    resolved: { base: profile.functions, strings: profile.strings, functions: profile.functions, steps: [], found: [] },
  };
}

describe('tables of a view', () => {
  test('keep open rows only in the next tree of the same view', () => {
    const tables = newTables();
    const before = subjectOf([{ stack: ['a', 'b', 'c'], weight: 1 }]);
    tables.step(before, { step: { kind: 'hot-path', node: 0 }, order: HEAVIEST });
    const after = subjectOf([
      { stack: ['a', 'b', 'c'], weight: 1 },
      { stack: ['d', 'e'], weight: 5 },
    ]);
    tables.follow(after);
    expect(tables.rows(after, { first: 0, count: 9, order: HEAVIEST }).rowCount).toBe(5);
    const other = { ...after, id: 2 };
    tables.follow(other);
    expect(tables.rows(other, { first: 0, count: 9, order: HEAVIEST }).rowCount).toBe(3);
    tables.close(1);
    expect(tables.rows(after, { first: 0, count: 9, order: HEAVIEST }).rowCount).toBe(3);
  });

  test('have sums, callers and callees that add up to the root', () => {
    fc.assert(
      fc.property(sketches, (generated) => {
        const tables = newTables();
        const subject = subjectOf([...generated, { stack: ['a', 'b'], weight: 3 }]);
        const { view, tree } = subject;
        const stats = functionStats(view);
        const everything = sumOfFunctions(view, stats.func);
        expect(everything.self + view.withoutStack).toBe(view.total);
        expect(everything.total + view.withoutStack).toBe(view.total);
        expect(
          sumOfNodes(
            tree,
            Int32Array.from({ length: tree.length }, (_, node) => node),
          ),
        ).toEqual({
          self: view.total,
          total: view.total,
        });
        const func = functionNamed(subject.profile, 'a');
        const edges = tables.edges(subject, { func });
        expect(edges.total).toBe(stats.total[stats.func.indexOf(func)]);
        const isRecursive =
          edges.callers.func.includes(func) || tree.func.some((at, node) => at === func && hasAbove(subject, node));
        if (!isRecursive) {
          const sum = (weights: Float64Array) => weights.reduce((total, weight) => total + weight, 0);
          expect(sum(edges.callers.weight)).toBe(edges.total);
          expect(sum(edges.callees.weight) + edges.self).toBe(edges.total);
        }
      }),
    );
  });

  test('have sample counts in the order of the function table', () => {
    fc.assert(
      fc.property(sketches, (samples) => {
        const subject = subjectOf(samples);
        const stats = functionStats(subject.view);
        const counts = newTables().sampleCounts(subject);
        expect(counts.self.length).toBe(stats.length);
        expect(counts.self.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(subject.view.sampleCount);
      }),
    );
  });

  test('name the view in an export', () => {
    const lines = newTables().describe(subjectOf([{ stack: ['a'], weight: 2 }]), { captureName: 'nginx' });
    expect(lines.join('\n')).toContain('value type: (weight, bytes)');
    expect(lines.join('\n')).toContain('total: (2 bytes in 1 sample)');
  });
});

function hasAbove({ tree }: TableSubject, node: number): boolean {
  for (let at = tree.parent[node]!; at > 0; at = tree.parent[at]!) if (tree.func[at] === tree.func[node]) return true;
  return false;
}

describe('textRanks', () => {
  test.each(['name', 'module', 'source'] as const)('%s: ranks sort as the texts do', (by) => {
    fc.assert(
      fc.property(arbitraryProfile, (profile) => {
        const ranks = textRanks(profile, by);
        const { functions, strings } = profile;
        const text = (func: number) => strings[(by === 'source' ? functions.file : functions[by])[func]!]!;
        const compare = (a: number, b: number): number => {
          if (text(a) !== text(b)) return text(a) < text(b) ? -1 : 1;
          return by === 'source' ? Math.sign(functions.line[a]! - functions.line[b]!) : 0;
        };
        for (let a = 0 as FunctionIndex; a < functions.length; a++)
          for (let b = 0; b < functions.length; b++) expect(Math.sign(ranks[a]! - ranks[b]!)).toBe(compare(a, b));
      }),
      { numRuns: 30 },
    );
  });
});
