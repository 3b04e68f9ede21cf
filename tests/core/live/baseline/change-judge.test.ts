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

describe('states of what is judged', () => {
  const load = (shares: Record<number, number>, rate: number): JudgedWindow => ({
    weights: new Map(
      Object.entries(shares).map(([func, share]) => [judgedKey(Number(func), 'total'), Math.round(share * rate)]),
    ),
    total: rate,
  });
  const judgeOf = (seconds: number, rate: number): ChangeJudge =>
    new ChangeJudge(
      Array.from({ length: seconds }, () => load({ 0: 0.3, 1: 0.2 }, rate)),
      1,
    );

  test('an unchanged function is open with fewer and fewer missing seconds, then the same', () => {
    const judge = judgeOf(60, 2000);
    expect(judge.states().get(judgedKey(0, 'total'))).toMatchObject({ state: 'open' });
    const missing: (number | null)[] = [];
    for (let at = 0; at < 30; at++) {
      judge.add(load({ 0: 0.3, 1: 0.2 }, 2000));
      const known = judge.states().get(judgedKey(0, 'total'))!;
      if (known.state === 'open') missing.push(known.missing);
    }
    expect(judge.states().get(judgedKey(0, 'total'))).toEqual({ state: 'same', missing: null });
    expect(missing.length).toBeGreaterThan(4);
    expect(missing.every((windows) => windows !== null && windows >= 1 && windows <= 30)).toBe(true);
    expect(missing.at(-1)!).toBeLessThanOrEqual(missing[0]!);
  });

  test('after a change it is never called the same, whatever was before', () => {
    const judge = judgeOf(60, 2000);
    for (let at = 0; at < 60; at++) judge.add(load({ 0: 0.3, 1: 0.2 }, 2000));
    expect(judge.states().get(judgedKey(1, 'total'))!.state).toBe('same');
    const seen = new Set<string>();
    for (let at = 0; at < 30; at++) {
      judge.add(load({ 0: 0.3, 1: 0.4 }, 2000));
      if (at >= 6) seen.add(judge.states().get(judgedKey(1, 'total'))!.state);
    }
    expect([...seen].every((state) => state === 'open' || state === 'grew')).toBe(true);
    expect(judge.states().get(judgedKey(1, 'total'))!.state).toBe('grew');
  });

  test('a baseline that is too short for a verdict says so, and small functions are not judged', () => {
    const judge = judgeOf(6, 30);
    for (let at = 0; at < 60; at++) judge.add(load({ 0: 0.3, 1: 0.2 }, 30));
    expect(judge.states().get(judgedKey(0, 'total'))).toEqual({ state: 'open', missing: null });
    expect(judge.states().has(judgedKey(7, 'total'))).toBe(false);
  });
});
