import { describe, expect, test } from 'vitest';
import { functionRef } from '#core/analyze/function-ref.ts';
import { buildDeltaTree } from '#core/compare/delta-tree.ts';
import type { ComparedCapture } from '#core/compare/measure/measure-capture.ts';
import { topMovers } from '#core/compare/top-movers.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { profileFromSketch, type SampleSketch } from '../../support/sketch-profile.ts';
import { captureOf, compareRaw } from './captures.ts';

/** Number of samples by path; paths are root first, `a;b`. */
type Counts = Readonly<Record<string, number>>;

function capture(counts: Counts, valueType = 0): ComparedCapture {
  const samples = Object.entries(counts).flatMap(([path, count]): SampleSketch[] =>
    Array.from({ length: count }, () => ({ stack: path.split(';'), weight: 64 })),
  );
  return captureOf(profileFromSketch(samples), {}, valueType as ValueTypeIndex);
}

async function moversOf(before: readonly ComparedCapture[], after: readonly ComparedCapture[], most = 10) {
  const comparison = await compareRaw(before, after);
  const { movers, more, explained } = topMovers(comparison, buildDeltaTree(comparison), most);
  const nameOf = (func: number): string => functionRef(comparison.matched.table, func).name;
  return {
    movers: movers.map(({ func, column, judgement }) => `${nameOf(func)} ${column} ${judgement.verdict}`),
    more,
    explained: explained.map(nameOf).sort(),
  };
}

/** Makes five captures that differ a little. */
const five = (of: (run: number) => Counts): ComparedCapture[] => [0, 1, 2, 3, 4].map((run) => capture(of(run)));

/** 30 functions under render, none with enough samples to stand out from the others. */
const parts = (run: number, samples: number): Counts =>
  Object.fromEntries(
    Array.from({ length: 30 }, (_, part) => [`main;page;render;part${part}`, samples + ((run + part) % 3)]),
  );

describe('top movers', () => {
  test('are the functions that changed, without their callers', async () => {
    const side = (slow: number, fast: number) =>
      five((run) => ({
        'main;serve;slow': slow + run,
        'main;serve;fast': fast + run,
        'main;serve': 50,
        main: 20 + run,
      }));
    expect(await moversOf(side(100, 400), side(200, 300))).toEqual({
      movers: ['fast self shrank', 'slow self grew'],
      more: 0,
      explained: [],
    });
    expect(await moversOf(side(100, 400), side(300, 400))).toEqual({
      movers: ['slow self grew'],
      more: 0,
      explained: ['main', 'serve'],
    });
  });

  test('include the innermost function above many small changes, none of them clear', async () => {
    const side = (samples: number) => five((run) => ({ 'main;other': 300 + run, ...parts(run, samples) }));
    expect(await moversOf(side(4), side(6))).toEqual({
      movers: ['render total grew'],
      more: 0,
      explained: ['main', 'page'],
    });
  });

  test('include both if a change of one function hides small changes of many', async () => {
    const side = (slow: number, samples: number) =>
      five((run) => ({ 'main;slow': slow + run, ...parts(run, samples) }));
    const { movers, explained } = await moversOf(side(300, 4), side(500, 6));
    expect(movers).toEqual(['slow self grew', 'render total grew']);
    expect(explained).toEqual(['main', 'page']);
  });

  test('are limited to the requested number, and the others are counted', async () => {
    const side = (samples: number) => five((run) => ({ a: 2 * samples + run, b: samples + run, c: 3 * samples + run }));
    expect(await moversOf(side(100), side(300), 2)).toEqual({
      movers: ['c self grew', 'a self grew'],
      more: 1,
      explained: [],
    });
  });

  test('have the captures’ certainty: maybe for one a side, unknown for bytes', async () => {
    const [before, after] = [
      { 'main;a': 100, 'main;b': 100 },
      { 'main;a': 300, 'main;b': 100 },
    ] as const;
    expect((await moversOf([capture(before)], [capture(after)])).movers).toEqual(['a self suggestive']);
    expect((await moversOf([capture(before, 1)], [capture(after, 1)])).movers).toEqual(['a self unknown']);
    expect((await moversOf([capture(before)], [capture(before)])).movers).toEqual([]);
  });

  test('are the same with swapped sides', async () => {
    const sides = [
      five((run) => ({ 'main;a': 100 + run, 'main;b': 100 })),
      five(() => ({ 'main;b': 220, 'main;c': 80 })),
    ];
    const opposite = (line: string): string =>
      line.replace(/grew|shrank/, (verdict) => (verdict === 'grew' ? 'shrank' : 'grew'));
    const forth = await moversOf(sides[0]!, sides[1]!);
    const back = await moversOf(sides[1]!, sides[0]!);
    expect(forth.movers).toHaveLength(3);
    expect(back.movers.map(opposite)).toEqual(forth.movers);
  });
});
