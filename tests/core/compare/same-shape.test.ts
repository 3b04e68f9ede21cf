import { describe, expect, test } from 'vitest';
import { sharedFactor } from '#core/compare/same-shape.ts';
import type { Normalisation } from '#core/compare/measure/capture-facts.ts';
import { profileFromText } from '../../support/profile-from-text.ts';
import { captureOf, compareRaw } from './captures.ts';

const BASE = [900, 700, 500, 400, 300, 200, 100];
const SPREAD = [1, 1.01, 0.99];

/** Makes three runs of 10 s; each function of `weights` differs a little between them. */
const runs = (weights: readonly number[], seconds = 10) =>
  SPREAD.map((spread, run) =>
    captureOf(
      profileFromText(
        weights
          .map((weight, place) => `main;f${place} ${Math.round(weight * (place % 2 === run % 2 ? spread : 1))}`)
          .join('\n'),
      ),
      { durationSeconds: seconds },
    ),
  );
const factorOf = async (after: readonly number[], kind: Normalisation = 'per-second', seconds = 10) =>
  sharedFactor(await compareRaw(runs(BASE), runs(after, seconds), kind));
const scaled = (factor: number): number[] => BASE.map((weight) => weight * factor);

describe('one factor for nearly all functions', () => {
  test('is found, and leads the warnings', async () => {
    expect(await factorOf(scaled(1.2))).toBeCloseTo(1.2, 1);
    expect(await factorOf(scaled(0.8))).toBeCloseTo(0.8, 1);
    const { warnings } = await compareRaw(runs(BASE), runs(scaled(1.2)), 'per-second');
    expect(warnings[0]).toEqual({
      code: 'same-shape',
      message: expect.stringMatching(/^Same shape, ×1\.(19|20|21): the machine or the load changed, not the code\.$/),
    });
  });

  test('is not reported for one function that grew, nor for several that did independently', async () => {
    expect(await factorOf([1800, ...BASE.slice(1)])).toBeNull();
    expect(await factorOf(BASE.map((weight, place) => weight * (place < 3 ? 1.4 : 1)))).toBeNull();
    expect(await factorOf(BASE.map((weight, place) => weight * (place % 2 === 0 ? 1.5 : 0.9)))).toBeNull();
  });

  test('is not reported without a change, for shares, for few functions, or for captures of unequal length', async () => {
    expect(await factorOf(scaled(1.01))).toBeNull();
    expect(await factorOf(scaled(1.2), 'share')).toBeNull();
    expect(await factorOf(scaled(2), 'raw', 20)).toBeNull();
    expect(sharedFactor(await compareRaw(runs([900, 700]), runs([1080, 840]), 'per-second'))).toBeNull();
  });
});
