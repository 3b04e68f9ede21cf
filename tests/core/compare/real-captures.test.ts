import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Normalisation } from '#core/compare/capture-facts.ts';
import type { Comparison } from '#core/compare/compare-functions.ts';
import type { ComparedCapture } from '#core/compare/measure-capture.ts';
import { captureFacts, type FactsDocument } from '#core/compare/read-facts.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../support/byte-source.ts';
import { captureOf, compareRaw } from './captures.ts';
import { randomOf } from './simulate.ts';

vi.setConfig({ testTimeout: 120_000 });

interface Run extends FactsDocument {
  readonly id: string;
}

/** Recorded one after the other of one unchanged program on a machine that was busy otherwise; see regenerate.ts beside them. */
const FOLDER = new URL('../../fixtures/repeats/', import.meta.url);

const captures: ComparedCapture[] = [];
beforeAll(async () => {
  const runs = JSON.parse(readFileSync(new URL('runs.json', FOLDER), 'utf8')) as Run[];
  for (const run of runs) {
    const text = gunzipSync(readFileSync(new URL(`${run.id}.perf-script.txt.gz`, FOLDER)));
    const profile = await importProfile(byteSource(text, run.id));
    captures.push(captureOf(profile, captureFacts(run, profile, run.id).facts));
  }
});

const isCalled = ({ self, total }: Comparison): boolean =>
  [...self, ...total].some(({ verdict }) => verdict === 'grew' || verdict === 'shrank');

/** Of 40 random ways to make two sides of the captures, those in which anything is called grew or shrank. */
async function falsePositives(size: number, kind: Normalisation): Promise<number> {
  const random = randomOf(size);
  let found = 0;
  for (let partition = 0; partition < 40; partition++) {
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

describe('16 captures of one program, parted at random 40 times', () => {
  test.each([
    [3, 'per-second'],
    [5, 'per-second'],
    [8, 'per-second'],
    [3, 'share'],
    [5, 'share'],
    [8, 'share'],
  ] as const)('%d a side, %s: at most 5 call anything', async (size, kind) => {
    expect(captures.length).toBeGreaterThanOrEqual(12);
    expect(await falsePositives(size, kind)).toBeLessThanOrEqual(5);
  });

  test('one against one, nothing is more than suggestive', async () => {
    const comparison = await compareRaw(captures.slice(0, 1), captures.slice(1, 2), 'per-second');
    expect(isCalled(comparison)).toBe(false);
  });
});
