import { describe, expect, test } from 'vitest';
import type { Comparison } from '#core/compare/comparison.ts';
import { selfTest, selfTestCaptures, type SelfTestOptions } from '#core/compare/statistics/self-test.ts';
import type { CaptureFacts } from '#core/compare/measure/capture-facts.ts';
import { functionRef } from '#core/analyze/function-ref.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';
import { captureOf, compareRaw } from '../captures.ts';

const NAMES = ['parse', 'match', 'render', 'hash', 'copy', 'scan', 'sort', 'pack', 'send', 'log'];

interface Noise {
  readonly spread?: number;
  readonly scale?: number;
  readonly seed?: number;
  readonly facts?: Partial<CaptureFacts>;
}

/** `count` runs whose functions differ from run to run by `spread`, without a pattern; `scale`: of `parse`. */
const runs = (count: number, { spread = 0.01, scale = 1, seed = 0, facts = {} }: Noise = {}) =>
  Array.from({ length: count }, (_, run) =>
    captureOf(
      profileFromText(
        NAMES.map((name, place) => {
          const noise = Math.sin((seed + run + 1) * 12.9898 + (place + 1) * 78.233) * 43_758.5453;
          const weight = (2000 + 400 * place) * (1 + spread * (2 * (noise - Math.floor(noise)) - 1));
          return `main;${name} ${Math.round(weight * (place === 0 ? scale : 1))}`;
        }).join('\n'),
      ),
      facts,
    ),
  );
const OPTIONS: SelfTestOptions = { slowdown: 0.1, functions: null, isOneProgram: false };
const nameOf = ({ matched }: Comparison, func: number): string => functionRef(matched.table, func).name;

describe('a self-test', () => {
  test('of calm runs raises hardly a false alarm, and finds what was slowed down', async () => {
    const comparison = await compareRaw(runs(5), runs(5, { seed: 50 }));
    const report = selfTest(comparison, OPTIONS)!;
    expect(report).toMatchObject({
      captures: 10,
      perSide: 5,
      leftOut: 0,
      partitions: 100,
      possible: 126,
      slowdown: 0.1,
    });
    expect(report.falseAlarms / report.partitions).toBeLessThanOrEqual(0.1);
    expect(report.power).toHaveLength(10);
    expect(nameOf(comparison, report.power[0]!.func)).toBe('log');
    for (const { found } of report.power) expect(found / report.partitions).toBeGreaterThan(0.7);
  });

  test('finds less of what is smaller than the noise', async () => {
    const comparison = await compareRaw(runs(5, { spread: 0.3 }), runs(5, { spread: 0.3, seed: 50 }));
    const report = selfTest(comparison, { ...OPTIONS, slowdown: 0.02 })!;
    expect(report.power.every(({ found }) => found < report.partitions / 2)).toBe(true);
  });

  test('leaves out what the sides differ by: a change between them is no false alarm', async () => {
    const report = selfTest(await compareRaw(runs(5), runs(5, { seed: 50, scale: 2 })), OPTIONS)!;
    expect(report.falseAlarms / report.partitions).toBeLessThanOrEqual(0.1);
  });

  test('keeps differences where all captures are of one program', async () => {
    const bimodal = await compareRaw(runs(3), runs(3, { seed: 50, scale: 2 }));
    const report = selfTest(bimodal, { ...OPTIONS, isOneProgram: true })!;
    expect(report).toMatchObject({ partitions: 10, possible: 10 });
    expect(report.alarming.map(({ func }) => nameOf(bimodal, func))).toContain('parse');
  });

  test('slows down the functions that are named, whatever they weigh', async () => {
    const comparison = await compareRaw(runs(3), runs(3, { seed: 50 }));
    const func = [...comparison.self.keys()].find((one) => nameOf(comparison, one) === 'main')!;
    const report = selfTest(comparison, { ...OPTIONS, functions: [func] })!;
    expect(report.power).toEqual([{ func, share: 1, found: expect.any(Number) }]);
  });

  test('of shares slows down one function at the cost of all others', async () => {
    const comparison = await compareRaw(runs(5), runs(5, { seed: 50 }), 'share');
    const report = selfTest(comparison, { ...OPTIONS, slowdown: 0.5 })!;
    for (const { found } of report.power) expect(found / report.partitions).toBeGreaterThan(0.7);
  });

  test('says the same again, and of swapped sides', async () => {
    const [before, after] = [runs(4), runs(4, { seed: 9 })];
    const one = selfTest(await compareRaw(before, after), OPTIONS);
    expect(selfTest(await compareRaw(before, after), OPTIONS)).toEqual(one);
    expect(selfTest(await compareRaw(after, before), OPTIONS)).toMatchObject({
      partitions: one!.partitions,
      possible: 35,
    });
  });

  test('splits captures of one host only, and needs six of them', async () => {
    const on = (host: string) => ({ facts: { host } });
    const comparison = await compareRaw(
      [...runs(3, on('a')), ...runs(1, on('b'))],
      [...runs(3, { ...on('a'), seed: 5 }), ...runs(2, on('b'))],
    );
    expect(selfTest(comparison, OPTIONS)).toMatchObject({ captures: 6, leftOut: 3, perSide: 3, possible: 10 });
    const few = await compareRaw(runs(3), runs(2));
    expect([selfTest(few, OPTIONS), selfTestCaptures(few)]).toEqual([null, 5]);
  });

  test('of an odd number leaves one out in turn', async () => {
    const report = selfTest(await compareRaw(runs(4), runs(3, { seed: 50 })), OPTIONS)!;
    expect(report).toMatchObject({ captures: 7, perSide: 3, possible: 70, partitions: 70 });
  });
});
