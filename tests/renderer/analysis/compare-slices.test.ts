import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { functionRef } from '#core/analyze/function-ref.ts';
import { buildDeltaTree } from '#core/compare/delta-tree.ts';
import { judgePaths } from '#core/compare/judge-paths.ts';
import type { CallNodeIndex, ValueTypeIndex } from '#core/model/brand.ts';
import { VERDICTS } from '#core/compare/frame-delta.ts';
import {
  carryPlace,
  carryRange,
  comparePath,
  compareSlice,
  compareTrees,
  pathStarts,
  type CompareTrees,
} from '../../../renderer/analysis/comparison/slices.ts';
import { captureOf, compareRaw } from '../../core/compare/captures.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { profileFromSketch, sketches } from '../../support/sketch-profile.ts';

const ROOT = 0 as CallNodeIndex;
const request = { root: ROOT, widthPx: 100, minWidthPx: 2, firstDepth: 0, depthCount: 20, maxFrames: 600 };
const WIDTHS = ['before', 'after', 'union'] as const;

async function treesOf(before: readonly string[], after: readonly string[]): Promise<CompareTrees> {
  const side = (texts: readonly string[]) => texts.map((text) => captureOf(profileFromText(text)));
  return treesOfSides(side(before), side(after));
}

async function treesOfSides(...sides: Parameters<typeof compareRaw>): Promise<CompareTrees> {
  const comparison = await compareRaw(...sides);
  const tree = buildDeltaTree(comparison);
  return compareTrees(comparison, tree, judgePaths(comparison, tree));
}

/** Returns the path whose last function has this name. */
function nodeOf({ tree, table }: CompareTrees, name: string): CallNodeIndex {
  return tree.func.findIndex((func) => func >= 0 && functionRef(table, func).name === name) as CallNodeIndex;
}

describe('a slice of a comparison', () => {
  test('has both sides’ weights for each row, in any width', async () => {
    const trees = await treesOf(['a;b 30\na;c 10'], ['a;b 20\na;d 30']);
    for (const width of WIDTHS) {
      const { slice, func, deltas } = compareSlice(trees, { ...request, width, shared: false });
      const rows = Array.from(slice.node, (node, row) => ({
        name: node < 1 ? '' : functionRef(trees.table, func[row]!).name,
        weights: [deltas.before[row], deltas.after[row], deltas.selfBefore[row], deltas.selfAfter[row]],
      })).filter(({ name }) => name !== '');
      const all = [
        { name: 'a', weights: [40, 50, 0, 0] },
        { name: 'b', weights: [30, 20, 30, 20] },
        { name: 'c', weights: [10, 0, 10, 0] },
        { name: 'd', weights: [0, 30, 0, 30] },
      ];
      const lacks = { before: 'd', after: 'c', union: '' }[width];
      expect(rows).toEqual(all.filter(({ name }) => name !== lacks));
    }
  });

  test('draws the smaller side proportionally narrower on a shared scale', async () => {
    const trees = await treesOf(['a;b 30\nc 10'], ['a;b 20\nc 30']);
    const before = compareSlice(trees, { ...request, width: 'before', shared: true });
    const after = compareSlice(trees, { ...request, width: 'after', shared: true });
    expect([before.rootTotal, before.rootScale]).toEqual([40, 50]);
    expect([after.rootTotal, after.rootScale]).toEqual([50, 50]);
    const zoomed = { ...request, root: nodeOf(trees, 'a'), shared: true };
    expect(compareSlice(trees, { ...zoomed, width: 'after' }).rootScale).toBe(30);
    expect(compareSlice(trees, { ...zoomed, width: 'after', shared: false }).rootScale).toBe(20);
  });

  test('decides by the shared scale what is too narrow', async () => {
    // 3 of 200 are 1.5 px of 100; 3 of 100 would be 3 px.
    const trees = await treesOf(['a 97\nb 3'], ['a 197\nb 3']);
    const narrow = compareSlice(trees, { ...request, width: 'before', shared: true });
    expect([...narrow.slice.node].includes(-1)).toBe(true);
    const alone = compareSlice(trees, { ...request, width: 'before', shared: false });
    expect([...alone.slice.node].includes(-1)).toBe(false);
  });

  test('sums both sides in fillers, without counting frames that their side lacks', async () => {
    const trees = await treesOf(['a 9000\nb;x 1\nc 2'], ['a 9000\nb 4\nd;y 1']);
    const { slice, deltas } = compareSlice(trees, { ...request, width: 'before', shared: true });
    const filler = slice.node.indexOf(-1);
    // b, b;x and c exist, d and d;y do not.
    expect([slice.fillerNodes[filler], slice.total[filler]]).toEqual([3, 3]);
    expect([deltas.before[filler], deltas.after[filler], deltas.selfAfter[filler]]).toEqual([3, 5, 0]);
  });

  test('has no filler if a side has none of the narrow frames', async () => {
    const trees = await treesOf(['a;b 9000\na;e 9000'], ['a;b 9000\na;c 1\na;d 2\na;e 9000']);
    const { slice, func } = compareSlice(trees, { ...request, width: 'before', shared: true });
    expect(Array.from(func, (of) => (of < 0 ? '' : functionRef(trees.table, of).name))).toEqual(['', 'a', 'b', 'e']);
    expect([...slice.parent]).toEqual([-1, 0, 1, 1]);
    expect([...slice.start]).toEqual([0, 0, 0, 9000]);
    expect([...compareSlice(trees, { ...request, width: 'after', shared: true }).slice.fillerNodes]).toEqual([
      0, 0, 0, 2, 0,
    ]);
  });

  test('has a row without width for a root that a side lacks', async () => {
    const trees = await treesOf(['a 10'], ['a 10\nnew;b 5']);
    const root = nodeOf(trees, 'new');
    const { slice, ...data } = compareSlice(trees, { ...request, root, width: 'before', shared: true });
    expect([slice.length, slice.node[0], slice.total[0]]).toEqual([1, root, 0]);
    expect([data.rootTotal, data.rootScale]).toEqual([0, 5]);
  });

  test('may extend beyond the root', async () => {
    const trees = await treesOf(['a 10'], ['a 30']);
    for (const [firstWeight, lastWeight] of [
      [5, 20],
      [15, 25],
    ]) {
      const part = { ...request, firstWeight: firstWeight!, lastWeight: lastWeight! };
      const { slice } = compareSlice(trees, { ...part, width: 'before', shared: true });
      expect(slice.node[0]).toBe(0);
      expect(slice.length).toBe(firstWeight === 5 ? 2 : 1);
    }
  });

  test('has the path’s verdict if it was tested', async () => {
    const line = (a: number, b: number) => `main;a ${a}\nmain;b ${b}`;
    const before = [line(1000, 500), line(1010, 505), line(990, 495)];
    const after = [line(1500, 500), line(1510, 505), line(1490, 495)];
    const trees = await treesOf(before, after);
    const { slice, deltas } = compareSlice(trees, { ...request, width: 'union', shared: false });
    const verdictOf = (name: string) => VERDICTS[deltas.verdict[slice.node.indexOf(nodeOf(trees, name))]!];
    expect(['main', 'a', 'b'].map(verdictOf)).toEqual(['grew', 'grew', 'noise']);
    expect(VERDICTS[deltas.verdict[0]!]).toBe('grew');
    const path = comparePath(trees, 'union', nodeOf(trees, 'a'));
    expect(path.map(({ delta }) => [delta.before, delta.after, VERDICTS[delta.verdict]])).toEqual([
      [1500, 2000, 'grew'],
      [1500, 2000, 'grew'],
      [1000, 1500, 'grew'],
    ]);
  });
});

test('places a missing path between its siblings', async () => {
  const trees = await treesOf(['a 10\nc 30'], ['a 20\nb;x 5\nc 5']);
  expect(pathStarts(trees, nodeOf(trees, 'x'))).toEqual({ before: 10, after: 20, union: 20 });
});

describe('a position mapped to another width', () => {
  test('is at the same fraction of the same frame', async () => {
    const trees = await treesOf(['a;b 10\nc 30'], ['a;b 20\nd 10\nc 10']);
    const carry = (place: number) => carryPlace(trees, { root: ROOT, place, from: 'before', to: 'after' });
    expect([0, 5, 10, 25, 40].map(carry)).toEqual([0, 10, 20, 25, 40]);
    const back = (place: number) => carryPlace(trees, { root: ROOT, place, from: 'after', to: 'before' });
    // Siblings are sorted by name: a, c, d. A missing one is where its neighbours meet.
    expect([0, 10, 25, 35].map(back)).toEqual([0, 5, 25, 40]);
  });

  test('keeps a range’s width and middle', async () => {
    const trees = await treesOf(['a;b 10\nc 30'], ['a;b 20\nd 10\nc 10']);
    const carry = (first: number, last: number) =>
      carryRange(trees, { root: ROOT, range: { first, last }, from: 'before', to: 'after' });
    expect(carry(4, 6)).toEqual({ first: 9, last: 11 });
    expect(carry(0, 2)).toEqual({ first: 1, last: 3 });
    expect(carry(0, 40)).toBeNull();
  });

  test('is monotonic, within the root, and unchanged in the same width, for any trees', async () => {
    const sketched = (samples: Parameters<typeof profileFromSketch>[0]) =>
      captureOf(profileFromSketch(samples), {}, 1 as ValueTypeIndex);
    await fc.assert(
      fc.asyncProperty(sketches, sketches, async (before, after) => {
        const trees = await treesOfSides([sketched(before)], [sketched(after)]);
        for (const [from, to] of [
          ['before', 'after'],
          ['after', 'union'],
          ['union', 'union'],
        ] as const) {
          const [total, totalThere] = [trees.width(from).tree.total[0]!, trees.width(to).tree.total[0]!];
          let last = 0;
          for (let step = 0; step <= 10; step++) {
            const place = (total * step) / 10;
            const there = carryPlace(trees, { root: ROOT, place, from, to });
            expect(there).toBeGreaterThanOrEqual(last - 1e-9 * totalThere);
            expect(there).toBeLessThanOrEqual(totalThere * (1 + 1e-9));
            if (from === to) expect(there).toBeCloseTo(place, 6);
            last = there;
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});
