import { captureQuality } from '#core/model/capture-quality.ts';
import type { Profile } from '#core/model/profile.ts';
import { formatValue } from '#core/units/format.ts';

/** What a 64-bit counter holds; in nanoseconds 292 years. */
const MAX = 2 ** 63;

/** Returns the number of a profile that can't be and that no diagnostic mentions; null if there is none. */
export function impossibleNumber(profile: Profile): string | null {
  const { samples, metadata, valueTypes, diagnostics } = profile;
  const has = (code: string): boolean => diagnostics.some((one) => one.code === code);
  for (const [column, weights] of samples.weights.entries()) {
    const { type, unit } = valueTypes.find((one) => one.column === column) ?? { type: `column ${column}`, unit: '' };
    const total = weights.reduce((sum, weight) => sum + Math.abs(weight), 0);
    if (!Number.isFinite(total) || formatValue(total, unit).includes('∞')) return `${type} adds up to ${total} ${unit}`;
    if (weights.some((weight) => weight < 0) && !has('negative-weights') && !has('impossible-numbers')) {
      return `${type} has negative weights`;
    }
  }
  const time = samples.time?.find((one) => Math.abs(one) > MAX);
  if (time !== undefined) return `a sample's time is ${time}`;
  for (const name of ['durationNs', 'rateHz', 'cpuCount'] as const) {
    const value = metadata[name];
    if (value !== null && !(value >= 0 && value <= MAX)) return `${name} is ${value}`;
  }
  if (metadata.period !== null && !(metadata.period.value >= 0 && metadata.period.value <= MAX)) {
    return `the period is ${metadata.period.value}`;
  }
  if (metadata.startTime !== null && Number.isNaN(new Date(Number(metadata.startTime / 1_000_000n)).getTime())) {
    return `the start is ${metadata.startTime}`;
  }
  return has('impossible-numbers') && captureQuality(profile)?.grade === 'good' ? 'impossible numbers are good' : null;
}
