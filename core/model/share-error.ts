import type { Profile } from './profile.ts';
import { sampleCountColumn } from './sample-counts.ts';
import type { ValueTypeIndex } from './brand.ts';

/** Below this many samples, a share of 10 % is uncertain by more than 4 percentage points (95 % of the time). */
export const SCANT_SAMPLES = 200;

/** The normal distribution's quantile of two-sided 95 %. */
const Z = 1.959964;

/**
 * Returns half the width of Wilson's 95 % interval of a share that `samples` independent samples measured, 0 to 1; it is
 * not 0 for a share of 0 or 1. Null without a share. https://doi.org/10.1080/01621459.1927.10502953
 */
export function shareError(share: number, samples: number): number | null {
  if (!(share >= 0 && share <= 1) || !(samples > 0)) return null;
  const z2 = Z * Z;
  return (Z * Math.sqrt((share * (1 - share)) / samples + z2 / (4 * samples * samples))) / (1 + z2 / samples);
}

/**
 * Returns whether the weights of a value type come from countable samples. Traces and sums of bytes have no such error,
 * and rows of folded text do not say what they count.
 */
export function isSampled({ metadata, samples, valueTypes }: Profile, valueType: ValueTypeIndex): boolean {
  const isStated = metadata.rateHz !== null || metadata.period !== null || samples.event !== null;
  return isStated && (samples.time !== null || sampleCountColumn(valueTypes, valueType) >= 0);
}
