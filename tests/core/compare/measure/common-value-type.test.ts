import { expect, test } from 'vitest';
import { commonValueType, nearestValueType } from '#core/compare/measure/common-value-type.ts';
import type { ValueTypeIndex } from '#core/model/brand.ts';
import type { Profile } from '#core/model/profile.ts';
import { profileFromText } from '../../../support/profile-from-text.ts';

function profileOf(defaultValueType: number, ...types: string[]): Profile {
  const profile = profileFromText('main 1');
  const valueTypes = types.map((text, column) => {
    const [type, unit] = text.split('/') as [string, string];
    return { type, unit, event: -1, column };
  });
  return {
    ...profile,
    valueTypes,
    metadata: { ...profile.metadata, defaultValueType: defaultValueType as ValueTypeIndex },
  };
}

const perf = profileOf(1, 'samples/count', 'cpu-clock/nanoseconds');

test("uses the first capture's default for both sides, unless a side names one", () => {
  const own = { type: 'cpu-clock', unit: 'nanoseconds' };
  const heap = { type: 'inuse_space', unit: 'bytes' };
  expect(commonValueType(perf, null, null)).toEqual({ before: own, after: own });
  expect(commonValueType(perf, heap, null)).toEqual({ before: heap, after: heap });
  expect(commonValueType(perf, null, heap)).toEqual({ before: heap, after: heap });
  expect(commonValueType(perf, own, heap)).toEqual({ before: own, after: heap });
});

test.each([
  ['itself', profileOf(0, 'samples/count', 'cpu-clock/nanoseconds'), 1],
  ['its type in another unit', profileOf(0, 'wall/nanoseconds', 'cpu-clock/milliseconds'), 1],
  ['its dimension', profileOf(0, 'samples/count', 'cpu/microseconds'), 1],
  ['the default among equals', profileOf(1, 'cpu/nanoseconds', 'wall/nanoseconds'), 1],
  ['the default', profileOf(1, 'objects/count', 'space/bytes'), 1],
])('finds the nearest value type %s', (_, profile, expected) => {
  expect(nearestValueType(profile, { type: 'cpu-clock', unit: 'nanoseconds' })).toBe(expected);
});
