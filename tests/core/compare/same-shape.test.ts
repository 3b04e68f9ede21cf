import { describe, expect, test } from 'vitest';
import { sharedFactor } from '#core/compare/same-shape.ts';
import type { Normalisation } from '#core/contract/normalisation.ts';
import type { CaptureFacts } from '#core/compare/measure/capture-facts.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { captureOf, compareRaw } from './captures.ts';

const BASE = [900, 700, 500, 400, 300, 200, 100];
const SPREAD = [1, 1.01, 0.99];
const WHOLE_RUN = { durationSeconds: 10, isWholeRun: true } as const;

/** Makes runs; each function of `weights` differs a little between them. */
const runs = (
  weights: readonly number[],
  spread: readonly number[] = SPREAD,
  facts: Partial<CaptureFacts> = WHOLE_RUN,
) =>
  spread.map((factor, run) =>
    captureOf(
      profileFromText(
        weights
          .map((weight, place) => `main;f${place} ${Math.round(10 * weight * (place % 2 === run % 2 ? factor : 1))}`)
          .join('\n'),
      ),
      facts,
    ),
  );
const factorOf = async (after: readonly number[], kind: Normalisation = 'raw', spread: readonly number[] = SPREAD) =>
  sharedFactor(await compareRaw(runs(BASE, spread), runs(after, spread), kind));
const scaled = (factor: number): number[] => BASE.map((weight) => weight * factor);

describe('one factor for all large functions', () => {
  test('is found with the bound that the intervals reach', async () => {
    const grown = await factorOf(scaled(1.2));
    expect(grown).toMatchObject({ factor: expect.closeTo(1.2, 2), functions: 6 });
    expect(grown!.bound).toBeLessThan(0.2);
    expect(await factorOf(scaled(0.8))).toMatchObject({ factor: expect.closeTo(0.8, 2) });
    const { warnings } = await compareRaw(runs(BASE), runs(scaled(1.2)));
    expect(warnings.find(({ code }) => code === 'same-shape')?.message).toMatch(
      /^Same shape, ×1\.20: all 6 functions with 5(\.0+)? % or more are within ±[\d.]+ % of it; the machine or the load may have changed, not the code\.$/,
    );
  });

  test('is said of relative values, too, with the factor as measured', async () => {
    const attached = { durationSeconds: 10 };
    const [before, after] = [
      [...BASE, 80, 60],
      [...scaled(0.5), 40, 30],
    ].map((of) => runs(of, SPREAD, attached));
    const comparison = await compareRaw(before!, after!, 'per-second');
    expect(comparison.sizes).toMatchObject({ status: 'differs', ratio: expect.closeTo(0.5, 2) });
    expect(sharedFactor(comparison)).toMatchObject({ factor: expect.closeTo(0.5, 2) });
  });

  test('is not reported below three captures a side, however well a factor fits', async () => {
    expect(await factorOf(scaled(1.5), 'raw', [1])).toBeNull();
    expect(await factorOf(scaled(1.5), 'raw', [1, 1.01])).toBeNull();
  });

  test('is not reported if intervals are too wide to show it', async () => {
    expect(await factorOf(scaled(1.5), 'raw', [1, 1.3, 0.7])).toBeNull();
  });

  test('is not reported for one function that grew, nor for several that did independently', async () => {
    expect(await factorOf([1800, ...BASE.slice(1)])).toBeNull();
    expect(await factorOf(BASE.map((weight, place) => weight * (place < 3 ? 1.4 : 1)))).toBeNull();
    expect(await factorOf(BASE.map((weight, place) => weight * (place % 2 === 0 ? 1.5 : 0.9)))).toBeNull();
  });

  test('is not reported without a change, for shares, or for few functions', async () => {
    expect(await factorOf(scaled(1.01))).toBeNull();
    expect(await factorOf(scaled(1.2), 'share')).toBeNull();
    expect(sharedFactor(await compareRaw(runs([900, 700]), runs([1080, 840])))).toBeNull();
  });
});
