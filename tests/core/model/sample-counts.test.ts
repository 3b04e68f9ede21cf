import { expect, test } from 'vitest';
import { buildStackView, wholeProfile } from '#core/analyze/view/build-stack-view.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import { captureQuality } from '#core/model/capture-quality.ts';
import type { Profile } from '#core/model/profile.ts';
import { countSamples, countShownSamples } from '#core/model/sample-counts.ts';
import { profileFromText } from '../../support/profile-from-text.ts';

/** Rows of 41 and 2 samples with 10 ms each, as pprof writes them. */
function summed(): Profile {
  const profile = profileFromText('a;b 41\na 2');
  const cpu = profile.samples.weights[0]!.map((samples) => samples * 10);
  return {
    ...profile,
    samples: { ...profile.samples, weights: [...profile.samples.weights, cpu] },
    valueTypes: [...profile.valueTypes, { type: 'cpu', unit: 'milliseconds', event: -1, column: 1 }],
  };
}

test('a row that sums equal stacks stands for as many samples as its count says', () => {
  const profile = summed();
  expect(countSamples(profile)).toBe(43);
  const view = buildStackView(profile, { ...wholeProfile(profile), valueType: 1 as ValueTypeIndex });
  expect([view.total, view.sampleCount, [...view.count]]).toEqual([430, 43, [2, 41]]);
});

test('rows without a count are one sample each; so is a row whose count is nothing', () => {
  const { valueTypes, ...profile } = profileFromText('a;b 41\na 2');
  expect(countSamples({ ...profile, valueTypes: [{ ...valueTypes[0]!, type: 'space', unit: 'bytes' }] })).toBe(2);
  expect(countSamples({ ...profile, valueTypes: [{ ...valueTypes[0]!, column: -1 }] })).toBe(2);
  const none = { ...profile.samples, weights: [Float64Array.of(0, -3)] };
  expect(countSamples({ ...profile, valueTypes, samples: none })).toBe(4);
});

test('the share of lost samples is of all samples, not of the distinct stacks', () => {
  expect(captureQuality(summed(), { lost: 43 })?.lost).toBe(0.5);
});

test('of several events, the samples shown are those of the default value type', () => {
  const profile = profileFromText('a;b 1\na 1\nb 1');
  const [type] = profile.valueTypes;
  const ofEvent = { ...type!, event: 1, column: -1 };
  const samples = { ...profile.samples, event: Uint8Array.of(0, 1, 1) };
  expect(countShownSamples({ ...profile, events: ['cpu', 'alloc'], samples, valueTypes: [ofEvent] })).toBe(2);
  expect(countShownSamples(profile)).toBe(3);
});
