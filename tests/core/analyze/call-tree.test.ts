import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bottomUpTree } from '#core/analyze/tree/bottom-up.ts';
import { buildCallTree } from '#core/analyze/tree/call-tree.ts';
import { functionLabel } from '#core/analyze/function-label.ts';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { functionRanks } from '#core/analyze/tree/function-ranks.ts';
import type { CallTree, StackView } from '#core/analyze/view/stack-view.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { ProfileBuilder } from '#core/model/profile-builder.ts';
import { NO_STACK } from '#core/model/brand.ts';
import { naiveFolded, sum, treeFolded, viewFolded } from '../../support/naive-analysis.ts';
import { profileFromSketch, sketches, type SampleSketch } from '../../support/sketch-profile.ts';

function viewOf(samples: readonly SampleSketch[]): StackView {
  const profile = profileFromSketch(samples);
  return buildStackView(profile, wholeProfile(profile, 1 as ValueTypeIndex));
}

/** Writes `name total self` per row, indented by depth. */
function draw(tree: CallTree, view: StackView): string[] {
  return Array.from({ length: tree.length }, (_, node) => {
    const name = functionLabel(view.profile, tree.func[node]!);
    return `${'  '.repeat(tree.depth[node]!)}${name} ${tree.total[node]} ${tree.self[node]}`;
  });
}

function checkTree(tree: CallTree, view: StackView): void {
  expect(tree.end[0]).toBe(tree.length);
  expect(tree.total[0]).toBe(view.total);
  expect(sum(tree.self)).toBe(view.total);
  const childTotals = new Float64Array(tree.length);
  for (let node = 1; node < tree.length; node++) {
    const parent = tree.parent[node]!;
    childTotals[parent]! += tree.total[node]!;
    expect(parent).toBeLessThan(node);
    expect(tree.depth[node]).toBe(tree.depth[parent]! + 1);
    expect(tree.end[node]).toBeGreaterThan(node);
    expect(tree.end[node]).toBeLessThanOrEqual(tree.end[parent]!);
    const next = tree.end[node]!;
    if (next < tree.end[parent]!) {
      expect(tree.parent[next]).toBe(parent);
      expect(functionLabel(view.profile, tree.func[node]!) < functionLabel(view.profile, tree.func[next]!)).toBe(true);
    }
  }
  for (let node = 0; node < tree.length; node++) expect(childTotals[node]! + tree.self[node]!).toBe(tree.total[node]);
}

describe('top-down', () => {
  test('is in pre-order, with siblings by name', () => {
    const view = viewOf([
      { stack: ['main', 'z'], weight: 1 },
      { stack: ['main', 'b', 'x'], weight: 2 },
      { stack: ['main', 'b'], weight: 4 },
      { stack: ['alpha'], weight: 8 },
      { stack: [], weight: 16 },
    ]);
    expect(draw(buildCallTree(view, 'top-down'), view)).toEqual([
      'all 31 16',
      '  alpha 8 8',
      '  main 7 0',
      '    b 6 4',
      '      x 2 2',
      '    z 1 1',
    ]);
  });

  test('orders siblings of the same name by module', () => {
    const builder = new ProfileBuilder();
    const thread = builder.thread(1, 1, 't');
    for (const module of ['libz.so', 'liba.so']) {
      const frame = builder.frame({ func: builder.function({ name: 'f', module }) });
      builder.sample({ stack: builder.stack(NO_STACK, frame), thread });
    }
    const profile = builder.finish([{ type: 'samples', unit: 'count', event: -1, column: -1 }], { format: 'test' });
    const tree = buildCallTree(buildStackView(profile), 'top-down');
    expect([...tree.func]).toEqual([-1, 1, 0]);
  });

  test('is only a root for an empty view', () => {
    const view = viewOf([]);
    for (const direction of ['top-down', 'bottom-up'] as const) {
      expect(draw(buildCallTree(view, direction), view)).toEqual(['all 0 0']);
      expect(buildCallTree(view, direction).end[0]).toBe(1);
    }
  });

  test('contains the stacks of the view, with weights that add up', () => {
    fc.assert(
      fc.property(sketches, (samples) => {
        const view = viewOf(samples);
        const tree = buildCallTree(view, 'top-down');
        checkTree(tree, view);
        expect(treeFolded(tree, view)).toEqual(viewFolded(view));
      }),
    );
  });
});

describe('bottom-up', () => {
  test('has the functions in which samples end at its first level', () => {
    const view = viewOf([
      { stack: ['main', 'f', 'g'], weight: 1 },
      { stack: ['h', 'f', 'g'], weight: 2 },
      { stack: ['f', 'g'], weight: 4 },
      { stack: ['main', 'f'], weight: 8 },
    ]);
    expect(draw(buildCallTree(view, 'bottom-up'), view)).toEqual([
      'all 15 0',
      '  f 8 0',
      '    main 8 8',
      '  g 7 0',
      '    f 7 4',
      '      h 2 2',
      '      main 1 1',
    ]);
  });

  test('contains the reversed stacks, with weights that add up; its first level is the self column', () => {
    fc.assert(
      fc.property(sketches, (samples) => {
        const view = viewOf(samples);
        const tree = buildCallTree(view, 'bottom-up');
        checkTree(tree, view);
        expect(tree.cutDepth).toBe(null);
        const reversed = samples.map((sample) => ({ ...sample, stack: sample.stack.toReversed() }));
        expect(treeFolded(tree, view)).toEqual(naiveFolded(reversed));
        const stats = functionStats(view);
        const selfOf = new Map(Array.from(stats.func, (func, row) => [func, stats.self[row]!]));
        for (let node = 1; node < tree.length; node = tree.end[node]!) {
          expect(tree.total[node]).toBe(selfOf.get(tree.func[node]!));
        }
      }),
    );
  });

  test('is cut at a depth beyond its row limit, says so, and keeps its total', () => {
    fc.assert(
      fc.property(sketches, fc.integer({ min: 1, max: 40 }), (samples, maxRows) => {
        const view = viewOf(samples);
        const whole = buildCallTree(view, 'bottom-up');
        const cut = bottomUpTree(view, functionRanks(view.profile, view.func).rank, maxRows);
        checkTree(cut, view);
        const limit = cut.cutDepth ?? Infinity;
        const kept = [...whole.depth.keys()].filter((node) => whole.depth[node]! <= limit);
        expect([...cut.func]).toEqual(kept.map((node) => whole.func[node]));
        expect([...cut.total]).toEqual(kept.map((node) => whole.total[node]));
        expect(cut.length < whole.length).toBe(cut.cutDepth !== null);
      }),
    );
  });

  test('splits many stacks with the same end by packed sorting as by insertion', () => {
    const samples = Array.from({ length: 400 }, (_, index) => ({
      stack: [`r${index % 7}`, `m${index % 50}`, 'leaf'],
      weight: index + 1,
    }));
    const view = viewOf(samples);
    const tree = buildCallTree(view, 'bottom-up');
    checkTree(tree, view);
    expect(treeFolded(tree, view)).toEqual(
      naiveFolded(samples.map((sample) => ({ ...sample, stack: sample.stack.toReversed() }))),
    );
  });
});

describe('large inputs', () => {
  test('handle a stack of 100,000 frames with recursion at every level', { timeout: 60_000 }, () => {
    const builder = new ProfileBuilder();
    const frames = ['f', 'g'].map((name) => builder.frame({ func: builder.function({ name }) }));
    const thread = builder.thread(1, 1, 't');
    let stack = NO_STACK;
    for (let depth = 0; depth < 100_000; depth++) {
      stack = builder.stack(stack, frames[depth % 2]!);
      builder.sample({ stack, thread });
    }
    const profile = builder.finish([{ type: 'samples', unit: 'count', event: -1, column: -1 }], { format: 'test' });
    const view = buildStackView(profile);
    const topDown = buildCallTree(view, 'top-down');
    expect(topDown.depth.at(-1)).toBe(100_000);
    expect(topDown.total[1]).toBe(100_000);
    const bottomUp = buildCallTree(view, 'bottom-up');
    expect(bottomUp.total[0]).toBe(100_000);
    expect(bottomUp.cutDepth).toBeGreaterThan(50);
    const stats = functionStats(view);
    expect([...stats.total]).toEqual([100_000, 99_999]);
    expect([...stats.self]).toEqual([50_000, 50_000]);
  });

  test('handle 1,000,000 call tree rows in linear time', { timeout: 60_000 }, () => {
    const builder = new ProfileBuilder();
    const frames = Array.from({ length: 100 }, (_, index) =>
      builder.frame({ func: builder.function({ name: `f${index}` }) }),
    );
    const thread = builder.thread(1, 1, 't');
    for (const first of frames) {
      const a = builder.stack(NO_STACK, first);
      for (const second of frames) {
        const b = builder.stack(a, second);
        for (const third of frames) builder.sample({ stack: builder.stack(b, third), thread });
      }
    }
    const profile = builder.finish([{ type: 'samples', unit: 'count', event: -1, column: -1 }], { format: 'test' });
    const view = buildStackView(profile);
    const tree = buildCallTree(view, 'top-down');
    expect(tree.length).toBe(1_010_101);
    expect(tree.total[0]).toBe(1_000_000);
    expect(buildCallTree(view, 'bottom-up').length).toBe(1_010_101);
    expect(sum(functionStats(view).self)).toBe(1_000_000);
  });
});
