import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import { functionRef } from '#core/analyze/function-ref.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import { buildDeltaTree, widthTree } from '#core/compare/delta-tree.ts';
import { isRelative } from '#core/compare/statistics/judge-by-size.ts';
import type { Judgement, Verdict } from '#core/compare/statistics/judge.ts';
import { COLUMN, type ComparedCapture } from '#core/compare/measure/measure-capture.ts';
import { topMovers } from '#core/compare/top-movers.ts';
import { allCorpusRows } from '../../support/corpus.ts';
import { readCorpusProfile } from '../../support/corpus-profile.ts';
import { sum } from '../../support/naive-analysis.ts';
import { corpus, needing } from '../../support/needing.ts';
import { captureOf, compareRaw } from './captures.ts';

vi.setConfig({ testTimeout: 120_000 });

/** Returns whether the numbers are sums of the same weights, added in another order. `scale` is the largest weight. */
const areEqualSums = (found: number, wanted: number, scale: number): boolean =>
  Math.abs(found - wanted) <= 1e-9 * Math.abs(scale);

/** Expects sums of the same weights, added in another order. `scale` is the largest weight. */
const expectEqualSums = (found: number, wanted: number, scale: number): void =>
  expect(areEqualSums(found, wanted, scale), `${found} = ${wanted}`).toBe(true);

const UNCHANGED: ReadonlySet<Verdict> = new Set(['noise', 'not-tested', 'not-decided']);

function expectAllZero(comparison: Comparison): void {
  const judgements = [...comparison.self, ...comparison.total, comparison.whole];
  // One expectation for all functions: thousands of them would take most of the time.
  expect(judgements.filter(({ delta, verdict }) => !Object.is(delta, 0) || !UNCHANGED.has(verdict))).toEqual([]);
  expect([...comparison.matched.onlyBefore, ...comparison.matched.onlyAfter]).toEqual([]);
  const tree = buildDeltaTree(comparison);
  expect(tree.before).toEqual(tree.after);
  expect(topMovers(comparison, tree, 10)).toEqual({ movers: [], more: 0, explained: [] });
}

const OPPOSITE: Readonly<Record<Verdict, Verdict>> = {
  grew: 'shrank',
  shrank: 'grew',
  suggestive: 'suggestive',
  noise: 'noise',
  unknown: 'unknown',
  'not-decided': 'not-decided',
  'not-tested': 'not-tested',
};

/** Returns the negated value, with 0 for −0. */
const negated = (value: number): number => (value === 0 ? 0 : -value);

/** Returns the judgement that the comparison of the swapped sides must contain, bit for bit. */
const swapped = ({ before, after, delta, interval, level, p, q, method, verdict }: Judgement) => ({
  before: after,
  after: before,
  delta: negated(delta),
  interval: interval === null ? null : [negated(interval[1]), negated(interval[0])],
  level,
  p,
  q,
  method,
  verdict: OPPOSITE[verdict],
});

const testedFields = ({ before, after, delta, interval, level, p, q, method, verdict }: Judgement) => ({
  before,
  after,
  delta,
  interval,
  level,
  p,
  q,
  method,
  verdict,
});

type Tested = Omit<ReturnType<typeof testedFields>, 'interval'> & { readonly interval: readonly number[] | null };

/** Returns whether a judgement is the wanted one, with values in another size. */
function isInSize(size: number, found: Tested, wanted: Tested): boolean {
  const values = ({ before, after, delta, interval }: Tested): number[] => [before, after, delta, ...(interval ?? [])];
  const scale = Math.max(...values(found).map(Math.abs));
  return (
    [found.level, found.method, found.verdict].every(
      (field, at) => field === [wanted.level, wanted.method, wanted.verdict][at],
    ) &&
    areEqualSums(found.p ?? 2, wanted.p ?? 2, 1) &&
    areEqualSums(found.q ?? 2, wanted.q ?? 2, 1) &&
    values(found).every((value, at) => areEqualSums(value, values(wanted)[at]! * size, scale))
  );
}

function expectNegated(forth: Comparison, back: Comparison): void {
  const keyOf = ({ matched }: Comparison, func: number): string => {
    const { name, module } = functionRef(matched.table, func);
    // A module that has two builds is named `before → after`.
    return [module, name.replace(/^\[(.* → .*)\]$/, '$1')].map((text) => text.split(' → ').sort().join()).join('\0');
  };
  // Relative values are in the size of before: the other side's, if swapped.
  const size = isRelative(forth.sizes) ? forth.sizes!.ratio! : 1;
  const isSwapped = (found: Tested, wanted: Tested): boolean =>
    size === 1 ? isDeepStrictEqual(found, wanted) : isInSize(size, found, wanted);
  const places = new Map(back.self.map((_, func) => [keyOf(back, func), func]));
  expect(places.size).toBe(forth.self.length);
  for (const column of ['self', 'total'] as const) {
    const pairs = forth[column].map((judgement, func) => ({
      found: testedFields(back[column][places.get(keyOf(forth, func))!]!),
      wanted: swapped(judgement),
    }));
    expect(pairs.filter(({ found, wanted }) => !isSwapped(found, wanted))).toEqual([]);
  }
  expect(isSwapped(testedFields(back.whole), swapped(forth.whole))).toBe(true);
}

function expectSums(comparison: Comparison): void {
  const tree = buildDeltaTree(comparison);
  const largest = Math.max(
    ...['before', 'after'].map((side) => Math.abs(comparison.whole[side as 'before' | 'after'])),
  );
  for (const side of ['before', 'after'] as const) {
    const whole = comparison.whole[side];
    expectEqualSums(tree[side].total[0]!, whole, largest);
    expectEqualSums(widthTree(tree, side).total[0]!, whole, largest);
    const captures = comparison[side].captures.map(({ whole: sums }, place) => {
      const { scale, exposure } = comparison[side].factors[place]!;
      return exposure === 0 ? 0 : (sums[COLUMN.weight]! * scale) / exposure;
    });
    expectEqualSums(sum(captures) / captures.length, whole, largest);
    const selfOfTree = new Float64Array(comparison.self.length);
    for (let row = 1; row < tree.length; row++) selfOfTree[tree.func[row]!]! += tree[side].self[row]!;
    const unequal = comparison.self.filter(
      (judgement, func) => !areEqualSums(selfOfTree[func]!, judgement[side], largest),
    );
    expect(unequal).toEqual([]);
  }
  const withoutStack = tree.after.self[0]! - tree.before.self[0]!;
  expectEqualSums(sum(comparison.self.map(({ delta }) => delta)) + withoutStack, comparison.whole.delta, largest);
}

needing(corpus, () => {
  const paths = allCorpusRows()
    .filter(({ format }) => format !== 'format')
    .map(({ path }) => path);
  // Compares each profile with itself and with the profile read before it, whatever program that is of.
  let previous: ComparedCapture | null = null;
  let read = 0;

  describe('every profile of the corpus', () => {
    test.each(paths)('%s: no change against itself, and swapped sides negate', async (path) => {
      const profile = await readCorpusProfile(path);
      if (profile === null) return;
      read += 1;
      // Without a host, all captures are replicates of each other.
      const capture = captureOf(profile, { host: null });
      expectAllZero(await compareRaw([capture], [capture]));
      if (previous !== null) {
        const forth = await compareRaw([previous], [capture], null);
        expectNegated(forth, await compareRaw([capture], [previous], null));
        expectSums(forth);
        const [runs, others] = [
          [previous, capture, previous],
          [capture, previous, capture, capture],
        ];
        const replicated = await compareRaw(runs, others, 'share');
        expect(replicated.design.isReplicated).toBe(true);
        expectNegated(replicated, await compareRaw(others, runs, 'share'));
        expectSums(replicated);
      }
      previous = capture;
    });

    test('was read', () => expect(read).toBeGreaterThan(70));
  });
});
