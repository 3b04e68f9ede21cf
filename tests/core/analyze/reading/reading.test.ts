import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { functionStats } from '#core/analyze/tables/function-stats.ts';
import { cleanPath } from '#core/analyze/reading/granularity.ts';
import { parseLabelFilter } from '#core/analyze/reading/parse-label-filter.ts';
import { labelBreakdown, wholeWeight } from '#core/analyze/reading/labels.ts';
import { readProfile, type Reading } from '#core/analyze/reading/reading.ts';
import { subtractBase } from '#core/analyze/reading/subtract-base.ts';
import { patternsHere } from '#core/analyze/transforms/resolve-transforms.ts';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { encodePprof, type PprofSample } from '../../../support/encode/pprof.ts';
import { arbitraryProfile } from '../../../support/arbitrary-profile.ts';
import { viewFolded } from '../../../support/naive-analysis.ts';
import { PLAIN_READING } from '../plain-reading.ts';

/** Makes a profile in which main calls work with step inlined, and each sample has its own labels. */
async function labelled(samples: readonly PprofSample[]): Promise<Profile> {
  const bytes = encodePprof({
    sampleTypes: [['cpu', 'nanoseconds']],
    functions: [
      { id: 1, name: 'main', file: '/src/main.go' },
      { id: 2, name: 'work', file: '/src//work.go' },
      { id: 3, name: 'step', file: '/src/work.go' },
    ],
    locations: [
      { id: 1, address: 0x10, lines: [[1, 5]] },
      {
        id: 2,
        address: 0x20,
        lines: [
          [3, 9],
          [2, 12],
        ],
      },
    ],
    samples,
  });
  const profile = await importProfile(byteSource(bytes, 'labels.pb'));
  checkProfile(profile);
  return profile;
}

const stack = [2, 1];
const TWO = await labelled([
  {
    locations: stack,
    values: [30],
    labels: [
      { key: 'endpoint', text: '/a' },
      { key: 'bytes', number: 2048, unit: 'bytes' },
    ],
  },
  {
    locations: stack,
    values: [10],
    labels: [
      { key: 'endpoint', text: '/b' },
      { key: 'bytes', number: 64, unit: 'bytes' },
    ],
  },
  { locations: [1], values: [2] },
]);

async function folded(profile: Profile, reading: Partial<Reading>): Promise<Record<string, number>> {
  const read = await readProfile(profile, { ...PLAIN_READING, ...reading }, patternsHere);
  checkProfile(read.profile);
  return Object.fromEntries(viewFolded(buildStackView(read.profile)));
}

describe('granularity', () => {
  test.each([
    ['functions', { main: 2, 'main;work;step': 40 }],
    ['filefunctions', { 'main /src/main.go': 2, 'main /src/main.go;work /src/work.go;step /src/work.go': 40 }],
    ['files', { '/src/main.go': 2, '/src/main.go;/src/work.go;/src/work.go': 40 }],
    ['lines', { 'main /src/main.go:5': 2, 'main /src/main.go:5;work /src/work.go:12;step /src/work.go:9': 40 }],
  ] as const)('of %s names frames as pprof does', async (granularity, expected) => {
    expect(await folded(TWO, { granularity })).toEqual(expected);
  });

  test('puts addresses before the name', async () => {
    const read = await readProfile(TWO, { ...PLAIN_READING, granularity: 'addresses' }, patternsHere);
    expect(read.profile.strings).toContain('0000000000000020 step /src/work.go:9');
    expect(read.names).toEqual(expect.arrayContaining(['main', 'work', 'step']));
  });

  test('adds the weight of removed inlined functions to their callers', async () => {
    expect(await folded(TWO, { inlines: false })).toEqual({ main: 2, 'main;work': 40 });
  });

  test('keeps the whole weight of any profile', async () => {
    await fc.assert(
      fc.asyncProperty(
        arbitraryProfile,
        fc.constantFrom('functions' as const, 'files' as const, 'lines' as const, 'addresses' as const),
        fc.boolean(),
        async (profile, granularity, inlines) => {
          const read = await readProfile(profile, { ...PLAIN_READING, granularity, inlines }, patternsHere);
          checkProfile(read.profile);
          const selection = wholeProfile(profile);
          expect(buildStackView(read.profile, selection).total).toBeCloseTo(
            buildStackView(profile, selection).total,
            6,
          );
        },
      ),
    );
  });

  test.each([
    ['', ''],
    ['a//b/./c/', 'a/b/c'],
    ['/../a/../b', '/b'],
    ['../../a', '../../a'],
    ['a/..', '.'],
  ])('cleans %j like Go: %j', (path, clean) => expect(cleanPath(path)).toBe(clean));
});

describe('labels', () => {
  test('adds frames at the root and at the leaf, and marks samples without a label', async () => {
    expect(await folded(TWO, { labelRoots: ['endpoint'], labelLeaves: ['bytes'] })).toEqual({
      '/a;main;work;step;2kB': 30,
      '/b;main;work;step;64B': 10,
      '(no endpoint);main;(no bytes)': 2,
    });
  });

  test.each([
    ['endpoint=^/a$', 30],
    ['endpoint:/b', 10],
    ['endpoint,/a', 30],
    ['/a,/b', 0],
    ['endpoint=/a,/b', 40],
    ['64b', 10],
    ['1kb:', 30],
    [':1kb', 10],
    ['bytes=64b:2kb', 40],
    ['latency=64b:2kb', 0],
    ['64ms', 0],
  ])('--tagfocus %s keeps %d, --tagignore the rest', async (text, weight) => {
    const sum = (weights: Record<string, number>): number => Object.values(weights).reduce((a, b) => a + b, 0);
    expect(sum(await folded(TWO, { labelFocus: parseLabelFilter(text) }))).toBe(weight);
    expect(sum(await folded(TWO, { labelIgnore: parseLabelFilter(text) }))).toBe(42 - weight);
  });

  test('breaks a view down by key, heaviest value first', () => {
    expect(labelBreakdown(TWO, wholeProfile(TWO))).toEqual([
      {
        key: 'bytes',
        unit: 'bytes',
        total: 40,
        values: [
          { text: '2kB', weight: 30, numbers: { from: 2048, to: 2048 } },
          { text: '64B', weight: 10, numbers: { from: 64, to: 64 } },
        ],
      },
      {
        key: 'endpoint',
        unit: '',
        total: 40,
        values: [
          { text: '/a', weight: 30, numbers: null },
          { text: '/b', weight: 10, numbers: null },
        ],
      },
    ]);
  });
});

describe('a base', () => {
  test('subtracts a profile from itself to zero; labelled, shares refer to the base', () => {
    const plain = subtractBase(TWO, TWO, false);
    checkProfile(plain);
    expect(plain.samples.length).toBe(0);
    const diff = subtractBase(TWO, TWO, true);
    checkProfile(diff);
    expect(functionStats(buildStackView(diff)).total).toEqual(new Float64Array(3));
    expect(wholeWeight(diff, wholeProfile(diff))).toBe(42);
  });

  test('refuses other value types', () => {
    const other = { ...TWO, valueTypes: [{ type: 'inuse_space', unit: 'bytes', event: -1, column: 0 }] };
    expect(() => subtractBase(TWO, other, false)).toThrow('the base has no cpu/nanoseconds, only inuse_space/bytes');
  });
});
