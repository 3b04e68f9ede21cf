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

/** Makes `count` runs whose functions differ by `spread` without a pattern. `scale` multiplies `parse`. */
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
  test('raises hardly any false alarms for calm runs, and finds the slowed-down functions', async () => {
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

  test('finds changes below the noise less often', async () => {
    const comparison = await compareRaw(runs(5, { spread: 0.3 }), runs(5, { spread: 0.3, seed: 50 }));
    const report = selfTest(comparison, { ...OPTIONS, slowdown: 0.02 })!;
    expect(report.power.every(({ found }) => found < report.partitions / 2)).toBe(true);
  });

  test('ignores the difference between the sides: a change between them is not a false alarm', async () => {
    const report = selfTest(await compareRaw(runs(5), runs(5, { seed: 50, scale: 2 })), OPTIONS)!;
    expect(report.falseAlarms / report.partitions).toBeLessThanOrEqual(0.1);
  });

  test('is not changed by captures of other hosts, which it leaves out', async () => {
    const on = (host: string): Noise => ({ facts: { host } });
    const [before, after] = [runs(4, on('a')), runs(4, { seed: 50, ...on('a') })];
    const alone = selfTest(await compareRaw(before, after), OPTIONS)!;
    const others = runs(2, { seed: 70, scale: 30, ...on('b') });
    const report = selfTest(await compareRaw(before, [...after, ...others]), OPTIONS)!;
    expect(report).toEqual({ ...alone, leftOut: 2 });
  });

  test('keeps differences if all captures are of one program', async () => {
    const bimodal = await compareRaw(runs(3), runs(3, { seed: 50, scale: 2 }));
    const report = selfTest(bimodal, { ...OPTIONS, isOneProgram: true })!;
    expect(report).toMatchObject({ partitions: 10, possible: 10 });
    expect(report.alarming.map(({ func }) => nameOf(bimodal, func))).toContain('parse');
  });

  test('slows down the named functions, whatever their weight', async () => {
    const comparison = await compareRaw(runs(3), runs(3, { seed: 50 }));
    const func = [...comparison.self.keys()].find((one) => nameOf(comparison, one) === 'main')!;
    const report = selfTest(comparison, { ...OPTIONS, functions: [func] })!;
    expect(report.power).toEqual([{ func, share: 1, found: expect.any(Number) }]);
  });

  test('slows down one function at the cost of all others for shares', async () => {
    const comparison = await compareRaw(runs(5), runs(5, { seed: 50 }), 'share');
    const report = selfTest(comparison, { ...OPTIONS, slowdown: 0.5 })!;
    for (const { found } of report.power) expect(found / report.partitions).toBeGreaterThan(0.7);
  });

  test('gives the same report again, and for swapped sides', async () => {
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

  test('leaves out one in turn for an odd number', async () => {
    const report = selfTest(await compareRaw(runs(4), runs(3, { seed: 50 })), OPTIONS)!;
    expect(report).toMatchObject({ captures: 7, perSide: 3, possible: 70, partitions: 70 });
  });
});
