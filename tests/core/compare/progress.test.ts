import { describe, expect, test } from 'vitest';
import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import { compareFunctions } from '#core/compare/compare-functions.ts';
import { buildDeltaTree } from '#core/compare/delta-tree.ts';
import { judgePaths } from '#core/compare/judge-paths.ts';
import type { CompareStep } from '#core/compare/comparison.ts';
import { profileFromSketch } from '../../support/sketch-profile.ts';
import { captureOf } from './captures.ts';

const capture = captureOf(profileFromSketch([{ stack: ['main', 'f'], weight: 1 }]));
const sides = [
  [capture, capture],
  [capture, capture, capture],
] as const;

async function compareAll(onStep: (step: CompareStep, done: number) => void): Promise<void> {
  const comparison = await compareFunctions(...sides, { patterns: patternsHere, onStep });
  judgePaths(comparison, buildDeltaTree(comparison, onStep), 10, onStep);
}

describe('progress', () => {
  test('is reported step by step, capture by capture', async () => {
    const told: [CompareStep, number][] = [];
    await compareAll((step, done) => void told.push([step, done]));
    const order: readonly CompareStep[] = ['measure', 'match', 'test', 'tree', 'paths'];
    const places = told.map(([step, done]) => order.indexOf(step) + done);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(new Set(places).size).toBe(told.length);
    expect(told.every(([, done]) => done >= 0 && done < 1)).toBe(true);
    for (const step of order.filter((one) => one !== 'match')) {
      expect(told.filter(([one]) => one === step).length).toBeGreaterThanOrEqual(5);
    }
  });

  test.each(['measure', 'match', 'test', 'tree', 'paths'] as const)(
    'ends the work with an exception in %s',
    async (at) => {
      const reason = new Error('withdrawn');
      const told: CompareStep[] = [];
      const work = compareAll((step) => {
        told.push(step);
        if (step === at) throw reason;
      });
      await expect(work).rejects.toBe(reason);
      expect(told.at(-1)).toBe(at);
      expect(told.filter((step) => step === at)).toHaveLength(1);
    },
  );

  test('can make the work wait', async () => {
    let isOpen = false;
    const onStep = async (): Promise<void> => {
      await new Promise((resolve) => setImmediate(resolve));
      isOpen = true;
    };
    const comparison = await compareFunctions(...sides, { patterns: patternsHere, onStep });
    expect(isOpen).toBe(true);
    expect(comparison.whole.delta).toBe(0);
  });
});
