import { expect, test } from 'vitest';
import { ChangeJudge, judgedKey, type JudgedWindow } from '#core/live/baseline/change-judge.ts';
import { WindowSizes } from '#core/live/baseline/window-size.ts';
import { poisson, randomOf } from '../../compare/simulate.ts';
import { unevenShares } from './simulate.ts';

const FUNCTIONS = 20;
const RATE = 1000;
const PINNED = 30;

/** Watches a program for 90 s of which the load changes after 30 s, and returns what is ever coloured. */
function watch(load: number, grown: number, seed: number, shares = unevenShares(FUNCTIONS)) {
  const random = randomOf(seed);
  const second = (load: number, grown: number): JudgedWindow => {
    const counts = shares.map((share, func) => poisson(share * RATE * load * (func === 2 ? grown : 1), random));
    const weights = new Map(
      counts.flatMap((count, func) => (['total', 'self'] as const).map((of) => [judgedKey(func, of), count] as const)),
    );
    return { weights, total: counts.reduce((sum, count) => sum + count, 0) };
  };
  const baseline = Array.from({ length: PINNED }, () => second(1, 1));
  const sizes = new WindowSizes(baseline, 1);
  const judge = new ChangeJudge(
    baseline.map((window) => new WindowSizes(baseline, 1).divide(window)!),
    1,
  );
  const coloured = new Set<number>();
  for (let at = 0; at < 90; at++) {
    judge.add(sizes.divide(second(at < 30 ? 1 : load, at < 30 ? 1 : grown))!);
    for (const key of judge.changes().keys()) coloured.add(Math.floor(key / 2));
  }
  return { coloured: [...coloured], size: sizes.recent };
}

const SEEDS = Array.from({ length: 40 }, (_, seed) => seed);

test.each([0.5, 1.6, 4])('a load of ×%d alone colours nothing, and is shown as one number', (load) => {
  const watched = SEEDS.map((seed) => watch(load, 1, seed));
  // 5 % of the sessions plus two standard errors.
  expect(watched.filter(({ coloured }) => coloured.length > 0).length).toBeLessThanOrEqual(4);
  for (const { size } of watched) expect(size! / load).toBeCloseTo(1, 0);
});

test('a function that grows relative to the others is found while the load falls', () => {
  const watched = SEEDS.slice(0, 20).map((seed) => watch(0.5, 2, seed));
  expect(watched.filter(({ coloured }) => coloured.join() === '2').length).toBeGreaterThanOrEqual(18);
});

test('is unknown with fewer than eight functions, whose windows stay as they are', () => {
  const window: JudgedWindow = { weights: new Map([[judgedKey(0, 'self'), 100]]), total: 100 };
  const sizes = new WindowSizes([window], 1);
  expect(sizes.divide(window)).toBe(window);
  expect(sizes).toMatchObject({ isKnown: false, recent: null });
});
