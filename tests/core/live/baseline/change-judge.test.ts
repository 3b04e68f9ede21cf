import { describe, expect, test } from 'vitest';
import { ChangeJudge, judgedKey, type JudgedWindow } from '#core/live/baseline/change-judge.ts';
import { evenShares, simulateLive, unevenShares, type SteadyLoad } from './simulate.ts';

const LOAD: SteadyLoad = {
  shares: unevenShares(100),
  samplesPerSecond: 2000,
  baseline: 60,
  noise: 0,
  seconds: 240,
  change: null,
};

describe('a judge of changes since a pin', () => {
  // `node scripts/bench/live-changes.ts` simulates all 20 seeds for half an hour.
  test('colours nothing in an unchanged load', () => {
    for (let seed = 0; seed < 4; seed++) expect(simulateLive(LOAD, seed).isFalse).toBe(false);
  });

  test('finds a function that doubles within 30 s', () => {
    const change = { func: 20, at: 100, factor: 2 };
    const found = simulateLive({ ...LOAD, shares: evenShares(100), seconds: 140, change }, 1);
    expect(found.isFalse).toBe(false);
    expect(found.foundAfter).toBeLessThanOrEqual(30);
  });

  test('finds functions that vanished or are new, and unmarks those that are back to normal', () => {
    const window = (weights: Record<number, number>): JudgedWindow => ({
      weights: new Map(Object.entries(weights).map(([func, weight]) => [judgedKey(Number(func), 'total'), weight])),
      total: 100,
    });
    const judge = new ChangeJudge(
      Array.from({ length: 60 }, () => window({ 0: 100, 1: 50 })),
      1,
    );
    for (let at = 0; at < 40; at++) judge.add(window({ 0: 100, 2: 50 }));
    expect(judge.changes()).toEqual(
      new Map([
        [judgedKey(1, 'total'), 'shrank'],
        [judgedKey(2, 'total'), 'grew'],
      ]),
    );
    // The shortest sequences forget the change first; its colour stays while a longer one still covers it.
    for (let at = 0; at < 2000; at++) judge.add(window({ 0: 100, 1: 50 }));
    expect(judge.changes()).toEqual(new Map());
  });

  test('judges nothing with fewer than five windows', () => {
    const judge = new ChangeJudge(
      Array.from({ length: 4 }, () => ({ weights: new Map([[0, 1000]]), total: 1000 })),
      1,
    );
    for (let at = 0; at < 50; at++) judge.add({ weights: new Map(), total: 0 });
    expect(judge.changes().size).toBe(0);
  });
});
