import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GRANULARITIES } from '#core/analyze/reading/granularity.ts';
import { valuesInRanges } from '#core/analyze/reading/label-ranges.ts';
import { labelBreakdown } from '#core/analyze/reading/labels.ts';
import { parseLabelFilter } from '#core/analyze/reading/parse-label-filter.ts';
import { readProfile, type Reading } from '#core/analyze/reading/reading.ts';
import { describeFound, describeTransform } from '#core/analyze/transforms/describe-transform.ts';
import type { NamedTransform } from '#core/analyze/transforms/named-transform.ts';
import { previewTransform } from '#core/analyze/transforms/preview-transform.ts';
import { patternsHere, resolveTransforms } from '#core/analyze/transforms/resolve-transforms.ts';
import { transformProfile } from '#core/analyze/transforms/transform-profile.ts';
import { buildStackView, viewSamples, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import { visibleProfile } from '#core/export/visible-profile.ts';
import { importProfile } from '#core/import/import-profile.ts';
import { checkProfile } from '#core/model/check-profile.ts';
import type { Profile } from '#core/model/profile.ts';
import { arbitraryProfile } from '../../../support/arbitrary-profile.ts';
import { byteSource } from '../../../support/byte-source.ts';
import { encodePprof } from '../../../support/encode/pprof.ts';
import { viewFolded } from '../../../support/naive-analysis.ts';
import { PLAIN_READING } from '../plain-reading.ts';

const enabled = true;
const view = async (recorded: Profile, transforms: readonly NamedTransform[]) => {
  const { profile, resolved } = await transformProfile(recorded, transforms, patternsHere);
  checkProfile(profile);
  return { resolved, profile, view: buildStackView(profile, wholeProfile(profile), resolved) };
};

const requests = await importProfile(
  byteSource(
    encodePprof({
      sampleTypes: [['cpu', 'nanoseconds']],
      functions: [
        { id: 1, name: 'main', file: '/main.go' },
        { id: 2, name: 'work', file: '/work.go' },
      ],
      locations: [
        { id: 1, address: 0x10, lines: [[1, 5]] },
        { id: 2, address: 0x20, lines: [[2, 12]] },
      ],
      samples: Array.from({ length: 16 }, (_, index) => ({
        locations: [2, 1],
        values: [index + 1],
        labels: [
          { key: 'method', text: index % 4 === 0 ? 'POST' : 'GET' },
          { key: 'bytes', number: 1024 * (index + 1), unit: 'bytes' },
        ],
      })),
    }),
    'requests.pb',
  ),
);

test.each([
  [{ enabled, kind: 'keep-label', filter: { key: 'method', values: ['POST'] } }, 1 + 5 + 9 + 13, '4 samples'],
  [{ enabled, kind: 'hide-label', filter: parseLabelFilter('method=^P') }, 136 - 28, '4 samples'],
  [{ enabled, kind: 'keep-label', filter: parseLabelFilter('bytes=2kb:4kb') }, 2 + 3 + 4, '3 samples'],
] as const)('$0.kind keeps and hides as pprof does, and counts what it hides', async (transform, total, found) => {
  const { view: seen, resolved } = await view(requests, [transform]);
  expect(seen).toMatchObject({ total, hidden: 136 - total, hiddenBy: [136 - total] });
  expect(describeFound(transform, resolved.found[0]!)).toBe(found);
  expect(await previewTransform(requests, wholeProfile(requests), [], transform, patternsHere)).toMatchObject({
    hides: 136 - total,
    total: 136,
  });
});

test('applies label frames, a label filter and granularity together, before transforms of functions', async () => {
  const transforms: NamedTransform[] = [
    { enabled, kind: 'merge', on: { by: 'pattern', pattern: '^main', ignoreCase: false } },
    { enabled, kind: 'label-root', key: 'method' },
    { enabled, kind: 'hide-label', filter: { key: 'method', values: ['POST'] } },
    { enabled, kind: 'granularity', rows: 'lines' },
  ];
  const { view: seen, resolved, profile } = await view(requests, transforms);
  expect(Object.fromEntries(viewFolded(seen))).toEqual({ 'GET method;work /work.go:12': 108 });
  expect(resolved.found).toEqual([1, 2, 4, 4]);
  expect(transforms.map(describeTransform)).toEqual([
    'merge: /^main/',
    'label at root: method',
    'hide label: method = POST',
    'granularity: lines',
  ]);
  const exported = visibleProfile(profile, { selection: wholeProfile(profile), transforms, resolved });
  checkProfile(exported.profile);
  expect(exported.description).toContain('hidden by transforms: (28 nanoseconds of 136)');
  expect(exported.profile.strings).not.toContain('POST');
});

test('refuses to resolve label transforms on a profile that was not transformed first', async () => {
  const key: NamedTransform = { enabled, kind: 'label-root', key: 'method' };
  await expect(resolveTransforms(requests, [key], patternsHere)).rejects.toThrow(RangeError);
});

test('groups many values of a numeric label into power-of-two ranges that add up to its total', () => {
  const bytes = labelBreakdown(requests, wholeProfile(requests)).find(({ key }) => key === 'bytes')!;
  const ranges = valuesInRanges(bytes);
  expect(ranges.map(({ text }) => text)).toEqual(['1kB', '2kB – 3kB', '4kB – 7kB', '8kB – 15kB', '16kB']);
  expect(ranges[2]!.numbers).toEqual({ from: 4096, to: 7168 });
  expect(ranges.reduce((sum, { weight }) => sum + weight, 0)).toBe(bytes.total);
});

test('groups hundreds of thousands of different numbers of a label at once', () => {
  const first = 2 ** 18;
  const values = Array.from({ length: first }, (_, row) => {
    const number = first + row;
    return { text: String(number), weight: 1, numbers: { from: number, to: number } };
  });
  const joined = valuesInRanges({ key: 'id', unit: 'id', total: first, values });
  expect(joined).toEqual([
    { text: `${first} – ${2 * first - 1}`, weight: first, numbers: { from: first, to: 2 * first - 1 } },
  ]);
}, 5000);

test('transforms give any profile the same stacks as the command line’s options', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryProfile,
      fc.option(fc.constantFrom(...GRANULARITIES), { nil: null }),
      fc.boolean(),
      fc.constantFrom('a', 'k', 'bytes'),
      async (recorded, granularity, inlines, key) => {
        const labelIgnore = parseLabelFilter(`${key}=a`);
        const reading: Reading = { ...PLAIN_READING, granularity, inlines, labelRoots: [key], labelIgnore };
        const read = (await readProfile(recorded, reading, patternsHere)).profile;
        const {
          view: seen,
          profile,
          resolved,
        } = await view(recorded, [
          { enabled, kind: 'label-root', key },
          { enabled, kind: 'hide-label', filter: labelIgnore },
          ...(granularity === null ? [] : [{ enabled, kind: 'granularity', rows: granularity } as const]),
          ...(inlines ? [] : [{ enabled, kind: 'no-inlines' } as const]),
        ]);
        expect(viewFolded(seen)).toEqual(viewFolded(buildStackView(read, wholeProfile(read))));
        const { weights } = viewSamples(profile, wholeProfile(profile), resolved);
        const whole = weights.reduce((sum, weight) => sum + weight, 0);
        expect(seen.total + seen.hidden).toBeCloseTo(whole, 6);
      },
    ),
    { numRuns: 60 },
  );
});
