import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { functionRef } from '#core/analyze/function-ref.ts';
import type { Normalisation } from '#core/contract/normalisation.ts';
import type { Comparison } from '#core/compare/comparison.ts';
import type { ComparedCapture } from '#core/compare/measure/measure-capture.ts';
import { captureFacts, type FactsDocument } from '#core/compare/measure/read-facts.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { unpackScript } from '../../fixtures/compact-script.ts';
import { captureOf, compareRaw } from './captures.ts';
import { randomOf } from './simulate.ts';

vi.setConfig({ testTimeout: 180_000 });

interface Run extends FactsDocument {
  readonly id: string;
}

/**
 * Reads captures of one unchanged program, recorded one after the other on a machine that was busy otherwise;
 * regenerate.ts in their folder made them.
 */
async function repeatsOf(program: string): Promise<ComparedCapture[]> {
  const folder = new URL(`../../fixtures/repeats/${program}/`, import.meta.url);
  const runs = JSON.parse(readFileSync(new URL('runs.json', folder), 'utf8')) as Run[];
  return Promise.all(
    runs.map(async (run) => {
      const text = unpackScript(new URL(`${run.id}.perf-script.txt.br`, folder));
      const profile = await importProfile(byteSource(text, run.id));
      return captureOf(profile, captureFacts(run, profile, run.id).facts);
    }),
  );
}

const isCalled = ({ self, total }: Comparison): boolean =>
  [...self, ...total].some(({ verdict }) => verdict === 'grew' || verdict === 'shrank');

/** Counts the partitions, drawn at random, in which any function grew or shrank. */
async function falsePositives(
  captures: readonly ComparedCapture[],
  partitions: number,
  size: number,
  kind: Normalisation,
): Promise<number> {
  const random = randomOf(size);
  let found = 0;
  for (let partition = 0; partition < partitions; partition++) {
    const shuffled = captures
      .map((capture) => ({ capture, place: random() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ capture }) => capture);
    const comparison = await compareRaw(shuffled.slice(0, size), shuffled.slice(size, 2 * size), kind);
    expect(comparison.design.isReplicated).toBe(true);
    if (isCalled(comparison)) found += 1;
  }
  return found;
}

// `most` is 5 % of the partitions plus two standard errors. A comparison of catalog-service takes ten times as long.
describe.each([
  { program: 'page-server', count: 16, sizes: [3, 5, 8], partitions: 200, most: 16 },
  { program: 'catalog-service', count: 12, sizes: [3, 5], partitions: 100, most: 9 },
] as const)('$program, $count captures of one program', ({ program, count, sizes, partitions, most }) => {
  let captures: ComparedCapture[];
  beforeAll(async () => {
    captures = await repeatsOf(program);
  });
  const cells = sizes.flatMap((size) =>
    (program === 'page-server' ? (['per-second', 'share'] as const) : (['per-second'] as const)).map(
      (kind) => [size, kind] as const,
    ),
  );

  test.each(cells)(`%d a side, %s: at most ${most} of ${partitions} splits have a verdict`, async (size, kind) => {
    expect(captures).toHaveLength(count);
    expect(await falsePositives(captures, partitions, size, kind)).toBeLessThanOrEqual(most);
  });

  test('is maybe at most with one capture a side', async () => {
    const [one, other] = captures;
    expect(isCalled(await compareRaw([one!], [other!], 'per-second'))).toBe(false);
  });
});

describe('a program of three phases, recorded from start to end', () => {
  const SIDES = ['base', 'same', 'plus05', 'plus10', 'plus30'] as const;
  type Side = (typeof SIDES)[number];

  const runsOf = (side: Side, runs: number): Promise<ComparedCapture[]> =>
    Promise.all(
      Array.from({ length: runs }, async (_, run) => {
        const name = `${side}-${run + 1}`;
        const text = unpackScript(new URL(`../../fixtures/phased/${name}.perf-script.txt.br`, import.meta.url));
        return captureOf(await importProfile(byteSource(text, name)), { requests: 1, host: 'here' });
      }),
    );

  /** Returns the judgement of `parse`, the function of the middle phase, in a comparison with `base`. */
  async function parseOf(side: Side, runs: number): Promise<Comparison['total'][number]> {
    const comparison = await compareRaw(await runsOf('base', runs), await runsOf(side, runs), 'per-request');
    const isOf = (func: number, name: string): boolean => functionRef(comparison.matched.table, func).name === name;
    const others = comparison.total.filter((_, func) => isOf(func, 'load') || isOf(func, 'render'));
    expect(others.map(({ verdict }) => verdict)).toEqual(['noise', 'noise']);
    return comparison.total.find((_, func) => isOf(func, 'parse'))!;
  }

  const holds = (change: number, { interval, before }: Comparison['total'][number]): boolean =>
    interval![0] / before < change && interval![1] / before > change;

  test.each([3, 5])('%d runs a side: the phase that took 30 percent longer grew', async (runs) => {
    const parse = await parseOf('plus30', runs);
    expect(parse.verdict).toBe('grew');
    expect(parse.relative).toBeCloseTo(0.3, 1);
    expect(holds(0.3, parse)).toBe(true);
  });

  // A phase has 500 samples. docs/comparing.md lists the results.
  test.each([
    ['same', 0],
    ['plus05', 0.05],
    ['plus10', 0.1],
  ] as const)('%s: intervals contain the change', async (side, change) => {
    for (const runs of [3, 5]) {
      const parse = await parseOf(side, runs);
      expect(parse.relative).toBeCloseTo(change, 1);
      expect(holds(change, parse)).toBe(true);
      if (change === 0) expect(parse.verdict).toBe('noise');
    }
  });

  test('one run a side: the phase that took 30 % longer may have grown', async () => {
    const parse = await parseOf('plus30', 1);
    expect(parse).toMatchObject({ verdict: 'suggestive', method: 'within-run' });
    expect(holds(0.3, parse)).toBe(true);
  });
});
